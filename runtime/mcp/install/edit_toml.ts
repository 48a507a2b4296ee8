/**
 * Sets a table of texts and lists of texts in a text of TOML: the table's own lines are replaced, or it is added at the
 * end; everything else stays as it is. The caller checks the outcome: a header within a long text looks like one.
 *
 * @param path The names of the table, the outermost first; each is plain letters, digits, `_` or `-`
 * @returns `null` if the outermost table stands in a line
 */
export function setInToml(
  text: string,
  path: readonly string[],
  table: Readonly<Record<string, string | readonly string[]>>,
): string | null {
  const name = path.join(".");
  // No table can be added to one that stands in a line.
  if (new RegExp(`^\\s*${path[0]}\\s*=`, "m").test(text)) return null;
  const added = [
    `[${name}]`,
    ...Object.entries(table).map(([key, value]) =>
      `${key} = ${typeof value === "string" ? quote(value) : list(value)}`
    ),
  ];
  const lines = text.split("\n");
  const place = placeOf(lines, name);
  if (place === null) {
    const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    return `${before}${text.trim() === "" ? "" : "\n"}${added.join("\n")}\n`;
  }
  return [...lines.slice(0, place.from), ...added, ...lines.slice(place.to)].join("\n");
}

/**
 * Takes a table with those below it out of a text of TOML; everything else stays as it is.
 *
 * @returns `null` if it has no lines of its own
 */
export function removeFromToml(text: string, path: readonly string[]): string | null {
  const lines = text.split("\n");
  const place = placeOf(lines, path.join("."));
  if (place === null) return null;
  const before = lines.slice(0, place.from);
  while (before.length > 0 && before.at(-1)!.trim() === "") before.pop();
  const after = lines.slice(place.to);
  return [...before, ...before.length === 0 && after[0]?.trim() === "" ? after.slice(1) : after].join("\n");
}

/** The lines of a table and of those below it. */
function placeOf(lines: readonly string[], name: string): { from: number; to: number } | null {
  const isOwn = (line: string) => {
    const header = headerOf(line);
    return header === name || (header?.startsWith(`${name}.`) ?? false);
  };
  const from = lines.findIndex(isOwn);
  if (from < 0) return null;
  let to = lines.findIndex((line, at) => at > from && headerOf(line) !== null && !isOwn(line));
  if (to < 0) to = lines.length;
  // Comments and empty lines before the next table belong to that one.
  while (to > from + 1 && /^\s*(?:#.*)?$/.test(lines[to - 1]!)) to--;
  return { from, to };
}

/** The name in the header of a table, without blanks and quotes; `null` for other lines. */
function headerOf(line: string): string | null {
  const [, name = null] = /^\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$/.exec(line) ?? [];
  return name?.replace(/[\s"']/g, "") ?? null;
}

/** JSON's texts are TOML's, but for one sign that JSON leaves as it is. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

function list(texts: readonly string[]): string {
  return `[${texts.map(quote).join(", ")}]`;
}
