// Writes tools/manifest.json from the tools' definitions; with --check, fails if the file is not up to date.
import type { JsonSchema, Manifest, ManifestEntry } from "../schemas/manifest.ts";
import { toSchema } from "../runtime/rooms/inside/to_schema.ts";
import type { ToolDefinition } from "../schemas/tool.ts";
import { describeTool } from "../runtime/text/tool_names.ts";
import { agentClasses, agents, fileAgents, manusAgents } from "../tools/agents/mod.ts";
import { commandExamples, foreignCommands } from "../tools/examples.ts";
import { DEFAULT_TOOLSET, loaders } from "../tools/mod.ts";

const FILE = new URL("../tools/manifest.json", import.meta.url);
const MARK = "\u{2063}message\u{2063}";

const manifest: Manifest = {
  version: 1,
  default_toolset: DEFAULT_TOOLSET,
  tools: [],
  command_examples: commandExamples,
  foreign_commands: foreignCommands,
  agents,
  agent_classes: agentClasses,
  file_agents: fileAgents,
  manus_agents: manusAgents,
};
const tools: [string, ToolDefinition][] = [];
for (const [fullName, load] of Object.entries(loaders)) {
  tools.push([fullName, (await load()).default as ToolDefinition]);
}
manifest.tools.push(...tools.map(([fullName, tool]) => describe(fullName, tool)));
const text = `${JSON.stringify(manifest, null, 2)}\n`;
if (Deno.args.includes("--check")) {
  if (await Deno.readTextFile(FILE) !== text) {
    throw new Error("tools/manifest.json is out of date: run deno task manifest");
  }
} else {
  await Deno.writeTextFile(FILE, text);
}

function describe(fullName: string, tool: ToolDefinition): ManifestEntry {
  const [toolset = "", name = ""] = fullName.split("/");
  if (tool.name !== name) throw new Error(`${fullName} calls itself ${tool.name}`);
  const named = (other: string) => tools.some(([name]) => name === `${toolset}/${other}`) ? other : null;
  const offered = (other: string) =>
    tools.some(([name, { optional }]) => name === `${toolset}/${other}` && !optional) ? other : null;
  const longest = describeTool(tool.description, tool.seeAlso ?? [], named);
  if (longest.length >= 1024) {
    throw new Error(`${fullName}: description of ${longest.length} characters`);
  }
  return {
    full_name: fullName,
    toolset,
    name,
    description: describeTool(tool.description, tool.seeAlso ?? [], offered),
    description_start: tool.description,
    see_also: tool.seeAlso ?? [],
    needs: tool.needs,
    read_only: tool.readOnly,
    ...tool.idempotent && { idempotent: true as const },
    parallel: tool.parallel,
    killable: tool.killable ?? false,
    threads: tool.threads ?? 0,
    optional: tool.optional ?? false,
    error_lead: errorLead(tool),
    leaves_files: tool.leavesFiles ?? false,
    asks: tool.asks ?? false,
    asks_model: tool.asksModel ?? false,
    interprets: tool.interprets ?? false,
    ...tool.stepPart && { step_part: tool.stepPart },
    ends_run: tool.endsRun ?? null,
    ...tool.keepsPlans && { keeps_plans: tool.keepsPlans },
    ...tool.keepsSources && { keeps_sources: tool.keepsSources },
    ...tool.cutsLong && { cuts_long: true as const },
    settings: tool.settings ?? [],
    secrets: tool.secrets ?? [],
    outside: tool.outside ?? false,
    limits: {
      timeout_ms: tool.limits.timeoutMs === "none" ? null : tool.limits.timeoutMs,
      concurrency: tool.limits.concurrency ?? null,
    },
    permission: tool.permission ?? "allow",
    trial: (tool.trial as JsonSchema | undefined) ?? null,
    examples: tool.examples ?? [],
    prompt_hints: tool.promptHints ?? [],
    reads_on: tool.readsOn ?? null,
    ...tool.shows && { shows: tool.shows },
    paths: tool.paths ?? [],
    typed_argument: tool.typedArgument ?? null,
    input_schema: toSchema(tool.input, "input"),
    output_schema: toSchema(tool.output, "output"),
  };
}

/** Returns what the tool puts before any message; it asks the tool to word one. */
function errorLead(tool: ToolDefinition): string {
  const info = { code: "internal", message: MARK, retryable: false, details: {} } as const;
  return tool.errorText?.(info).split(MARK)[0] ?? "";
}
