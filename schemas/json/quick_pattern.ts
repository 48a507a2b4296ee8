/** Most steps that a pattern may take, as far as its form tells. */
const MAX_STEPS = 10_000_000;

/**
 * Says whether a pattern is surely tried in a short time on a text of this length. A group that is repeated may take
 * for ever, and so may many repetitions in a row.
 */
export function isQuickPattern(pattern: string, length: number): boolean {
  const bare = pattern.replace(/\\[^]/g, "a").replace(/\[[^\]]*\]/g, "a");
  const repeated = bare.match(/[*+]|\{\d*,/g)?.length ?? 0;
  if (/\)(?:[*+]|\{)/.test(bare)) {
    const choices = 2 + repeated + bare.split("|").length - 1;
    return choices ** length <= MAX_STEPS;
  }
  // Without a fixed start, it is tried from each character.
  const isFixed = bare.startsWith("^") && !bare.includes("|");
  return length ** (repeated + (isFixed ? 0 : 1)) <= MAX_STEPS;
}
