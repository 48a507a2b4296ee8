/** A part of a profile: a word, a text in quotes, or a list. */
type Part = string | { text: string } | Part[];

/** What a profile says. */
export interface ReadProfile {
  /** Its rules, each with its verb, its operations, and its filters as a word and a text. */
  rules: readonly { verb: string; operations: string[]; filters: { kind: string; text: string }[] }[];
  /** The verb of the last rule that fits, as the system decides. */
  decide(operation: string, path: string): string;
}

/** Reads a profile of Seatbelt as the system does. Throws at a text or a list that does not end. */
export function readProfile(profile: string): ReadProfile {
  const rules = partsOf(profile).filter(Array.isArray).filter(([verb]) => verb !== "version").map((list) => {
    const [verb, ...rest] = list;
    const filters = rest.filter(Array.isArray).map(([kind, value]) => ({
      kind: String(kind),
      text: typeof value === "object" && "text" in value ? value.text : String(value),
    }));
    return { verb: String(verb), operations: rest.filter((part) => typeof part === "string"), filters };
  });
  return {
    rules,
    decide: (operation, path) =>
      rules.findLast(({ operations, filters }) =>
        operations.some((name) => fits(name, operation)) &&
        (filters.length === 0 || filters.some((filter) => covers(filter, path)))
      )?.verb ?? "deny",
  };
}

function fits(name: string, operation: string): boolean {
  return name === "default" || name === operation ||
    (name.endsWith("*") && operation.startsWith(name.slice(0, -1)));
}

function covers({ kind, text }: { kind: string; text: string }, path: string): boolean {
  return text === path || (kind === "subpath" && path.startsWith(text === "/" ? "/" : `${text}/`));
}

const TOKEN = /\s+|;[^\n]*|(\()|(\))|"((?:[^"\\]|\\[^])*)"|([^\s()"]+)/y;

function partsOf(profile: string): Part[] {
  const open: Part[][] = [[]];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < profile.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(profile);
    if (token === null) throw new Error(`This is no profile: ${profile.slice(at, at + 40)}`);
    const [, begin, end, text, word] = token;
    if (begin) open.push([]);
    else if (end) {
      const list = open.pop()!;
      if (open.length === 0) throw new Error("A list ends that did not begin");
      open.at(-1)!.push(list);
    } else if (text !== undefined) open.at(-1)!.push({ text: unescaped(text) });
    else if (word !== undefined) open.at(-1)!.push(word);
  }
  if (open.length !== 1) throw new Error("A list does not end");
  return open[0]!;
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|([^]))/g,
    (_, hex, char) => hex ? String.fromCharCode(parseInt(hex, 16)) : char,
  );
}
