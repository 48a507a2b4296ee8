import { ToolError } from "../../../schemas/error.ts";

/** Opens a new file for the output of a program. */
export type KeepFile = (name: string) => Promise<{ path: string; file: Deno.FsFile }>;

/** A file with the output of one stream. */
export interface KeptFile {
  /** `stdout` or `stderr`. */
  name: string;
  path: string;
  bytes: number;
}

const MAX_BYTES = 100 * 1024 * 1024;

/** Writes one stream to a file while it is read; the file is made with the first byte. */
export class KeptOutput {
  readonly #name: string;
  readonly #keepFile: KeepFile;
  #open: { path: string; file: Deno.FsFile } | null = null;
  #bytes = 0;
  #problem: string | null = null;

  /** @param name Name of the stream */
  constructor(name: string, keepFile: KeepFile) {
    this.#name = name;
    this.#keepFile = keepFile;
  }

  /** Why the file does not hold all output, `null` if it does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Writes the next bytes. Never rejects: the program goes on without its file. */
  async push(bytes: Uint8Array): Promise<void> {
    if (this.#problem !== null) return;
    const part = bytes.subarray(0, MAX_BYTES - this.#bytes);
    try {
      this.#open ??= await this.#keepFile(`${this.#name}.txt`);
      await writeAll(this.#open.file, part);
      this.#bytes += part.length;
      if (part.length < bytes.length) this.#problem = `only its first ${MAX_BYTES} bytes are kept`;
    } catch (error) {
      if (!(error instanceof ToolError) && !isSystemError(error)) throw error;
      this.#problem = `it could not be kept: ${error.message}`;
    }
  }

  /** Closes the file; `null` if there was no output. */
  close(): KeptFile | null {
    if (this.#open === null) return null;
    this.#open.file.close();
    return { name: this.#name, path: this.#open.path, bytes: this.#bytes };
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
}

/** Deno has no error class for a full disk. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && ("code" in error || error.name in Deno.errors);
}
