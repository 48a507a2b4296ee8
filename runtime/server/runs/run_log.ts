import { isObject } from "../../../schemas/json/shape.ts";
import { jsonLine } from "../../text/json_line.ts";
import { EventMasker } from "../../text/secrets/event_masker.ts";
import { openPlain } from "../../walls/files/open_plain.ts";
import { systemError } from "../../walls/files/system_error.ts";
import type { NumberedEvent, ServedEvent } from "./runs.ts";

const LF = 10;
/** How much of a log is read at once, in bytes, unless one line is longer. */
const BATCH_BYTES = 256 * 1024;

/**
 * The events of a run, each on its line of a file: line N holds number N. What was written is in the file; a reader takes
 * it from there. Close it with `using`.
 */
export class RunLog implements Disposable {
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #masker: EventMasker;
  #last: number;
  #size: number;
  #isClosed = false;
  #more = Promise.withResolvers<void>();

  /**
   * Opens a log for adding to it. A line that was torn when the program was killed goes: nobody has got it. Needs `read`
   * and `write`.
   *
   * @param secrets Texts that no event shows, also not one that comes in pieces
   */
  constructor(path: string, secrets: readonly string[]) {
    this.path = path;
    this.#masker = new EventMasker(secrets);
    try {
      this.#file = Deno.openSync(path, { read: true, append: true, create: true, mode: 0o600 });
      this.#last = endOf(path, (size) => this.#file.truncateSync(size))?.n ?? 0;
      this.#size = this.#file.statSync().size;
    } catch (error) {
      throw systemError(error, "open", path);
    }
  }

  /** Number of the last event, 0 without one. */
  get last(): number {
    return this.#last;
  }

  /** Whether nothing more is written by this run. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves at the next event, and at the end. */
  get more(): Promise<void> {
    return this.#more.promise;
  }

  /**
   * Adds an event; it is in the file when this returns, but for the end of a text that may be the beginning of a secret.
   *
   * @param time ISO 8601. @default now
   * @throws {ToolError} What the system says, on a full disk for instance
   */
  write(event: ServedEvent, time = new Date().toISOString()): void {
    for (const told of this.#masker.push(event)) {
      const line = this.#masker.mask(jsonLine({ n: this.#last + 1, time, event: told }));
      const bytes = new TextEncoder().encode(line);
      try {
        for (let at = 0; at < bytes.length;) at += this.#file.writeSync(bytes.subarray(at));
      } catch (error) {
        // A full disk leaves half a line, and the next one would be a part of it.
        this.#file.truncateSync(this.#size);
        throw systemError(error, "write", this.path);
      }
      this.#size += bytes.length;
      this.#last++;
    }
    this.#wake();
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file.close();
    this.#wake();
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}

/** Returns the last event of a log; `null` if there is none, or no log. Needs `read`. */
export function lastEvent(path: string): NumberedEvent | null {
  return endOf(path, () => {});
}

/**
 * Reads a log from behind number `after`, a bounded part at a time, and only when the next one is asked for. Needs `read`.
 *
 * @param live The log of the run while it is at work: then the reader waits for more
 */
export async function* readLog(
  path: string,
  { after, live }: { after: number; live: RunLog | null },
): AsyncGenerator<readonly NumberedEvent[]> {
  // Another process that is at work may have left no log yet.
  using file = openPlain(path, { follows: true });
  if (file === null) return;
  let buffer = new Uint8Array(BATCH_BYTES);
  let filled = 0;
  let n = 0;
  for (let at = 0;;) {
    const more = live?.more;
    const isOver = live?.isClosed ?? true;
    const read = file.readAt(buffer.subarray(filled), at);
    if (read === 0) {
      if (isOver) return;
      await more;
      continue;
    }
    at += read;
    filled += read;
    const end = buffer.lastIndexOf(LF, filled - 1) + 1;
    if (end > 0) {
      const { start, lines } = skipLines(buffer.subarray(0, end), after - n);
      n += lines;
      if (start < end) {
        const events = eventsOf(buffer.subarray(start, end));
        n += events.length;
        yield events;
      }
      buffer.copyWithin(0, end, filled);
      filled -= end;
    } else if (filled === buffer.length) {
      const larger = new Uint8Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
  }
}

/** Finds where the lines begin behind so many; each holds the number of its place. */
function skipLines(bytes: Uint8Array, count: number): { start: number; lines: number } {
  let start = 0;
  let lines = 0;
  while (lines < count && start < bytes.length) {
    start = bytes.indexOf(LF, start) + 1;
    lines++;
  }
  return { start, lines };
}

function eventsOf(bytes: Uint8Array): NumberedEvent[] {
  return new TextDecoder().decode(bytes).trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Reads the last whole line of a log, and tells where what stands behind it is to be cut off. */
function endOf(path: string, cut: (size: number) => void): NumberedEvent | null {
  using file = openPlain(path, { follows: true });
  if (file === null) return null;
  const { size } = file;
  for (let length = Math.min(size, 64 * 1024); length > 0; length = Math.min(size, length * 4)) {
    const bytes = new Uint8Array(length);
    let at = 0;
    for (let read = 1; read > 0; at += read) read = file.readAt(bytes.subarray(at), size - length + at);
    const end = bytes.lastIndexOf(LF);
    const start = end <= 0 ? -1 : bytes.lastIndexOf(LF, end - 1);
    if (start < 0 && length < size) continue;
    if (end + 1 < length) cut(size - length + end + 1);
    if (end < 0) return null;
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(start + 1, end)));
    return isObject(value) && typeof value.n === "number" ? value as unknown as NumberedEvent : null;
  }
  return null;
}
