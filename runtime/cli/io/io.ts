import { ToolError } from "../../../schemas/error.ts";
import type { ProcessSettings } from "../../host/host_settings.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { findSelf, type Self } from "../../self/find_self.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import { systemError } from "../../walls/files/system_error.ts";
import type { Keyboard } from "./keyboard.ts";

/** Everything that the command line does to the outside, as `main.ts` hands it in. */
export interface Io {
  /** `import.meta.url` of the main module. */
  mainUrl: string;
  manifest(): Promise<Manifest>;
  env(name: string): string | undefined;
  /** The whole environment. */
  variables(): Record<string, string>;
  cwd(): string;
  stdin(): ReadableStream<Uint8Array>;
  stdinIsTerminal(): boolean;
  /** Of the terminal that stdin is. */
  keyboard: Keyboard;
  stdout(bytes: Uint8Array): Promise<void>;
  /** Columns of the terminal that shows stdout, `null` if stdout goes elsewhere. */
  stdoutWidth(): number | null;
  stderr(bytes: Uint8Array): Promise<void>;
  /** Columns of the terminal that shows stderr, `null` if stderr goes elsewhere. They change with its size. */
  stderrWidth(): number | null;
  /** Aborts at SIGINT, SIGTERM, SIGQUIT and a SIGHUP that is heard, with the signal's name as the reason. */
  interrupt: AbortSignal;
  /** The program's process: how it ends, what it keeps, and how it is started again. */
  process: ProcessSettings;
}

const encoder = new TextEncoder();

/**
 * Writes a text to stdout: the result and nothing else goes there.
 *
 * @throws {Deno.errors.BrokenPipe} If its reader has gone away
 * @throws {ToolError} If it is a file that cannot be written, on a full disk for instance
 */
export async function print(io: Io, text: string): Promise<void> {
  try {
    await io.stdout(encoder.encode(text));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw error;
    throw systemError(error, "write", "stdout");
  }
}

/** Writes a text to stderr. A failed write does not change the work. */
export async function printError(io: Io, text: string): Promise<void> {
  await io.stderr(encoder.encode(text)).catch(() => {});
}

/**
 * Waits for input, but only until the user interrupts: the input may never come.
 *
 * @throws {ToolError} `cancelled` at the interrupt
 */
export async function awaitInput<T>(io: Io, input: Promise<T>): Promise<T> {
  const read = await orAborted(input, io.interrupt);
  if (read === null) throw new ToolError("cancelled", "Interrupted while waiting for input");
  return read;
}

/** Returns how the program is started again. */
export function selfOf(io: Io): Self {
  return io.process.self ?? findSelf(io.mainUrl, io.env);
}

/** Returns the folder that the user stands in; `deno task` changes to the project's and names it in `INIT_CWD`. */
export function userFolder(io: Io): string {
  return (Deno.build.standalone ? undefined : io.env("INIT_CWD")) ?? io.cwd();
}
