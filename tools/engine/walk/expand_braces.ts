import { endOfClass } from "./wildcard.ts";

/**
 * Expands `{a,b}` as a shell does: nested, and also across `/`. Braces without a comma stay as they are.
 *
 * @param limit Most alternatives
 * @returns The alternatives, or `null` if there would be more than `limit`
 */
export function expandBraces(pattern: string, limit: number): string[] | null {
  const group = findGroup(pattern);
  if (!group) return [pattern];
  const rest = expandBraces(pattern.slice(group.close + 1), limit);
  if (!rest) return null;
  const heads: string[] = [];
  for (const choice of group.choices) {
    const expanded = expandBraces(choice, limit);
    if (!expanded) return null;
    heads.push(...expanded);
    if (heads.length * rest.length > limit) return null;
  }
  const before = pattern.slice(0, group.open);
  return heads.flatMap((head) => rest.map((tail) => before + head + tail));
}

interface Group {
  open: number;
  close: number;
  choices: string[];
}

/**
 * Finds the first outermost pair of braces that holds a comma of its own. One pass: each `{` waits for its
 * `}`.
 */
function findGroup(pattern: string): Group | null {
  const waiting: { open: number; commas: number[] }[] = [];
  let found: Group | null = null;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "[") at = Math.max(at, endOfClass(pattern, at));
    else if (char === "{") waiting.push({ open: at, commas: [] });
    else if (char === ",") waiting.at(-1)?.commas.push(at);
    else if (char === "}") {
      const { open, commas } = waiting.pop() ?? { open: at, commas: [] };
      const outer = !found || open < found.open;
      if (commas.length > 0 && outer) {
        found = { open, close: at, choices: split(pattern, [open, ...commas, at]) };
      }
      if (found && waiting.length === 0) return found;
    }
  }
  return found;
}

function split(pattern: string, bounds: readonly number[]): string[] {
  return bounds.slice(1).map((bound, index) => pattern.slice(bounds[index]! + 1, bound));
}
