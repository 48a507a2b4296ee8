import type { ToolContext } from "../../../schemas/context.ts";
import type { ClippedOutput, ProgramEnd } from "../../../schemas/program.ts";

/** Returns what was kept of a stream; the marker stands on a line of its own where something was left out. */
export function joinClipped({ head, tail, omittedBytes }: ClippedOutput, marker: string): string {
  if (omittedBytes === 0) return head + tail;
  const start = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return `${start}${marker}\n${tail}`;
}

/** Says what of a stream is not shown as the program wrote it, each in a few words with its number. */
export function changedParts({ replaced, nuls, overwritten }: ClippedOutput): string[] {
  return [
    ...replaced > 0 ? [`non-UTF-8 bytes decoded with replacement characters: ${replaced}`] : [],
    ...nuls > 0 ? [`NUL bytes shown as \u2400: ${nuls}`] : [],
    ...overwritten > 0 ? [`parts of lines left out that were written over: ${overwritten}`] : [],
  ];
}

/** Warns of what {@linkcode changedParts} finds in the output of a program. */
export function warnOfChanged(
  end: Pick<ProgramEnd, "stdout" | "stderr">,
  context: Pick<ToolContext, "warn">,
): void {
  for (const name of ["stdout", "stderr"] as const) {
    for (const what of changedParts(end[name])) context.warn(`${name}: ${what}`);
  }
}
