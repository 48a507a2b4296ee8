import { SHELL_MARK } from "../../../schemas/program.ts";

// How an open shell tells that a command has ended: before each prompt it prints a mark on both streams. No
// command can print this mark by chance. The variable that makes it holds escapes, so that showing the
// variable does not show the mark.

/** Copies of the shell's first streams. They carry the mark, even if commands redirect the streams. */
const STDOUT_COPY = 198;
const STDERR_COPY = 199;
/** Shell function that sets the prompt after each command: virtual environments and start files change it. */
const SETTLE = "__bulkhead_settle";

/** Returns the first line for a new interactive bash: no prompts, no history, and the mark after each command. */
export function setupLine(nonce: string): string {
  const octal = `\\${SHELL_MARK.charCodeAt(0).toString(8).padStart(3, "0")}`;
  const mark = `printf '${octal}%s${octal}${nonce}${octal}'`;
  // Input that a command did not read would become the next command.
  const drain = "while read -t 0 && IFS= read -r -t 0.05 -N 4096 _; do :; done";
  const prompt =
    `{ ${mark} "$?" >&${STDOUT_COPY}; ${drain}; ${mark} 0 >&${STDERR_COPY}; PS1= PS2=; } 2>/dev/null`;
  const settle = `${SETTLE}() { set -- "$?"; PROMPT_COMMAND=${quote(prompt)}; return "$1"; }`;
  return `set +H +o history; history -c; PS1= PS2=; exec ${STDOUT_COPY}>&1 ${STDERR_COPY}>&2; ${settle}; ${SETTLE}\n`;
}

/** Returns the line that makes the shell run a command, also if it has many lines or a syntax error. */
export function commandLine(command: string): string {
  return `eval ${quote(command)}; { ${SETTLE}; } 2>/dev/null\n`;
}

/** Finds the marks of a shell in its output. The first one tells that the shell is ready. */
export class MarkReader {
  readonly #mark: RegExp;
  readonly #longest: number;
  #isReady = false;
  /** The end of the output so far, in which a mark may begin. */
  #rest = "";

  /** @param nonce The part of the marks that belongs to this shell */
  constructor(nonce: string) {
    this.#mark = new RegExp(`${SHELL_MARK}(\\d{1,3})${SHELL_MARK}${nonce}${SHELL_MARK}`, "g");
    this.#longest = nonce.length + 5;
  }

  /** Takes the next bytes. Returns the exit code of the command that they tell the end of, else `null`. */
  push(bytes: Uint8Array): number | null {
    // One character a byte: a mark has no others.
    const text = this.#rest + latin1.decode(bytes);
    const marks = [...text.matchAll(this.#mark)];
    const codes = marks.map(([, code]) => Number(code));
    const last = marks.at(-1);
    const end = last ? last.index + last[0].length : 0;
    this.#rest = text.slice(Math.max(end, text.length - this.#longest));
    if (!this.#isReady && codes.length > 0) {
      this.#isReady = true;
      codes.shift();
    }
    return codes.at(-1) ?? null;
  }
}

const latin1 = new TextDecoder("latin1");

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
