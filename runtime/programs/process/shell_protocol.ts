import { SHELL_MARK } from "../../../schemas/program.ts";

// How an open shell tells that a command has ended: before each prompt it prints a mark on both streams. No
// command can print this mark by chance. The variable that makes it holds escapes, so that showing the
// variable does not show the mark.
//
// Input that a command did not read would become the next command, and some of it may still be on its way. So between
// the two marks the shell drops all input up to a line that main sends when it has seen the first mark. Each prompt has
// a number, because Ctrl-C may end the wait for that line and bring the next prompt.

/** Copies of the shell's first streams. They carry the mark, even if commands redirect the streams. */
const STDOUT_COPY = 198;
const STDERR_COPY = 199;
/** Shell function that sets the prompt after each command: virtual environments and start files change it. */
const SETTLE = "__bulkhead_settle";
/** Shell function that drops the input up to the line that answers the mark. */
const DROP = "__bulkhead_drop";
/** Shell variable with the number of the prompt. */
const PROMPT = "__bulkhead_prompt";

/** Returns the first line for a new interactive bash: no prompts, no history, and the mark after each command. */
export function setupLine(nonce: string): string {
  const octal = `\\${SHELL_MARK.charCodeAt(0).toString(8).padStart(3, "0")}`;
  const mark = `printf '${octal}%s${octal}${nonce}${octal}'`;
  const first = `${mark} "$? $((${PROMPT} += 1))" >&${STDOUT_COPY}`;
  const prompt = `{ ${first}; ${DROP}; ${mark} 0 >&${STDERR_COPY}; PS1= PS2=; } 2>/dev/null`;
  const settle = `${SETTLE}() { set -- "$?"; PROMPT_COMMAND=${quote(prompt)}; return "$1"; }`;
  const line = "__bulkhead_line";
  const drop = `${DROP}() { local ${line}; ` +
    `while IFS= read -r ${line} && [ "$${line}" != "${nonce} $${PROMPT}" ]; do :; done; }`;
  const copies = `exec ${STDOUT_COPY}>&1 ${STDERR_COPY}>&2`;
  return `set +H +o history; history -c; PS1= PS2= ${PROMPT}=0; ${copies}; ${drop}; ${settle}; ${SETTLE}\n`;
}

/** Returns what tells the shell that nothing comes after it that was meant for the command that has ended. */
export function answerMark(nonce: string, prompt: number): string {
  // What a command did not read may end within a line.
  return `\n${nonce} ${prompt}\n`;
}

/** Returns the line that makes the shell run a command, also if it has many lines or a syntax error. */
export function commandLine(command: string): string {
  return `eval ${quote(command)}; { ${SETTLE}; } 2>/dev/null\n`;
}

/** A prompt of a shell. */
export interface ShellPrompt {
  number: number;
  /** How the command before it ended; `null` if it is the first one. */
  code: number | null;
}

/** Longest exit code and number in a mark, with the characters around them. */
const LONGEST_NUMBERS = 20;

/** Finds the marks of a shell in its output. The first one tells that the shell is ready. */
export class MarkReader {
  readonly #mark: RegExp;
  readonly #longest: number;
  #isReady = false;
  /** The end of the output so far, in which a mark may begin. */
  #rest = "";

  /** @param nonce The part of the marks that belongs to this shell */
  constructor(nonce: string) {
    this.#mark = new RegExp(`${SHELL_MARK}(\\d{1,3}) (\\d{1,10})${SHELL_MARK}${nonce}${SHELL_MARK}`, "g");
    this.#longest = nonce.length + LONGEST_NUMBERS;
  }

  /** Takes the next bytes. Returns the last prompt that they tell of, else `null`. */
  push(bytes: Uint8Array): ShellPrompt | null {
    // One character a byte: a mark has no others.
    const text = this.#rest + latin1.decode(bytes);
    const marks = [...text.matchAll(this.#mark)];
    const last = marks.at(-1);
    const end = last ? last.index + last[0].length : 0;
    this.#rest = text.slice(Math.max(end, text.length - this.#longest));
    if (!last) return null;
    const isFirst = !this.#isReady && marks.length === 1;
    this.#isReady = true;
    return { number: Number(last[2]), code: isFirst ? null : Number(last[1]) };
  }
}

const latin1 = new TextDecoder("latin1");

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
