/** Longest word that is compared; a longer one is not a typing mistake. */
const MAX_LENGTH = 64;

/**
 * Returns the names that a mistyped word most likely means, best first. Case does not count, a beginning of a name
 * counts as near, and a name such as `set/tool` is also compared by its last part.
 *
 * @param options.max How many names to return. @default 3
 */
export function nearest(word: string, names: Iterable<string>, options: { max?: number } = {}): string[] {
  const { max = 3 } = options;
  const wanted = word.toLowerCase();
  if (wanted.length < 2 || wanted.length > MAX_LENGTH) return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const scored = [...new Set(names)]
    .map((name) => ({ name, score: scoreOf(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.score - b.score || a.name.length - b.name.length);
  const best = scored[0]?.score ?? Infinity;
  // A far name beside a near one does not help.
  return scored
    .filter(({ score }) => score <= Math.min(limit, best + 1))
    .slice(0, max)
    .map(({ name }) => name);
}

/**
 * Returns the names as the end of a message: `, did you mean "a" or "b"?`, or an empty text without names.
 */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return "";
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  return `, did you mean ${quoted.length > 0 ? `${quoted.join(", ")} or ${last}` : last}?`;
}

/** Returns the names that a word most likely means: those nearly like it, else those that have a word in common with it. */
export function likelyMeant(key: string, names: readonly string[]): string[] {
  const near = nearest(key, names, { max: 1 });
  return near.length > 0 ? near : names.filter((name) => sharesWord(key, name)).slice(0, 1);
}

/** Says whether names have a word in common, as `file_path`, `filePath` and `path` do. */
export function sharesWord(a: string, b: string): boolean {
  const words = (name: string) => name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z\d]+/);
  const known = new Set(words(b));
  return words(a).some((word) => word !== "" && known.has(word));
}

function scoreOf(wanted: string, name: string): number {
  const bare = name.slice(name.lastIndexOf("/") + 1);
  const score = Math.min(distance(wanted, name), distance(wanted, bare));
  const begins = wanted.length >= 3 && (name.startsWith(wanted) || bare.startsWith(wanted));
  return begins ? Math.min(score, 1) : score;
}

/** Damerau-Levenshtein distance where no piece is edited twice (optimal string alignment). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_LENGTH) return Infinity;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(changed, above[column]! + 1, line[column - 1]! + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, before[column - 2]! + 1);
      }
      line.push(best);
    }
    before = above;
    above = line;
  }
  return above[b.length]!;
}
