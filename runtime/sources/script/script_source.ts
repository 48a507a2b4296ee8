import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { ScriptTool } from "../../../schemas/config.ts";
import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import { SchemaChecker } from "../../calls/json_schema/schema_checker.ts";
import { programFiles } from "../../programs/box/program_view.ts";
import { interpreterWords } from "../../programs/box/only_programs.ts";
import { narrowToNeeds, type ProgramNeeds } from "../../programs/narrow/program_needs.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { MakeSource, NamedScript, SourceHost } from "../source.ts";
import { readScript } from "./describe_script.ts";
import { scriptFiles } from "./script_files.ts";
import { scriptCarrier } from "./script_carrier.ts";
import { wordsOfScript } from "./words_of_script.ts";
import { takeSchemas } from "./script_schemas.ts";

/**
 * Makes a source of scripts. Each call of one starts a program that may touch what the script says, of what the run is
 * granted.
 */
export function scriptSource(scripts: readonly NamedScript[]): MakeSource {
  return (host) => {
    const checker = new SchemaChecker();
    return {
      name: "the scripts",
      isRequired: true,
      async load() {
        const read = scripts.map((given) => ({ given, ...readOrWarn(given, host) }));
        const described = read.flatMap(({ given, tool, script }) =>
          tool && script ? [{ given, tool, script }] : []
        );
        refuseTwice(described);
        const loaded = await Promise.all(described.map((one) => loadOrWarn(one, { host, checker })));
        return loaded.flat();
      },
      [Symbol.asyncDispose]() {
        checker[Symbol.dispose]();
        return Promise.resolve();
      },
    };
  };
}

/** A script that was understood. */
interface Described {
  given: NamedScript;
  tool: ManifestEntry;
  script: ScriptTool;
}

function readOrWarn(
  { said, at, isRequired }: NamedScript,
  { warn }: SourceHost,
): Partial<Pick<Described, "tool" | "script">> {
  const read = readScript(said, at);
  if ("tool" in read) return read;
  const problems = read.problems.map(onOneLine);
  if (isRequired) throw new ToolError("invalid_input", problems.join("; "), { details: { problems } });
  warn(`${at}: ${problems.join("; ")}`, { leftOut: true });
  return {};
}

function refuseTwice(described: readonly Described[]): void {
  for (const [at, { tool, script: { path }, given }] of described.entries()) {
    const first = described.slice(0, at).find((other) => other.tool.full_name === tool.full_name);
    if (first === undefined) continue;
    const sources = [`${first.script.path} (${first.given.at})`, `${path} (${given.at})`];
    throw new ToolError(
      "configuration",
      `Two tools are named ${tool.full_name}, one is ${sources.join(", one is ")}: rename one of them`,
      { details: { tool: tool.full_name, sources } },
    );
  }
}

/** A script that cannot be used does not take its neighbours down. */
async function loadOrWarn(
  described: Described,
  parts: { host: SourceHost; checker: SchemaChecker },
): Promise<CatalogEntry[]> {
  try {
    return [await loadScript(described, parts)];
  } catch (error) {
    if (described.given.isRequired || !(error instanceof ToolError)) throw error;
    parts.host.warn(error.message, { leftOut: true });
    return [];
  }
}

async function loadScript(
  { given, tool, script }: Described,
  { host, checker }: { host: SourceHost; checker: SchemaChecker },
): Promise<CatalogEntry> {
  const { machine: { grants, home, maxCallMs }, programsFor, warn } = host;
  const { path, files } = scriptFiles(given, home);
  if (realOrNull(path) === null) {
    warn(`${tool.full_name}: there is no file "${path}" (${given.at}); its calls fail until there is one`);
  }
  const schemas = await takeSchemas(checker, tool);
  const own = [...wordsOfScript(script, path).slice(0, -1).slice(0, 1), ...interpreterWords(path)];
  const needs = needsOf(script, { workspace: grants.workspace, show: [path, ...files], own });
  const carrier = scriptCarrier({
    ...{ script, path, schemas, maxCallMs, mask: host.gate.maskOf(tool) },
    programs: programsFor(needs),
    files: programFiles(narrowToNeeds(grants, needs), home),
  });
  return { tool, carrier };
}

function needsOf(
  { filesystem_read, filesystem_write, network = false, commands }: ScriptTool,
  { workspace, show, own }: { workspace: string; show: readonly string[]; own: readonly string[] },
): ProgramNeeds {
  return {
    ...((filesystem_read || filesystem_write) && { read: [workspace] }),
    ...(filesystem_write && { write: [workspace] }),
    ...(network !== false && { net: network }),
    ...(commands && { commands: [...own, ...commands] }),
    show,
  };
}
