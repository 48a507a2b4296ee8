import { SHELL_MARK, type UnreadOutput } from "../../../schemas/program.ts";

// Finds in the output of a shell the marks that tell that a command has ended.

/** Returns the text that ends the output of a command on each stream. */
export function endMark(nonce: string): string {
  return `${SHELL_MARK}${nonce}${SHELL_MARK}`;
}

/** Returns what was read of a stream, with a line where something was left out. */
export function joinUnread({ head, text, droppedBytes }: UnreadOutput): string {
  if (droppedBytes === 0) return head + text;
  const start = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return `${start}[output truncated: ${droppedBytes} bytes omitted]\n${text}`;
}

/** Says whether a text may hold a mark, or the beginning of one. */
export function mayHoldMark(text: string): boolean {
  return text.includes(SHELL_MARK);
}

/** Takes all marks out of a stream's text; `code` is the exit code in the last one, `null` without any. */
export function takeMarks(text: string, nonce: string): { text: string; code: number | null } {
  const marks = new RegExp(`${SHELL_MARK}(\\d+)(?: \\d+)?${endMark(nonce)}`, "g");
  const last = [...text.matchAll(marks)].at(-1);
  return { text: text.replace(marks, ""), code: last ? Number(last[1]) : null };
}
