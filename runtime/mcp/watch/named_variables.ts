import { readSettingsText } from "../../walls/files/open_plain.ts";

/** Most bytes of one file, and most files, that are looked through. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_FILES = 3_000;

/**
 * Returns the variables whose names stand in one of these files: what reads a variable by its name has the name in it.
 * Needs `read`.
 */
export function namedVariables(files: readonly string[], names: readonly string[]): string[] {
  const left = new Set(names.filter((name) => name.length > 2));
  for (const file of files.slice(0, MOST_FILES)) {
    const text = textOf(file);
    for (const name of left) {
      if (new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`).test(text)) left.delete(name);
    }
    if (left.size === 0) break;
  }
  return names.filter((name) => name.length > 2 && !left.has(name));
}

function textOf(path: string): string {
  return readSettingsText(path, { maxBytes: MOST_BYTES }) ?? "";
}
