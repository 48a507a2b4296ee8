/** Most pairs of lines that are compared exactly. */
const MAX_PAIRS = 16_000_000;

/** How many lines a text lost and gained. */
export interface LineCount {
  added: number;
  removed: number;
}

/** Counts the lines that differ between two texts, as a diff shows them. For very long texts moved lines count as kept. */
export function countLines(before: string, after: string): LineCount {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const isSameAtEnd = () => old[old.length - 1 - end] === now[now.length - 1 - end];
  while (end < Math.min(old.length, now.length) - start && isSameAtEnd()) end++;
  const [lost, gained] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const kept = lost.length * gained.length > MAX_PAIRS ? shared(lost, gained) : inOrder(lost, gained);
  return { added: gained.length - kept, removed: lost.length - kept };
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** Length of the longest common subsequence. */
function inOrder(one: readonly string[], other: readonly string[]): number {
  let above = new Uint32Array(other.length + 1);
  for (const line of one) {
    const row = new Uint32Array(other.length + 1);
    for (let at = 1; at <= other.length; at++) {
      row[at] = line === other[at - 1] ? above[at - 1]! + 1 : Math.max(above[at]!, row[at - 1]!);
    }
    above = row;
  }
  return above[other.length]!;
}

/** How many lines both have, in any order. */
function shared(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of one) left.set(line, (left.get(line) ?? 0) + 1);
  return other.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count > 0;
  }).length;
}
