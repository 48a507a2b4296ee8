import type { Manifest } from "../../schemas/manifest.ts";

/** Everything that the command line does to the outside, as `main.ts` hands it in. */
export interface Io {
  /** `import.meta.url` of the main module. */
  mainUrl: string;
  manifest(): Promise<Manifest>;
  env(name: string): string | undefined;
  cwd(): string;
  stdin(): ReadableStream<Uint8Array>;
  stdout(bytes: Uint8Array): Promise<void>;
  stderr(bytes: Uint8Array): Promise<void>;
  /** A person looks at stderr. */
  stderrIsTerminal(): boolean;
  /** Aborts at SIGINT and SIGTERM, with the signal's name as the reason. */
  interrupt: AbortSignal;
}

const encoder = new TextEncoder();

/** Writes a text to stdout: the result and nothing else goes there. */
export async function print(io: Io, text: string): Promise<void> {
  await io.stdout(encoder.encode(text));
}

/** Writes a text to stderr. */
export async function printError(io: Io, text: string): Promise<void> {
  await io.stderr(encoder.encode(text));
}

/** Returns the folder that the user stands in; `deno task` changes to the project's and names it in `INIT_CWD`. */
export function userFolder(io: Io): string {
  return (Deno.build.standalone ? undefined : io.env("INIT_CWD")) ?? io.cwd();
}
