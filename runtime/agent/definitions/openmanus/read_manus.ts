import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../../schemas/nearest.ts";
import { SYSTEMS } from "../../../coming/systems.ts";
import { FileFields, wrong } from "../upstream/fields.ts";
import { isList, isPlainObject, type PlainObject, type PlainValue } from "../upstream/plain_tree.ts";
import { readModel } from "../upstream/read_model.ts";
import type { FileAgent, FileExtras } from "../upstream/read_upstream.ts";

/** Fields of that system's configuration, as `[section] field`, and those of them that count here. */
const FIELDS = (SYSTEMS.manus.words.file ?? []).filter(({ theirs }) => theirs.startsWith("["));
const KNOWN = FIELDS.map(({ theirs }) => theirs);
const READ = FIELDS.filter(({ works }) => works).map(({ theirs }) => theirs);
const ENGINES = "BULKHEAD_SEARCH_ENGINES";

/** What the file is read with. */
export interface ManusPlaces {
  manifest: Pick<Manifest, "agents" | "manus_agents">;
  warn(message: string): void;
}

/**
 * Reads `config.toml` of OpenManus: its model and its engines of searches, for each of its agents. What is said of
 * anything else is told by name.
 *
 * @throws {ToolError} `configuration` for a section or a field that it does not have there, with the nearest one, and for
 * a wrong value
 */
export function readManus(document: PlainValue, { manifest, warn }: ManusPlaces): Map<string, FileAgent> {
  if (!isPlainObject(document)) throw wrong("the file", "hold sections, such as [llm]");
  const unread = checkFields(document);
  if (unread.length > 0) {
    warn(`not read here: ${unread.join(", ")}; bulkhead help manus says what stands for each`);
  }
  const { llm, search } = document;
  const own = Object.entries(isPlainObject(llm) ? llm : {}).filter(([name]) =>
    READ.includes(`[llm] ${name}`)
  );
  const { model, apiKey } = readModel(Object.fromEntries(own), "config", warn);
  const extras: FileExtras = {
    ...{ apiKey, servers: {}, mcpContextLimit: null, tools: { renamed: {}, own: [] } },
    variables: enginesOf(new FileFields(search, "search")),
  };
  return new Map(manifest.manus_agents.map((name) => {
    const definition = { ...manifest.agents[name], model };
    return [name, { definition, extras, warnings: [], problem: null }];
  }));
}

/** @returns The fields that say something and are not read */
function checkFields(document: PlainObject): string[] {
  return Object.entries(document).flatMap(([section, said]) => {
    if (!KNOWN.some((known) => known.startsWith(`[${section}]`))) {
      const sections = [...new Set(KNOWN.map((known) => known.slice(1).split(/[.\]]/, 1)[0]!))];
      throw unknown(`section [${section}]`, section, sections);
    }
    if (!isPlainObject(said)) throw wrong(`[${section}]`, "be a section");
    return Object.entries(said).flatMap(([name, value]) => {
      if (section === "llm" && isPlainObject(value)) return [`[llm.${name}]`];
      const field = `[${section}] ${name}`;
      if (!KNOWN.includes(field)) throw unknown(`field ${field}`, field, KNOWN);
      const isEmpty = value === "" || value === false || (isList(value) && value.length === 0);
      return READ.includes(field) || isEmpty ? [] : [field];
    });
  });
}

function unknown(what: string, word: string, known: readonly string[]): ToolError {
  const hint = didYouMean(nearest(word, known, { max: 1 })).replace(/\?$/, "");
  return new ToolError(
    "configuration",
    `OpenManus has no ${what}${hint}; bulkhead help manus lists what it has`,
  );
}

/** The engine that is asked first, and those after it. */
function enginesOf(search: FileFields): Record<string, string> {
  const first = search.text("engine");
  const others = search.list("fallback_engines") ?? [];
  if (!others.every((one) => typeof one === "string")) {
    throw wrong("search.fallback_engines", "be a list of texts");
  }
  const engines = [...first === undefined ? [] : [first], ...others].map((one) => String(one).toLowerCase());
  return engines.length === 0 ? {} : { [ENGINES]: [...new Set(engines)].join(",") };
}
