import type { AgentSearch } from "../../../../schemas/step/agent_definition.ts";
import { FileFields } from "./fields.ts";
import type { PlainObject } from "./plain_tree.ts";
import type { ToolItem } from "./tool_items.ts";

/** What an agent's tools are told, and the keys of their services. */
export interface FileToolSettings {
  search: AgentSearch;
  /** Variables in the place of those of the environment. */
  variables: Readonly<Record<string, string>>;
}

/** The service of searches unless another one is named. */
const USUAL_ENGINE = "tavily";
/** The address of that service, which files write out. */
const USUAL_ADDRESS = "https://api.tavily.com";
/** What stands behind the address of a service where a file names all of it, as that system does. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  BRAVE: "/res/v1/web/search",
  PERPLEXITY: "/search",
  SERPLY: "/v1/search",
};

/**
 * Reads the settings of tools: of the section `search`, and of each tool, which count first.
 *
 * @param execution It had the number of searches in earlier versions
 */
export function readToolSettings(
  { search, execution }: { search: PlainObject; execution: FileFields },
  items: readonly ToolItem[],
  warn: (message: string) => void,
): FileToolSettings {
  const earlier = execution.number("max_searches", { least: 0, whole: true });
  const all = [
    readSearch(new FileFields(search, "search"), warn),
    ...items.map(({ entry, settings }) =>
      readSearch(new FileFields(settings, `tools.${entry.name}`), warn, entry.settings)
    ),
  ];
  return {
    search: {
      ...earlier !== undefined && { max_searches: earlier },
      ...joined(all.map((one) => one.search)),
    },
    variables: joined(all.map((one) => one.variables)),
  };
}

/** @param declared Variables that the tool itself knows */
function readSearch(
  fields: FileFields,
  warn: (message: string) => void,
  declared: readonly string[] = [],
): FileToolSettings {
  const engine = fields.text("engine");
  const count = (name: string, least: number) => fields.number(name, { least, whole: true });
  const [max_results, max_searches, content_limit] = [
    count("max_results", 1),
    count("max_searches", 0),
    count("content_limit", 1),
  ];
  const service = (engine ?? USUAL_ENGINE).toUpperCase();
  const variables = {
    ...keyed("TAVILY", fields.text("tavily_api_key"), fields.text("tavily_api_base_url")),
    ...keyed(service, fields.text("api_key"), fields.text("api_base_url")),
    ...ownVariables(fields, declared, warn),
  };
  return {
    search: {
      ...engine !== undefined && { engine },
      ...max_results !== undefined && { max_results },
      ...max_searches !== undefined && { max_searches },
      ...content_limit !== undefined && { content_limit },
    },
    variables,
  };
}

/** The variables of a service's key and address. */
function keyed(
  service: string,
  key: string | undefined,
  address: string | undefined,
): Record<string, string> {
  return {
    ...key !== undefined && !isPlaceholder(key) && { [`${service}_API_KEY`]: key },
    ...address !== undefined && address !== USUAL_ADDRESS &&
      { [`${service}_BASE_URL`]: baseOf(address, ENDPOINTS[service]) },
  };
}

function baseOf(address: string, endpoint: string | undefined): string {
  const plain = address.replace(/\/+$/, "");
  return endpoint !== undefined && plain.endsWith(endpoint) ? plain.slice(0, -endpoint.length) : address;
}

/** A setting of another kind counts if the tool declares the variable for it. */
function ownVariables(
  fields: FileFields,
  declared: readonly string[],
  warn: (message: string) => void,
): Record<string, string> {
  const own: Record<string, string> = {};
  for (const name of fields.unread) {
    const variable = declared.find((word) =>
      word.startsWith("SGR__") && word.endsWith(`__${name.toUpperCase()}`)
    );
    const value = fields.value(name);
    if (variable === undefined) warn(`${fields.at}.${name} is not known here`);
    else if (value !== undefined) own[variable] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return own;
}

function joined<T extends object>(all: readonly T[]): T {
  return Object.fromEntries(all.flatMap((one) => Object.entries(one))) as T;
}

/** Says whether a key is what an example has in its place. */
export function isPlaceholder(key: string): boolean {
  return /^(?:your[-_ ].*|.*[-_ ]here|_+|.*\.{3}|<.*>)$/i.test(key.trim());
}
