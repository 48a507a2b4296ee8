// What the documents of design-research-agents show, rewritten line by line: `Toolbox`, scripts, functions and servers.
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { type ScriptTool, Toolbox, type ToolboxOptions, ToolError } from "../../../runtime/mod.ts";
import { boxTest } from "../../support/box.ts";
import { workspace } from "../../support/run_tool.ts";

const FIXTURES = join(import.meta.dirname!, "../../fixtures");

const RUBRIC_SCORE: ScriptTool = {
  name: "rubric_score",
  path: join(FIXTURES, "scripts/rubric_score.sh"),
  description: "Score text against a simple rubric.",
  input_schema: {
    type: "object",
    properties: {
      text: { type: "string" },
      max_score: { type: "integer" },
    },
    required: ["text"],
    additionalProperties: false,
  },
  output_schema: { type: "object" },
  filesystem_write: true,
};

const LOCAL_CORE = {
  local_core: {
    command: "bash",
    args: [join(FIXTURES, "mcp/word_count_server.sh")],
    timeout: 20_000,
  },
};

const open = (ws: ReturnType<typeof workspace>, options: ToolboxOptions) =>
  new Toolbox({ workspaceRoot: ws.path, config: false, ...options });

boxTest("script tools: a toolbox lists and invokes one", async () => {
  using ws = workspace();
  const runtime = open(ws, {
    scriptTools: [{
      name: "rubric_score",
      path: join(FIXTURES, "scripts/rubric_score.sh"),
      description: "Score text with a simple rubric.",
      filesystem_write: true,
    }],
  });
  const names = (await runtime.listTools()).filter(({ toolset }) => toolset === "script").map((spec) =>
    spec.full_name
  );
  const result = await runtime.invoke("script/rubric_score", { text: "hello" }, {
    requestId: "docs-script",
    dependencies: {},
  });
  await runtime.close();
  assertEquals(names, ["script/rubric_score"]);
  assertEquals([result.ok, result.errorMessage], [true, null]);
  assertEquals(result.resultDict(), { score: 0, max_score: 10, cwd: ws.path });
  assertEquals(result.artifactPaths, [ws.at("artifacts/rubric_score/report.json")]);
});

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

boxTest("a server alone: its tools are listed and invoked", async () => {
  using ws = workspace();
  await using runtime = open(ws, { mcpServers: LOCAL_CORE, enableCoreTools: false });
  const mcpTools = (await runtime.listTools()).map((spec) => spec.name).toSorted();
  const directResult = await runtime.invoke("mcp_local_core_word_count", { text: "design research" }, {
    requestId: "example-mcp-minimal",
    dependencies: {},
  });
  assertEquals(mcpTools, ["mcp_local_core_word_count"]);
  assertEquals([directResult.ok, directResult.result], [true, { word_count: 2 }]);
});

boxTest("a quick scan of a repository, by a script that reads and writes it", async () => {
  using ws = workspace({ "README.md": "# Shop\n", "src/a.ts": "1;\n" });
  await using toolRuntime = open(ws, {
    enableCoreTools: false,
    scriptTools: [{
      name: "repo_quickscan",
      path: join(FIXTURES, "scripts/repo_quickscan.sh"),
      description: "Produce a quick repository inventory snapshot.",
      input_schema: {
        type: "object",
        properties: { include_hidden: { type: "boolean" } },
        additionalProperties: false,
      },
      output_schema: { type: "object" },
      filesystem_read: true,
      filesystem_write: true,
    }],
  });
  const result = await toolRuntime.invoke("repo_quickscan", { include_hidden: false });
  assertEquals([result.result, result.artifacts.map(({ name }) => name)], [{ line_count: 3 }, [
    "report.txt",
  ]]);
});

Deno.test("functions of the program as tools of a toolbox", async () => {
  using ws = workspace({ "README.md": "# Shop\n\nTea and hay.\n" });
  const history: { x: number; f_x: number }[] = [];
  let x = 3;
  const step = (direction: number) => (payload: unknown) => {
    const { step = 1 } = payload as { step?: number };
    x += direction * step;
    history.push({ x, f_x: x * x });
    return { x, f_x: x * x, history: [...history] };
  };
  const input = {
    type: "object",
    additionalProperties: false,
    properties: { step: { type: "number" } },
    required: [],
  };
  await using toolbox = open(ws, {
    sandbox: "off",
    enableCoreTools: false,
    callableTools: [
      {
        name: "optimizer_decrease_x",
        description: "Decrease x by step (default 1).",
        run: step(-1),
        input,
      },
      { name: "optimizer_increase_x", description: "Increase x by step (default 1).", run: step(1), input },
      {
        name: "repo_readme_snapshot",
        description: "Return README line-count and first heading.",
        run(_, { workspace }) {
          const lines = Deno.readTextFileSync(join(workspace, "README.md")).trimEnd().split("\n");
          return { line_count: lines.length, heading: lines.find((line) => line.startsWith("#")) };
        },
      },
      {
        name: "custom_scalar",
        description: "Return scalar",
        run: () => 7,
        output: { type: "integer" },
      },
    ],
  });
  await toolbox.invokeDict("optimizer_decrease_x", { step: 2 });
  const last = await toolbox.invokeDict("optimizer_increase_x", {});
  assertEquals([last.x, last.f_x, (last.history as unknown[]).length], [2, 4, 2]);
  assertEquals(await toolbox.invokeDict("repo_readme_snapshot"), { line_count: 3, heading: "# Shop" });
  const { message } = await assertRejects(() => toolbox.invokeDict("custom_scalar", {}), ToolError);
  assertStringIncludes(message, "not an object");
  assertEquals(toolbox.config.coreTools.enabled, false);
});

boxTest("a server that is dead takes neither scripts nor functions down", async () => {
  using ws = workspace();
  const warnings: string[] = [];
  await using toolbox = open(ws, {
    enableCoreTools: false,
    scriptTools: [RUBRIC_SCORE],
    callableTools: [{ name: "one", description: "Return one.", run: () => 1 }],
    mcpServers: { dead: { command: "bash", args: ["-c", "exit 3"] }, ...LOCAL_CORE },
    warn: (message) => void warnings.push(message),
  });
  assertEquals((await toolbox.invoke("one")).result, 1);
  assertEquals((await toolbox.invoke("rubric_score", { text: "a b c d e" })).resultDict().score, 1);
  assertEquals((await toolbox.invoke("mcp_local_core_word_count", { text: "a b" })).ok, true);
  assert(warnings.some((warning) => warning.includes("dead")), warnings.join("\n"));
});
