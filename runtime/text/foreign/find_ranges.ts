import type { Ranges } from "./protocol.ts";

/** Finds a pattern in lines; needs patterns that JavaScript understands. Throws {SyntaxError} for others. */
export function findRanges(
  pattern: string,
  lines: readonly string[],
  { ignoreCase }: { ignoreCase: boolean },
): Ranges[] {
  const searched = new RegExp(pattern, ignoreCase ? "gi" : "g");
  return lines.map((line) =>
    [...line.matchAll(searched)].filter(([found]) => found !== "").map(({ 0: found, index }) =>
      [index, index + found.length] as const
    )
  );
}
