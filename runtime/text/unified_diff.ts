/** Two texts compared, line by line. */
export interface LineDiff {
  added: number;
  removed: number;
  /** Hunks as `diff -u` writes them, without the two lines of file names; empty if the texts are the same. */
  hunks: string;
}

/** Lines around a change. */
const CONTEXT = 3;
/** Most steps of the search; then all that differs is one change. */
const MAX_STEPS = 1_000_000;

interface Line {
  sign: " " | "-" | "+";
  text: string;
}

/** Compares two texts. The time is bounded: texts that differ very much are told as one change. */
export function diffLines(before: string, after: string): LineDiff {
  const lines = linesBetween(splitLines(before), splitLines(after));
  const added = lines.filter(({ sign }) => sign === "+").length;
  const removed = lines.filter(({ sign }) => sign === "-").length;
  return { added, removed, hunks: hunksOf(lines) };
}

/** Each line keeps its end, so that a last line without one differs. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function linesBetween(old: readonly string[], now: readonly string[]): Line[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const left = () => Math.min(old.length, now.length) - start;
  while (end < left() && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const same = (text: string): Line => ({ sign: " ", text });
  return [
    ...old.slice(0, start).map(same),
    ...search(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** The greedy search of Myers: the furthest place on each diagonal after so many changes. */
function search(old: readonly string[], now: readonly string[]): Line[] {
  const most = old.length + now.length;
  const furthest = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  let steps = 0;
  for (let changes = 0; changes <= most; changes++) {
    trail.push(new Map(furthest));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = goesDown(furthest, diagonal, changes)
        ? furthest.get(diagonal + 1)!
        : furthest.get(diagonal - 1)! + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return walkBack(trail, old, now);
    }
    steps += changes * 2 + 1;
    // Each turn copies its places: the sum grows with the square.
    if (steps > MAX_STEPS) break;
  }
  return [
    ...old.map((text): Line => ({ sign: "-", text })),
    ...now.map((text): Line => ({ sign: "+", text })),
  ];
}

function goesDown(furthest: ReadonlyMap<number, number>, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && furthest.get(diagonal - 1)! < furthest.get(diagonal + 1)!;
}

function walkBack(
  trail: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  now: readonly string[],
): Line[] {
  const lines: Line[] = [];
  let [x, y] = [old.length, now.length];
  for (let changes = trail.length - 1; changes >= 0; changes--) {
    const furthest = trail[changes]!;
    const diagonal = x - y;
    const above = goesDown(furthest, diagonal, changes) ? diagonal + 1 : diagonal - 1;
    const fromX = changes === 0 ? 0 : furthest.get(above)!;
    const fromY = changes === 0 ? 0 : fromX - above;
    while (x > fromX && y > fromY) lines.push({ sign: " ", text: old[--x]! }), y--;
    if (changes === 0) break;
    if (x === fromX) lines.push({ sign: "+", text: now[--y]! });
    else lines.push({ sign: "-", text: old[--x]! });
  }
  return lines.reverse();
}

function hunksOf(lines: readonly Line[]): string {
  const changed = lines.flatMap(({ sign }, at) => sign === " " ? [] : [at]);
  const groups: [start: number, end: number][] = [];
  for (const at of changed) {
    const last = groups.at(-1);
    if (last && at - last[1] <= 2 * CONTEXT) last[1] = at;
    else groups.push([at, at]);
  }
  let [at, oldLine, newLine] = [0, 1, 1];
  return groups.map(([from, to]) => {
    const [start, end] = [Math.max(0, from - CONTEXT), Math.min(lines.length, to + CONTEXT + 1)];
    for (; at < start; at++) (oldLine++, newLine++);
    const hunk = lines.slice(start, end);
    const [removed, added] = [hunk.filter(isOld).length, hunk.filter(isNew).length];
    const head = `@@ -${range(oldLine, removed)} +${range(newLine, added)} @@\n`;
    [at, oldLine, newLine] = [end, oldLine + removed, newLine + added];
    return head + hunk.map(shown).join("");
  }).join("");
}

function isOld({ sign }: Line): boolean {
  return sign !== "+";
}

function isNew({ sign }: Line): boolean {
  return sign !== "-";
}

/** A range without lines begins at the line before it. */
function range(start: number, length: number): string {
  return length === 1 ? `${start}` : `${length === 0 ? start - 1 : start},${length}`;
}

function shown({ sign, text }: Line): string {
  return text.endsWith("\n") ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`;
}
