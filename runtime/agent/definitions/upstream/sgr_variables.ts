import type { PlainObject } from "./plain_tree.ts";

const PREFIX = "sgr__";
const SEPARATOR = "__";
/** The section whose fields are sections themselves: tools by name. */
const TOOLS = "tools";

/**
 * Returns what variables such as `SGR__LLM__MODEL` and `SGR__TOOLS__NAME__FIELD` say, as the sections of a configuration.
 * Case does not count. A file comes before them, field by field.
 */
export function sgrVariables(env: Readonly<Record<string, string>>): PlainObject {
  const said = Object.entries(env).flatMap(([name, value]) => {
    const words = name.toLowerCase();
    if (!words.startsWith(PREFIX) || value === "") return [];
    const path = words.slice(PREFIX.length).split(SEPARATOR);
    return path.includes("") ? [] : [{ path, value }];
  });
  // Deeper ones are lists and maps, which files alone hold.
  const sections = said.filter(({ path }) => path.length === 2 && path[0] !== TOOLS);
  const tools = said.filter(({ path }) => path.length === 3 && path[0] === TOOLS);
  return {
    ...grouped(sections),
    ...tools.length > 0 &&
      { [TOOLS]: grouped(tools.map(({ path, value }) => ({ path: path.slice(1), value }))) },
  };
}

/** Fields by the name of their section. */
function grouped(said: readonly { path: readonly string[]; value: string }[]): PlainObject {
  const sections = new Map<string, [string, string][]>();
  for (const { path: [section = "", field = ""], value } of said) {
    sections.set(section, [...sections.get(section) ?? [], [field, value]]);
  }
  return Object.fromEntries([...sections].map(([section, fields]) => [section, Object.fromEntries(fields)]));
}
