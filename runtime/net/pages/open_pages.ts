import { ToolError } from "../../../schemas/error.ts";
import { startServing } from "../serving_child.ts";
import { OPEN_WORD, PAGES_READY } from "./serve_pages.ts";

/** A running server of pages. */
export interface Pages {
  /** Where the folder is, with the token in it; ends with a slash. */
  readonly url: string;
  readonly isAlive: boolean;
  /** Settles once it has ended. */
  readonly ended: Promise<void>;
  /** Ends it. */
  end(): Promise<void>;
}

/** Longest time until it is ready, in milliseconds. */
const READY_MS = 10_000;
const TOKEN_BYTES = 16;
const MOST_CHARS = 1_000;

/**
 * Starts a server of pages and waits until it takes connections. It ends with this process. Needs `run`.
 *
 * @param options `isOpen`: its pages may load from other hosts
 * @throws {ToolError} `unavailable` if it does not start
 */
export async function openPages(
  command: readonly string[],
  { isOpen }: { isOpen: boolean },
): Promise<Pages> {
  const child = startServing(command);
  const token = Array.from(
    crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
  child.tell(`${token}${isOpen ? ` ${OPEN_WORD}` : ""}`);
  const line = await child.within(lineOf(child.output), READY_MS);
  const port = Number(line.slice(PAGES_READY.length));
  if (!line.startsWith(PAGES_READY) || !Number.isInteger(port)) {
    const why = (await child.end()).replaceAll("\n", "; ");
    throw new ToolError(
      "unavailable",
      `Cannot serve the folder to a browser: ${why || "the server did not answer"}`,
    );
  }
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    get isAlive() {
      return child.isAlive;
    },
    ended: child.ended,
    end: async () => void await child.end(),
  };
}

async function lineOf(output: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = "";
  while (!text.endsWith("\n") && text.length < MOST_CHARS) {
    const { done, value } = await output.read();
    if (done) break;
    text += value;
  }
  return text.trimEnd();
}
