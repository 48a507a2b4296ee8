import { wrong } from "./fields.ts";
import { isPlainObject, type PlainObject, type PlainValue } from "./plain_tree.ts";

/** The sections of which an agent may have its own; each field of its own takes the place of the same one of the file. */
export const SHARED = ["llm", "search", "execution", "prompts", "mcp"] as const;

/** The sections of a file, or of an agent in it. */
export type Sections = Readonly<Record<typeof SHARED[number], PlainObject>>;

/** What earlier versions called the sections. */
const EARLIER: Readonly<Record<string, typeof SHARED[number]>> = {
  openai: "llm",
  tavily: "search",
  scraping: "search",
  context: "execution",
};

/** What earlier versions called the fields of these sections. */
const EARLIER_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tavily: { api_key: "tavily_api_key", api_base_url: "tavily_api_base_url" },
};

/** Fields of sections that mean nothing any more. */
const FORGOTTEN: Readonly<Record<string, readonly string[]>> = {
  scraping: ["enabled", "max_pages"],
  search: ["max_pages"],
};

/** The names of all sections, today's and earlier ones. */
export const SECTION_NAMES: readonly string[] = [...SHARED, ...Object.keys(EARLIER)];

/**
 * Returns the sections of a file or an agent, those of earlier versions under today's names. Where both stand, today's
 * count.
 *
 * @throws {ToolError} `configuration` for a section that is no mapping
 */
export function sectionsIn(holder: PlainObject): Sections {
  const under = (name: typeof SHARED[number]): PlainObject => {
    const earlier = Object.keys(EARLIER).filter((word) => EARLIER[word] === name);
    const fields = [...earlier, name].flatMap((word) => Object.entries(translated(holder, word)));
    return Object.fromEntries(fields);
  };
  const sections = Object.fromEntries(SHARED.map((name) => [name, under(name)])) as unknown as Sections;
  return withServers(sections);
}

/** Earlier, the servers stood a level lower, and the bound of their texts beside them. */
function withServers(sections: Sections): Sections {
  const { transport_config, context_limit, ...mcp } = sections.mcp;
  if (transport_config !== undefined && !isPlainObject(transport_config)) {
    throw wrong("mcp.transport_config", "be a mapping");
  }
  return {
    ...sections,
    execution: {
      ...context_limit !== undefined && { mcp_context_limit: context_limit },
      ...sections.execution,
    },
    mcp: { ...transport_config, ...mcp },
  };
}

/** Returns sections with those of another holder, whose fields count first. */
export function overlaid(sections: Sections, own: Sections): Sections {
  const said = Object.keys(own.prompts).map(promptOf);
  const prompts = Object.entries(sections.prompts).filter(([field]) => !said.includes(promptOf(field)));
  const usual = { ...sections, prompts: Object.fromEntries(prompts) };
  return Object.fromEntries(
    SHARED.map((name) => [name, { ...usual[name], ...own[name] }]),
  ) as unknown as Sections;
}

/** A prompt is a text or a file. */
function promptOf(field: string): string {
  return field.replace(/_(?:file|str)$/, "");
}

function translated(holder: PlainObject, word: string): PlainObject {
  const names = EARLIER_FIELDS[word] ?? {};
  const forgotten = FORGOTTEN[word] ?? [];
  return Object.fromEntries(
    Object.entries(section(holder, word))
      .filter(([field]) => !forgotten.includes(field))
      .map(([field, value]) => [names[field] ?? field, value]),
  );
}

/** What is said of nothing is left out, so that it hides nothing. */
function section(holder: PlainObject, name: string): PlainObject {
  const value: PlainValue | undefined = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (!isPlainObject(value)) {
    if (value === undefined || value === null) return {};
    throw wrong(name, "be a mapping");
  }
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== ""));
}
