import type { UnreadOutput } from "../../../schemas/program.ts";

// How the shell tells that a command has ended: before each prompt it prints, on both streams, a mark that no command
// can print by chance. The variable that makes it holds escapes, so that showing it does not look like the mark.

const SEPARATOR = "\x1e";
/** What the shell started with, kept open for the mark, wherever commands redirect its streams. */
const STDOUT_COPY = 198;
const STDERR_COPY = 199;
/** Function of the shell that sets its prompt right after each command: virtual environments and start files change it. */
const SETTLE = "__bulkhead_settle";

/** Returns the text that ends the output of a command on each stream. */
export function endMark(nonce: string): string {
  return `${SEPARATOR}${nonce}${SEPARATOR}`;
}

/** Returns the first line for a new interactive bash: no prompts, no history, and the mark after each command. */
export function setupLine(nonce: string): string {
  const mark = `printf '\\036%s\\036${nonce}\\036'`;
  // What a command was typed and did not read would be taken for the next command.
  const drain = "while read -t 0 && IFS= read -r -t 0.05 -N 4096 _; do :; done";
  const prompt =
    `{ ${mark} "$?" >&${STDOUT_COPY}; ${drain}; ${mark} 0 >&${STDERR_COPY}; PS1= PS2=; } 2>/dev/null`;
  const settle = `${SETTLE}() { set -- "$?"; PROMPT_COMMAND=${quote(prompt)}; return "$1"; }`;
  return `set +H +o history; history -c; PS1= PS2=; exec ${STDOUT_COPY}>&1 ${STDERR_COPY}>&2; ${settle}; ${SETTLE}\n`;
}

/** Returns the line that has the shell run a command, however many lines it has and whatever is wrong with it. */
export function commandLine(command: string): string {
  return `eval ${quote(command)}; { ${SETTLE}; } 2>/dev/null\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns what was read of a stream, with a line where something was left out. */
export function joinUnread({ head, text, droppedBytes }: UnreadOutput): string {
  if (droppedBytes === 0) return head + text;
  const start = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return `${start}[output truncated: ${droppedBytes} bytes omitted]\n${text}`;
}

/** Says whether a text may hold a mark, or the beginning of one. */
export function mayHoldMark(text: string): boolean {
  return text.includes(SEPARATOR);
}

/** Takes all marks out of a stream's text; `code` is the exit code in the last one, `null` without any. */
export function takeMarks(text: string, nonce: string): { text: string; code: number | null } {
  const marks = new RegExp(`${SEPARATOR}(\\d+)${endMark(nonce)}`, "g");
  const last = [...text.matchAll(marks)].at(-1);
  return { text: text.replace(marks, ""), code: last ? Number(last[1]) : null };
}
