import type { PlainObject } from "./plain_tree.ts";

const PREFIX = "sgr__";
const SEPARATOR = "__";

/**
 * Returns what variables such as `SGR__LLM__MODEL` say, as the sections of a configuration. Case does not count. A file
 * comes before them, field by field.
 */
export function sgrVariables(env: Readonly<Record<string, string>>): PlainObject {
  const sections = new Map<string, [string, string][]>();
  for (const [name, value] of Object.entries(env)) {
    const words = name.toLowerCase();
    if (!words.startsWith(PREFIX) || value === "") continue;
    const [section = "", ...field] = words.slice(PREFIX.length).split(SEPARATOR);
    // Deeper ones are lists and maps, which files alone hold.
    if (section === "" || field.length !== 1 || field[0] === "") continue;
    sections.set(section, [...sections.get(section) ?? [], [field[0]!, value]]);
  }
  return Object.fromEntries([...sections].map(([section, fields]) => [section, Object.fromEntries(fields)]));
}
