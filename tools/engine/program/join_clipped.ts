import type { ClippedOutput } from "../../../schemas/program.ts";

/** Returns what was kept of a stream; the marker stands on a line of its own where something was left out. */
export function joinClipped({ head, tail, omittedBytes }: ClippedOutput, marker: string): string {
  if (omittedBytes === 0) return head + tail;
  const start = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return `${start}${marker}\n${tail}`;
}
