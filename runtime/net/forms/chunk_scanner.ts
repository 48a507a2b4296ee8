import { GateFailure } from "../dial/gate_failure.ts";

const CR = 13;
const LF = 10;
const TAB = 9;
const SPACE = 32;
const SEMICOLON = 59;
/** Most digits of the length of a piece. */
const MAX_DIGITS = 12;
/** Most bytes of the words behind a length, and of all lines after the last piece. */
const MAX_WORDS = 4 * 1024;

/** What is next in a body in pieces (RFC 9112, section 7.1). */
type Next = "size" | "words" | "size_lf" | "data" | "data_cr" | "data_lf" | "tail" | "end";

/**
 * Finds the end of a body in pieces, by the one strict reading of its form: what two readers could take for two bodies is
 * none.
 */
export class ChunkScanner {
  #next: Next = "size";
  #digits = 0;
  #words = 0;
  /** What is left of a piece; while its length is read, the length so far. */
  #left = 0;
  /** Bytes of a line after the last piece; one of none is the end. */
  #line = 0;
  readonly #onData: (bytes: Uint8Array) => void;

  /** @param onData Gets what the pieces hold */
  constructor(onData: (bytes: Uint8Array) => void = () => {}) {
    this.#onData = onData;
  }

  /**
   * Reads on.
   *
   * @returns `passed`: so many of the first bytes belong to the pieces and go on as they are; `taken`: so many were read;
   * `hasEnded`: the body is over, and what ends it is still to be written
   * @throws {GateFailure} `request` for bytes that are none of a body in pieces
   */
  scan(bytes: Uint8Array): { passed: number; taken: number; hasEnded: boolean } {
    let at = 0;
    while (at < bytes.length && this.#next !== "tail") {
      if (this.#next !== "data") {
        this.#step(bytes[at++]!);
        continue;
      }
      const count = Math.min(this.#left, bytes.length - at);
      this.#onData(bytes.subarray(at, at + count));
      at += count;
      this.#left -= count;
      if (this.#left === 0) this.#next = "data_cr";
    }
    const passed = at;
    while (at < bytes.length && this.#next === "tail") this.#tail(bytes[at++]!);
    return { passed, taken: at, hasEnded: this.#next === "end" };
  }

  #step(byte: number): void {
    if (this.#next === "size") this.#size(byte);
    else if (this.#next === "words") {
      if (byte === CR) this.#next = "size_lf";
      else if (++this.#words > MAX_WORDS || !isText(byte)) throw broken("has no length");
    } else if (byte !== (this.#next === "data_cr" ? CR : LF)) {
      throw broken(this.#next === "size_lf" ? "has no length" : "has no end");
    } else if (this.#next === "size_lf") {
      this.#next = this.#left === 0 ? "tail" : "data";
      this.#words = 0;
    } else if (this.#next === "data_cr") this.#next = "data_lf";
    else {
      this.#next = "size";
      this.#digits = this.#left = 0;
    }
  }

  #size(byte: number): void {
    const digit = parseInt(String.fromCharCode(byte), 16);
    if (!Number.isNaN(digit)) {
      if (++this.#digits > MAX_DIGITS) throw broken("has no length");
      this.#left = this.#left * 16 + digit;
    } else if (this.#digits === 0) throw broken("has no length");
    else if (byte === CR) this.#next = "size_lf";
    else if (byte === SEMICOLON || byte === SPACE || byte === TAB) this.#next = "words";
    else throw broken("has no length");
  }

  /** Headers after the body are left out. */
  #tail(byte: number): void {
    if (++this.#words > MAX_WORDS) {
      throw new GateFailure("request", "the lines after the body are too long");
    }
    if (byte === LF) {
      if (this.#line === 0) this.#next = "end";
      this.#line = 0;
    } else if (byte !== CR) this.#line++;
  }
}

function isText(byte: number): boolean {
  return byte === TAB || (byte >= SPACE && byte < 127);
}

function broken(why: string): GateFailure {
  return new GateFailure("request", `a piece of the body ${why}`);
}
