// What the documents of design-research-agents show, rewritten line by line: `Toolbox`, scripts, functions and servers.
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { type ScriptTool, Toolbox, type ToolboxOptions } from "../../../runtime/mod.ts";
import { boxTest } from "../../support/box.ts";
import { type Workspace, workspace } from "../../support/run_tool.ts";

const FIXTURES = join(import.meta.dirname!, "../../fixtures");

const RUBRIC_SCORE: ScriptTool = {
  name: "rubric_score",
  path: join(FIXTURES, "scripts/rubric_score.sh"),
  description: "Score text against a simple rubric.",
  input_schema: {
    type: "object",
    properties: { text: { type: "string" }, max_score: { type: "integer" } },
    required: ["text"],
    additionalProperties: false,
  },
  output_schema: { type: "object" },
  filesystem_write: true,
};

const LOCAL_CORE = {
  local_core: { command: "bash", args: [join(FIXTURES, "mcp/word_count_server.sh")], timeout: 20_000 },
};

const open = (ws: Workspace, options: ToolboxOptions) =>
  new Toolbox({ workspaceRoot: ws.path, config: false, ...options });

boxTest("multi-source tool usage: built-in tools, a script and a server in one toolbox", async () => {
  using ws = workspace();
  const sourceText = "Design review checklist: verify latch durability, reduce assembly time, " +
    "and keep maintenance steps field-serviceable.";
  const request = { requestId: "example-multi-source-tool-usage", dependencies: {} };
  await using runtime = open(ws, {
    enableCoreTools: true,
    scriptTools: [RUBRIC_SCORE],
    mcpServers: LOCAL_CORE,
  });
  const counts: Record<string, number> = { core: 0, script: 0, mcp: 0 };
  for (const spec of await runtime.listTools()) {
    if (spec.full_name.startsWith("script/")) counts.script!++;
    else if (spec.name.startsWith("mcp_local_core_")) counts.mcp!++;
    else counts.core!++;
  }
  const write = await runtime.invoke("Write", {
    path: "artifacts/examples/multi_source_tool_usage_input.txt",
    content: sourceText,
    overwrite: true,
  }, request);
  const scriptScore = await runtime.invokeDict(
    "script/rubric_score",
    { text: sourceText, max_score: 20 },
    request,
  );
  const coreStats = await runtime.invoke(
    "Bash",
    { command: "wc -w < artifacts/examples/multi_source_tool_usage_input.txt" },
    request,
  );
  const mcpStats = await runtime.invokeDict("mcp_local_core_word_count", { text: sourceText }, request);
  const scorePercent = Number(scriptScore.score) / Number(scriptScore.max_score) * 100;
  const report = {
    source_tool_counts: counts,
    script_score: scriptScore.score,
    script_max_score: scriptScore.max_score,
    mcp_word_count: mcpStats.word_count,
    score_percent: scorePercent,
  };
  const reportWrite = await runtime.invoke("Write", {
    path: "artifacts/examples/multi_source_tool_usage_report.json",
    content: `${JSON.stringify(report, null, 2)}\n`,
    overwrite: true,
  }, request);

  assertEquals([write.ok, reportWrite.ok], [true, true]);
  assertEquals([counts.script, counts.mcp], [1, 1]);
  assert(counts.core! > 20);
  assertStringIncludes(coreStats.text, "14");
  assertEquals(JSON.parse(ws.read("artifacts/examples/multi_source_tool_usage_report.json")), {
    source_tool_counts: counts,
    script_score: 2,
    script_max_score: 20,
    mcp_word_count: 14,
    score_percent: 10,
  });
  assertEquals(runtime.registry.sources.every(({ problem }) => problem === null), true);
});
