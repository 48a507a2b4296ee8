import { ToolError } from "../../../schemas/error.ts";
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
  const child = new Deno.Command(command[0]!, {
    args: command.slice(1),
    clearEnv: true,
    cwd: "/",
    // Ctrl-C is for main.
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isAlive = true;
  const ended = child.status.then(() => void (isAlive = false));
  const kill = () => {
    if (isAlive) child.kill("SIGKILL");
  };
  const said = startOf(child.stderr);
  const input = child.stdin.getWriter();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const end = async () => {
    await input.close().catch(() => {});
    kill();
    await ended;
    await output.cancel().catch(() => {});
    return await said;
  };
  const token = Array.from(
    crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
  input.write(new TextEncoder().encode(`${token}${isOpen ? ` ${OPEN_WORD}` : ""}\n`)).catch(() => {});
  const timer = setTimeout(kill, READY_MS);
  const line = await lineOf(output).finally(() => clearTimeout(timer));
  const port = Number(line.slice(PAGES_READY.length));
  if (!line.startsWith(PAGES_READY) || !Number.isInteger(port)) {
    const why = (await end()).trim().replaceAll("\n", "; ");
    throw new ToolError(
      "unavailable",
      `Cannot serve the folder to a browser: ${why || "the server did not answer"}`,
    );
  }
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    get isAlive() {
      return isAlive;
    },
    ended,
    end: async () => void await end(),
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

async function startOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let kept = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    kept = (kept + chunk).slice(0, MOST_CHARS);
  }
  return kept;
}
