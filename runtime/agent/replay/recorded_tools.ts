import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { AddedTool } from "../../../schemas/agent/trace.ts";
import type { Carrier } from "../../calls/catalog/carrier.ts";
import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import type { OfferedTool } from "../../calls/catalog/choose_tools.ts";
import { failedResult } from "../../calls/failed_result.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import type { FindAdded } from "../tool_search/model_tools.ts";
import type { Replay } from "./replay.ts";

/** Names that models and permissions take. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const FULL_NAME = /^([a-z][a-z0-9_-]{0,63})\/([A-Za-z0-9_-]{1,64})$/;

/** Finds the tool that a source has added in this very run, by its full name. */
export type FindLive = (fullName: string) => CatalogEntry | undefined;

/**
 * Returns recorded tools as they were offered. Their calls reach what a source has added in this run, if it describes that
 * as it was recorded, and nothing else. A tool with a name that no model could have called is left out.
 */
export function recordedTools(added: readonly AddedTool[], findLive: FindLive): OfferedTool[] {
  return added.flatMap((tool) => {
    const [, toolset, bare] = FULL_NAME.exec(tool.full_name) ?? [];
    if (toolset === undefined || bare === undefined || !NAME.test(tool.name)) return [];
    return [{ entry: entryOf(tool, { toolset, name: bare }, findLive), name: tool.name }];
  });
}

function entryOf(
  tool: AddedTool,
  names: Pick<ManifestEntry, "toolset" | "name">,
  findLive: FindLive,
): CatalogEntry {
  const { full_name, description, parameters, parallel, read_only } = tool;
  return {
    tool: {
      ...{ full_name, ...names, description, description_start: description, see_also: [] },
      ...{ needs: {}, read_only, parallel, killable: false, threads: 0, optional: false, error_lead: "" },
      ...{ leaves_files: false, asks: false, asks_model: false, interprets: false },
      ...{ ends_run: null, settings: [], secrets: [] },
      ...{ outside: true, limits: { timeout_ms: null, concurrency: null }, permission: "allow" },
      ...{ trial: null, examples: [], prompt_hints: [], reads_on: null, paths: [], typed_argument: null },
      ...{ input_schema: parameters, output_schema: {} },
    },
    carrier: recordedCarrier(tool, findLive),
  };
}

function recordedCarrier(recorded: AddedTool, findLive: FindLive): Carrier {
  const facts = { targets: [], analyses: [], programs: [], connections: [] };
  return {
    startsOwn: true,
    async call(tool, input, options) {
      const live = findLive(recorded.full_name);
      const problem = problemOf(recorded, live);
      if (problem !== null) return { result: failedResult(tool, problem.toInfo()), facts };
      return await live!.carrier.call(live!.tool, input, options);
    },
    explain: () => Promise.resolve({ targets: [], analyses: [], warnings: [], preview: null, error: null }),
  };
}

function problemOf({ full_name, ...then }: AddedTool, live: CatalogEntry | undefined): ToolError | null {
  if (live === undefined) {
    return new ToolError("unavailable", `${full_name} was added by a source, and was not added in this run`);
  }
  const { description, input_schema: { $schema: _, ...parameters } } = live.tool;
  const isSame = description === then.description &&
    canonicalJson(parameters) === canonicalJson(then.parameters);
  return isSame ? null : new ToolError("conflict", `${full_name} is not described as it was recorded`);
}

/** A replay offers what was added when the recording says so, and runs it only if it was added here too. */
export function findRecorded(replay: Pick<Replay, "toolsOfNow">, findAdded: FindAdded): FindAdded {
  const live = new Map<string, CatalogEntry>();
  return async (signal) => {
    for (const { entry } of await findAdded(signal)) live.set(entry.tool.full_name, entry);
    return recordedTools(replay.toolsOfNow(), (fullName) => live.get(fullName));
  };
}
