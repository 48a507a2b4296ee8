import { jsonLine } from "../../text/json_line.ts";
import { systemError } from "../../walls/files/system_error.ts";

const LF = 10;

/**
 * A file of JSON lines. Each line is added in one piece and at once: if the program dies, all lines are
 * whole, except perhaps the last one. A torn line from before is ended first.
 */
export class LineFile implements Disposable {
  readonly path: string;
  readonly #file: Deno.FsFile;
  #torn: boolean;

  /** @param file Opened for reading and appending; closed with this object */
  constructor(path: string, file: Deno.FsFile) {
    this.path = path;
    this.#file = file;
    this.#torn = isTorn(file);
  }

  /** Whether the file is empty. */
  get isEmpty(): boolean {
    return this.#file.statSync().size === 0;
  }

  /**
   * Adds a line.
   *
   * @throws {ToolError} What the system says, on a full disk for instance
   */
  write(value: unknown): void {
    const bytes = new TextEncoder().encode(`${this.#torn ? "\n" : ""}${jsonLine(value)}`);
    try {
      for (let at = 0; at < bytes.length;) {
        at += this.#file.writeSync(at === 0 ? bytes : bytes.subarray(at));
        this.#torn = at < bytes.length;
      }
    } catch (error) {
      throw systemError(error, "write", this.path);
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/** A process that was killed may have left a line without its end. */
function isTorn(file: Deno.FsFile): boolean {
  const { size } = file.statSync();
  if (size === 0) return false;
  const last = new Uint8Array(1);
  file.seekSync(size - 1, Deno.SeekMode.Start);
  return file.readSync(last) === 1 && last[0] !== LF;
}
