/** Counts what a reader does not give of a file. */
export interface LeftOut {
  /** @param what The singular, such as "picture" */
  add(what: string, count?: number): void;
  /** Returns a sentence with all numbers; none if nothing was left out. */
  notes(): string[];
}

/** Begins to count for one file. */
export function countLeftOut(): LeftOut {
  const counts = new Map<string, number>();
  return {
    add: (what, count = 1) => void counts.set(what, (counts.get(what) ?? 0) + count),
    notes() {
      const listed = [...counts].filter(([, count]) => count > 0).map(([what, count]) =>
        `${count} ${count === 1 ? what : plural(what)}`
      );
      return listed.length === 0 ? [] : [`Not in the text: ${listed.join(", ")}`];
    },
  };
}

function plural(what: string): string {
  return what.replace(/^(\w+)(?= of )|$/, (word) => `${word}s`);
}
