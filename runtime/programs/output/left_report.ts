/** How the first process of a box begins and ends what it says of processes that the program left. */
// deno-lint-ignore no-control-regex
const MARK = /\x1ebulkhead left([^\x1e]{0,400})\x1e/;
const SIGN = 0x1e;
/** Longest such report, in bytes. */
const MAX_BYTES = 600;
/** How many names are told. */
const SHOWN = 5;

/** Takes the report of what a program left running off the end of a stream. Other bytes go on as they come. */
export class LeftReportReader {
  /** What begins like a report. */
  #held: Uint8Array = new Uint8Array(0);
  /** Names of the processes that were left, each once. */
  left: string[] = [];

  /** Takes the next bytes of the stream; returns those that are not of a report. */
  push(bytes: Uint8Array): Uint8Array {
    const all = new Uint8Array(this.#held.length + bytes.length);
    all.set(this.#held);
    all.set(bytes, this.#held.length);
    const sign = all.indexOf(SIGN, Math.max(0, all.length - MAX_BYTES));
    const from = sign < 0 ? all.length : sign;
    this.#held = all.slice(from);
    return all.subarray(0, from);
  }

  /** Says that the stream has ended. Returns what was no report. */
  end(): Uint8Array {
    const text = String.fromCharCode(...this.#held);
    const found = MARK.exec(text);
    if (found === null) return this.#held;
    this.left = leftNames(found[1]!);
    const rest = text.replace(MARK, "");
    return Uint8Array.from(rest, (char) => char.charCodeAt(0));
  }
}

/** The names in a list with blanks between, each once. */
export function leftNames(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((name) => name !== ""))];
}

const NEEDS_TOOL = "what must go on needs a tool that keeps processes, such as TerminalStart or manus/bash";

/** Says that what a program left was ended with it, and what would keep it: by default a tool. */
export function tellLeft(names: readonly string[], remedy = NEEDS_TOOL): string {
  const shown = names.slice(0, SHOWN).join(", ");
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return `what the program left running was ended with it: ${shown}${more}; ${remedy}`;
}
