import { assert, assertEquals, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";

import { readAgentsFile } from "../../../../../runtime/agent/definitions/read_agents_file.ts";
import {
  type PlainObject,
  plainTree,
  type PlainValue,
} from "../../../../../runtime/agent/definitions/upstream/plain_tree.ts";
import { sgrVariables } from "../../../../../runtime/agent/definitions/upstream/sgr_variables.ts";
import {
  definedTools,
  readToolItems,
  renamedTools,
} from "../../../../../runtime/agent/definitions/upstream/tool_items.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };
import { messageOf } from "../../../../support/refusal.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";

const manifest = manifestJson as unknown as Manifest;
const FILES = fromFileUrl(new URL("../../../../fixtures/agents", import.meta.url));
const SEARCH = "web_search_tool extract_page_content_tool";
const RESEARCH = `${SEARCH} create_report_tool final_answer_tool`;
const PLANS = "clarification_tool generate_plan_tool adapt_plan_tool";

async function readFixture(file: string, env: Record<string, string> = {}) {
  const { agents, warnings } = await readAgentsFile(file, { cwd: FILES, env, manifest });
  return { agents, warnings: warnings.map(plain) };
}

/** A warning without what all have. */
function plain(warning: string): string {
  return warning.replace(/^agents "[^"]*": /, "").replace(/^agents\./, "");
}

/** What each agent of each form became: its kind, its limits of steps, answers and searches, and its tools. */
const FORMS = `
first_config sgr_agent: sgr 6 3 4 ${RESEARCH} ${PLANS}
first_config tool_calling_agent: tools 6 3 4 ${RESEARCH} ${PLANS}
first_config sgr_tool_calling_agent: sgr-tools 6 3 4 reasoning_tool ${RESEARCH} ${PLANS}
listed_agents careful_reader: sgr 15 5 6 ${RESEARCH} ${PLANS}
listed_agents plain: tools 10 3 4 web_search_tool final_answer_tool
listed_agents fast: sgr-tools 10 3 4 reasoning_tool ${RESEARCH}
listed_agents auto: sgr-tools 10 3 4 reasoning_tool ${RESEARCH}
listed_agents calling: tools 10 3 4 ${RESEARCH}
listed_agents structured: sgr-tools 10 3 4 reasoning_tool ${RESEARCH}
agents_by_name reader: sgr 15 5 6 ${RESEARCH} ${PLANS}
agents_by_name small: sgr-tools 10 3 4 reasoning_tool web_search_tool final_answer_tool
agents_by_name earlier_core: sgr 10 3 4 final_answer_tool
agents_by_name analyst: sgr 20 3 4 final_answer_tool
agents_by_name own_texts: sgr 10 3 4 ${RESEARCH}
search_section structured: sgr 10 3 4 ${RESEARCH}
search_section calling: tools 10 3 4 ${RESEARCH} generate_plan_tool adapt_plan_tool
search_section quiet: sgr-tools 10 3 4 reasoning_tool ${SEARCH} final_answer_tool clarification_tool
tools_section reader: sgr 15 5 6 ${SEARCH} create_report_tool ${PLANS} final_answer_tool
tools_section ironic: sgr 10 3 6 ${RESEARCH}
tools_section talker: sgr-tools 10 3 6 reasoning_tool ${SEARCH} create_report_tool answer_tool
settings_in_items by_name: sgr-tools 10 3 4 reasoning_tool ${SEARCH} final_answer_tool
settings_in_items by_key: sgr-tools 10 3 8 reasoning_tool ${RESEARCH}
file_agent files: sgr-tools 3 1 0 reasoning_tool Glob Grep Read clarification_tool final_answer_tool
own_classes finder: sgr-tools 15 2 4 reasoning_tool final_answer_tool web_search_tool
own_classes keeper: sgr-tools 15 2 4 reasoning_tool web_search_tool final_answer_tool
`.trim().split("\n");

Deno.test("readUpstream() reads all agents of each form", async () => {
  const made: string[] = [];
  for (const file of new Set(FORMS.map((line) => line.split(" ")[0]!))) {
    for (const [name, { definition, problem }] of (await readFixture(`${file}.yaml`)).agents) {
      const { kind, tools = [], limits: { max_iterations, max_clarifications, max_searches } = {} } =
        definition;
      const bare = tools.map((tool) => tool.slice(tool.indexOf("/") + 1));
      assertEquals(problem, null, name);
      const numbers = [max_iterations, max_clarifications, max_searches];
      made.push([`${file} ${name}:`, kind, ...numbers, ...bare].join(" "));
    }
  }
  assertEquals(made, FORMS);
  // A configuration may lead to its file of agents.
  const { agents } = await readFixture("elsewhere.yaml");
  assertEquals([...agents.keys()], [...(await readFixture("listed_agents.yaml")).agents.keys()]);
});

Deno.test("readUpstream() reads the sections of the first versions, and the servers in them", async () => {
  const { agents, warnings } = await readFixture("first_config.yaml");
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
  const items = (await readFixture("settings_in_items.yaml")).agents;
  for (const [name, max_searches] of [["by_name", 4], ["by_key", 8]] as const) {
    const { definition: { search, model }, extras } = items.get(name)!;
    assertEquals(search, { engine: "tavily", max_results: 15, max_searches, content_limit: 2000 });
    assertEquals([model, extras.apiKey, extras.variables], [{ name: "shared" }, null, {}]);
  }
  const section = (await readFixture("tools_section.yaml")).agents;
  const all = { engine: "tavily", max_results: 12, max_searches: 6, content_limit: 2000 };
  assertEquals(section.get("reader")!.definition.search, all);
  // Also of tools that the agent has by its class.
  assertEquals(section.get("ironic")!.definition.search?.content_limit, 2000);
});

Deno.test("readUpstream() names what is Python, and takes tools of the user's own in the place of it", async () => {
  const { agents } = await readFixture("tools_section.yaml");
  const { extras, warnings } = agents.get("reader")!;
  assertEquals(extras.tools.own, ["my_custom_tool", "my_other_tool"]);
  assertEquals(
    plain(warnings[0]!),
    'reader.tools[7]: the tool "my_custom_tool" is Python ("path.to.my.tools.CustomTool"), which does not run here: ' +
      'it means a tool of yours called "my_custom_tool", if there is one',
  );
  const keeper = (await readFixture("own_classes.yaml")).agents.get("keeper")!;
  assertEquals(keeper.extras.tools.own.length, 10);
  const files = (await readFixture("file_agent.yaml")).agents.get("files")!;
  const told = "files.working_directory is not used here: name the folder with --workspace";
  assertEquals(plain(files.warnings[0]!), told);
});

Deno.test("readUpstream() puts today's placeholders in the place of earlier ones", async () => {
  const { definition: { prompts } } = (await readFixture("agents_by_name.yaml")).agents.get("own_texts")!;
  assertEquals(prompts?.request, "The person asks: {task}\n");
  assertEquals(prompts?.clarification, "The person makes clear: {clarifications}\n");
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
  const { definition, extras } = (await readFixture("agents_by_name.yaml", env)).agents.get("small")!;
  assertEquals(definition.search, { max_searches: 2, max_results: 3, content_limit: 900 });
  assertEquals(definition.limits, { max_iterations: 7, max_clarifications: 3, max_searches: 2 });
  assertEquals(definition.model, { name: "small", temperature: 0.9 });
  assertEquals(extras.variables, { TAVILY_API_KEY: "tvly-of-variable" });
  // What the file says of a tool counts before them, field by field.
  const said = (await readFixture("settings_in_items.yaml", env)).agents.get("by_name")!;
  const all = { engine: "tavily", max_results: 15, max_searches: 4, content_limit: 2000 };
  assertEquals(said.definition.search, all);
  assert(!JSON.stringify(said.warnings).includes("tvly-of-variable"));
});

const treeRefusal = (value: unknown) => messageOf(() => plainTree(value, "the file"));

Deno.test("plainTree() fills in what a mapping takes from others; its own fields count first", async () => {
  const base = { model: "a", temperature: 0.1 };
  assertEquals(plainTree({ "<<": base, model: "b" }, "f"), { model: "b", temperature: 0.1 });
  assertEquals(plainTree({ "<<": [{ x: 1 }, { x: 2, y: 3 }] }, "f"), { x: 1, y: 3 });
  assertEquals(await treeRefusal({ "<<": 4 }), "Cannot use the file: << takes a mapping");
});

Deno.test("plainTree() keeps names of prototypes as fields, and takes only what JSON has", async () => {
  const tree = plainTree(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'), "f") as object;
  assertEquals(Object.keys(tree), ["__proto__", "constructor"]);
  assertEquals(Object.getPrototypeOf(tree), Object.prototype);
  const lead = "Cannot use the file:";
  assertEquals(await treeRefusal({ day: new Date(0) }), `${lead} day is Date, which JSON has not`);
  assertEquals(await treeRefusal({ a: [{ n: NaN }] }), `${lead} a.0.n is NaN, which JSON has not`);
});

const NAMES = ["sgr/web_search_tool", "sgr/final_answer_tool", "par/bash", "manus/bash"];
const itemManifest = { tools: NAMES.map((name) => entryOf(name)) };

function readItems(items: readonly PlainValue[], defined: PlainObject = {}) {
  const warnings: string[] = [];
  const { items: found, own } = readToolItems(items, "a.tools", {
    manifest: itemManifest,
    defined,
    warn: (message) => void warnings.push(message),
  });
  return { found: found.map(({ entry, settings }) => [entry.full_name, settings]), own, warnings };
}

Deno.test("readToolItems() looks into the section first, then among all tools, in every spelling", () => {
  const defined = { quick: { base_class: "WebSearchTool", max_results: 3 }, final_answer_tool: null };
  const web = "sgr/web_search_tool";
  assertEquals(readItems(["quick"], defined).found, [[web, { max_results: 3 }]]);
  for (const name of ["web_search_tool", "WebSearchTool", "websearchtool", web]) {
    assertEquals(readItems([name], defined).found, [[web, {}]], name);
  }
  assertEquals(readItems(["WebSearchTool"], { web_search_tool: { engine: "brave" } }).found, [[web, {
    engine: "brave",
  }]]);
  const paths = { search: { base_class: "sgr_agent_core.tools.WebSearchTool" } };
  assertEquals(readItems([{ search: { max_results: 9 } }], paths).found, [[web, { max_results: 9 }]]);
  // The section gives another tool this name.
  assertEquals(readItems(["web_search_tool"], { web_search_tool: { base_class: "FinalAnswerTool" } }).found, [
    ["sgr/final_answer_tool", {}],
  ]);
});

Deno.test("readToolItems() tells a mistyped name from one that bulkhead cannot know", () => {
  assertThrows(() => readItems(["web_serch_tool"]), ToolError, 'did you mean "web_search_tool"?');
  const { own, warnings } = readItems(["GoToLinkTool", "mine.tools.Own"]);
  assertEquals(own, ["GoToLinkTool", "mine.tools.Own"]);
  assertEquals(warnings.length, 2);
  assertThrows(() => readItems(["bash"]), ToolError, '"bash" is ambiguous: say par/bash or manus/bash');
  assertThrows(() => readItems([7]), ToolError, "a.tools[0] must be the name of a tool");
  assertThrows(() => readItems(["x"], { x: 3 }), ToolError, "tools.x must be a mapping");
});

Deno.test("definedTools() and renamedTools() tell a tool's own name from another one", () => {
  const defined = {
    WebSearchTool: { max_results: 3 },
    quick: { base_class: "web_search_tool" },
    mine: { base_class: "a.Mine" },
    final_answer_tool: null,
  };
  const found = definedTools({ manifest: itemManifest, defined });
  assertEquals(found.map(({ entry, settings }) => [entry.full_name, settings]), [
    ...[["sgr/web_search_tool", { max_results: 3 }], ["sgr/final_answer_tool", {}]],
  ]);
  assertEquals(renamedTools({ manifest: itemManifest, defined }), { quick: "sgr/web_search_tool" });
});

Deno.test("sgrVariables() reads sections of any case, and leaves out what is no field of one", () => {
  const env = {
    SGR__LLM__API_KEY: "k",
    sgr__llm__model: "m",
    SGR__EXECUTION__MAX_ITERATIONS: "12",
    ...{ SGR__LLM: "x", SGR____MODEL: "x", SGR__TOOLS__A: "x", SGR__TOOLS__A__B__C: "x" },
    ...{ SGR__SEARCH__ENGINE: "", SGR_LLM__MODEL: "x", PATH: "/bin" },
  };
  assertEquals(sgrVariables(env), { llm: { api_key: "k", model: "m" }, execution: { max_iterations: "12" } });
  assertEquals(sgrVariables({ SGR__TOOLS__WEB_SEARCH_TOOL__ENGINE: "brave", SGR__TOOLS__A__B: "1" }), {
    tools: { web_search_tool: { engine: "brave" }, a: { b: "1" } },
  });
  assertEquals(Object.keys(sgrVariables({ SGR____PROTO____X: "1" })), []);
});
