import { ToolError } from "../../../schemas/error.ts";
import { awaitInput, type Io, printError } from "../io/io.ts";
import type { Options } from "../args/options/option_table.ts";

/** What a person asks for, as the command line and stdin have it. */
export interface Prompt {
  /** `null` if the command line has no prompt. */
  prompt: string | null;
  /** `null` if nothing was piped in. */
  stdin: string | null;
  /** Stdin was read, so no person can answer there. */
  stdinTaken: boolean;
}

/** Longest text from stdin, in bytes; the task's own limit is lower. */
const MAX_BYTES = 8 * 1024 * 1024;
/** How long stdin may stay silent before a run goes on without it, in milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Reads the task of the run. Without `-`, it waits for stdin only a short time: the parent process may leave
 * it open and never write.
 *
 * @throws {ToolError} `invalid_input` for words that are not a prompt; `limit_exceeded`; `cancelled` at an
 * interrupt
 */
export async function readPrompt(
  [first, second]: readonly string[],
  options: Options,
  io: Io,
): Promise<Prompt> {
  if (second !== undefined && (second !== "-" || first === "-")) {
    throw new ToolError(
      "invalid_input",
      `Unexpected word ${JSON.stringify(second)}: write the prompt as one word, in quotes`,
    );
  }
  const prompt = first === undefined || first === "-" ? null : first;
  if (first === "-" || second === "-") {
    const stdin = await awaitInput(io, readAll(io.stdin().getReader()));
    return checked({ prompt, stdin, stdinTaken: true });
  }
  const goesOn = options.resume !== undefined || (options.model?.startsWith("replay:") ?? false);
  if (prompt === null && goesOn) return { prompt, stdin: null, stdinTaken: false };
  if (io.stdinIsTerminal()) return checked({ prompt, stdin: null, stdinTaken: false });
  const { text: stdin } = await awaitInput(io, readIfThere(io));
  if (stdin === null && prompt !== null && !options.quiet) {
    const seconds = PATIENCE_MS / 1000;
    await printError(
      io,
      `bulkhead: nothing came on stdin in ${seconds} s, going on without it; a - behind the prompt waits for it\n`,
    );
  }
  return checked({ prompt, stdin, stdinTaken: true });
}

function checked(read: Prompt): Prompt {
  if ((read.prompt ?? read.stdin ?? "").trim() !== "") return read;
  throw new ToolError(
    "invalid_input",
    'No prompt: say what to do, as in bulkhead run "…", or pipe it in with bulkhead run -',
  );
}

/** The text is `null` if nothing comes in time. */
async function readIfThere(io: Io): Promise<{ text: string | null }> {
  const reader = io.stdin().getReader();
  const first = reader.read();
  // After an interrupt its result is ignored.
  first.catch(() => {});
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), PATIENCE_MS);
  const begun = await Promise.race([first, late]);
  clearTimeout(timer);
  if (begun === null) return { text: null };
  return { text: begun.done ? "" : await readAll(reader, begun.value) };
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  begun?: Uint8Array,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = begun ? decoder.decode(begun, { stream: true }) : "";
  let bytes = begun?.length ?? 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) throw new ToolError("limit_exceeded", `stdin has more than ${MAX_BYTES} bytes`);
    text += decoder.decode(value, { stream: true });
  }
}
