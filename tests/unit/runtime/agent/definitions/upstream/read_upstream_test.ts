import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

import type { Manifest } from "../../../../../../schemas/manifest.ts";
import { readAgentsFile } from "../../../../../../runtime/agent/definitions/read_agents_file.ts";
import manifestJson from "../../../../../../tools/manifest.json" with { type: "json" };

const manifest = manifestJson as unknown as Manifest;
const FILES = fromFileUrl(new URL("../../../../../fixtures/agents", import.meta.url));
const SEARCH = ["web_search_tool", "extract_page_content_tool"];
const RESEARCH = [...SEARCH, "create_report_tool", "final_answer_tool"];
const PLANS = ["clarification_tool", "generate_plan_tool", "adapt_plan_tool"];

async function read(file: string, env: Record<string, string> = {}) {
  const { agents, warnings } = await readAgentsFile(file, { cwd: FILES, env, manifest });
  return { agents, warnings: warnings.map(plain) };
}

/** A warning without what all have. */
function plain(warning: string): string {
  return warning.replace(/^agents "[^"]*": /, "").replace(/^agents\./, "");
}

/** What each agent of each form became: its kind, its tools, its limits of steps, answers and searches. */
const FORMS: Readonly<Record<string, Record<string, [string, string[], [number, number, number]]>>> = {
  "first_config.yaml": {
    sgr_agent: ["sgr", [...RESEARCH, ...PLANS], [6, 3, 4]],
    tool_calling_agent: ["tools", [...RESEARCH, ...PLANS], [6, 3, 4]],
    sgr_tool_calling_agent: ["sgr-tools", ["reasoning_tool", ...RESEARCH, ...PLANS], [6, 3, 4]],
  },
  "listed_agents.yaml": {
    careful_reader: ["sgr", [...RESEARCH, ...PLANS], [15, 5, 6]],
    plain: ["tools", ["web_search_tool", "final_answer_tool"], [10, 3, 4]],
    fast: ["sgr-tools", ["reasoning_tool", ...RESEARCH], [10, 3, 4]],
    auto: ["sgr-tools", ["reasoning_tool", ...RESEARCH], [10, 3, 4]],
    calling: ["tools", RESEARCH, [10, 3, 4]],
    structured: ["sgr-tools", ["reasoning_tool", ...RESEARCH], [10, 3, 4]],
  },
  "agents_by_name.yaml": {
    reader: ["sgr", [...RESEARCH, ...PLANS], [15, 5, 6]],
    small: ["sgr-tools", ["reasoning_tool", "web_search_tool", "final_answer_tool"], [10, 3, 4]],
    earlier_core: ["sgr", ["final_answer_tool"], [10, 3, 4]],
    analyst: ["sgr", ["final_answer_tool"], [20, 3, 4]],
    own_texts: ["sgr", RESEARCH, [10, 3, 4]],
  },
  "search_section.yaml": {
    structured: ["sgr", RESEARCH, [10, 3, 4]],
    calling: ["tools", [...RESEARCH, "generate_plan_tool", "adapt_plan_tool"], [10, 3, 4]],
    quiet: ["sgr-tools", ["reasoning_tool", ...SEARCH, "final_answer_tool", "clarification_tool"], [
      10,
      3,
      4,
    ]],
  },
  "tools_section.yaml": {
    reader: ["sgr", [...SEARCH, "create_report_tool", ...PLANS, "final_answer_tool"], [15, 5, 6]],
    ironic: ["sgr", RESEARCH, [10, 3, 6]],
    talker: ["sgr-tools", ["reasoning_tool", ...SEARCH, "create_report_tool", "answer_tool"], [10, 3, 6]],
  },
  "settings_in_items.yaml": {
    by_name: ["sgr-tools", ["reasoning_tool", ...SEARCH, "final_answer_tool"], [10, 3, 4]],
    by_key: ["sgr-tools", ["reasoning_tool", ...RESEARCH], [10, 3, 8]],
  },
  "file_agent.yaml": {
    files: [
      "sgr-tools",
      ["reasoning_tool", "Glob", "Grep", "Read", "clarification_tool", "final_answer_tool"],
      [3, 1, 0],
    ],
  },
  "own_classes.yaml": {
    finder: ["sgr-tools", ["reasoning_tool", "final_answer_tool", "web_search_tool"], [15, 2, 4]],
    keeper: ["sgr-tools", ["reasoning_tool", "web_search_tool", "final_answer_tool"], [15, 2, 4]],
  },
};

for (const [file, expected] of Object.entries(FORMS)) {
  Deno.test(`readUpstream() reads all agents of ${file}`, async () => {
    const { agents } = await read(file);
    const made = [...agents].map(([name, { definition: { kind, tools = [], limits }, problem }]) => {
      assertEquals(problem, null, name);
      const bounds = [limits?.max_iterations, limits?.max_clarifications, limits?.max_searches];
      return [name, [kind, tools.map((tool) => tool.slice(tool.indexOf("/") + 1)), bounds]];
    });
    assertEquals(Object.fromEntries(made), expected);
  });
}

Deno.test("readUpstream() reads the sections of the first versions, and the servers in them", async () => {
  const { agents, warnings } = await read("first_config.yaml");
  assertEquals(warnings, [
    "confluence is not known here",
    "it names no agents: sgr_agent, tool_calling_agent, sgr_tool_calling_agent are there",
  ]);
  const { definition, extras } = agents.get("sgr_agent")!;
  assertEquals(definition.model, { name: "model-of-the-file", temperature: 0.4, max_tokens: 8000 });
  assertEquals(definition.search, { max_results: 10, content_limit: 1500 });
  assertEquals(definition.mcp, ["wiki", "notes"]);
  assertEquals(Object.keys(extras.servers), ["wiki", "notes"]);
  assertEquals([extras.mcpContextLimit, extras.apiKey], [15_000, null]);
  assertEquals(extras.variables, { SGR__EXECUTION__REPORTS_DIR: "reports" });
});

Deno.test("readUpstream() keeps the settings of tools, wherever they stand", async () => {
  const items = (await read("settings_in_items.yaml")).agents;
  for (const [name, max_searches] of [["by_name", 4], ["by_key", 8]] as const) {
    const { definition: { search, model }, extras } = items.get(name)!;
    assertEquals(search, { engine: "tavily", max_results: 15, max_searches, content_limit: 2000 });
    assertEquals([model, extras.apiKey, extras.variables], [{ name: "shared" }, null, {}]);
  }
  const section = (await read("tools_section.yaml")).agents;
  assertEquals(section.get("reader")!.definition.search, {
    engine: "tavily",
    max_results: 12,
    max_searches: 6,
    content_limit: 2000,
  });
  // Also of tools that the agent has by its class.
  assertEquals(section.get("ironic")!.definition.search?.content_limit, 2000);
});

Deno.test("readUpstream() names what is Python, and takes tools of the user's own in the place of it", async () => {
  const { agents } = await read("tools_section.yaml");
  const { extras, warnings } = agents.get("reader")!;
  assertEquals(extras.tools.own, ["my_custom_tool", "my_other_tool"]);
  assertEquals(warnings.map(plain).slice(0, 2), [
    'reader.tools[7]: the tool "my_custom_tool" is Python ("path.to.my.tools.CustomTool"), which does not run here: ' +
    'it means a tool of yours called "my_custom_tool", if there is one',
    'reader.tools[8]: the tool "my_other_tool" is Python ("name_of_tool_class_in_registry"), which does not run here: ' +
    'it means a tool of yours called "my_other_tool", if there is one',
  ]);
  const keeper = (await read("own_classes.yaml")).agents.get("keeper")!;
  assertEquals(keeper.extras.tools.own.length, 10);
  const files = (await read("file_agent.yaml")).agents.get("files")!;
  assertEquals(
    plain(files.warnings[0]!),
    "files.working_directory is not used here: name the folder with --workspace",
  );
});

Deno.test("readUpstream() puts today's placeholders in the place of earlier ones", async () => {
  const { definition: { prompts } } = (await read("agents_by_name.yaml")).agents.get("own_texts")!;
  assertEquals(prompts?.request, "The person asks: {task}\n");
  assertEquals(prompts?.clarification, "The person makes clear: {clarifications}\n");
});

Deno.test("readUpstream() follows a configuration to its file of agents", async () => {
  const { agents } = await read("elsewhere.yaml");
  assertEquals([...agents.keys()], [...(await read("listed_agents.yaml")).agents.keys()]);
});

Deno.test("readUpstream() takes from variables what a file leaves out, also of single tools", async () => {
  const env = {
    SGR__TOOLS__WEB_SEARCH_TOOL__MAX_RESULTS: "3",
    SGR__TOOLS__WEB_SEARCH_TOOL__API_KEY: "tvly-of-variable",
    SGR__TOOLS__EXTRACT_PAGE_CONTENT_TOOL__CONTENT_LIMIT: "900",
    SGR__SEARCH__MAX_SEARCHES: "2",
    SGR__EXECUTION__MAX_ITERATIONS: "7",
    SGR__LLM__TEMPERATURE: "0.9",
  };
  const { definition, extras } = (await read("agents_by_name.yaml", env)).agents.get("small")!;
  assertEquals(definition.search, { max_searches: 2, max_results: 3, content_limit: 900 });
  assertEquals(definition.limits, { max_iterations: 7, max_clarifications: 3, max_searches: 2 });
  assertEquals(definition.model, { name: "small", temperature: 0.9 });
  assertEquals(extras.variables, { TAVILY_API_KEY: "tvly-of-variable" });
  // What the file says of a tool counts before them, field by field.
  const said = (await read("settings_in_items.yaml", env)).agents.get("by_name")!;
  assertEquals(said.definition.search, {
    engine: "tavily",
    max_results: 15,
    max_searches: 4,
    content_limit: 2000,
  });
  assert(!JSON.stringify(said.warnings).includes("tvly-of-variable"));
});
