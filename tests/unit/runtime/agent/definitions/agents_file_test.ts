import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import {
  type AgentsFilePlaces,
  readAgentsFile,
} from "../../../../../runtime/agent/definitions/read_agents_file.ts";
import { fillTemplate } from "../../../../../runtime/agent/thinking/prompts.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };
import { refusalOf } from "../../../../support/refusal.ts";

const manifest = manifestJson as unknown as Manifest;
const WEB = ["sgr/web_search_tool", "sgr/extract_page_content_tool"];

/** Reads a file of agents that lies beside others. */
async function read(
  text: string,
  { env = {}, files = {}, name = "team.yaml" }: {
    env?: Record<string, string>;
    files?: Record<string, string>;
    name?: string;
  } = {},
) {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-agents-" });
  try {
    for (const [path, content] of Object.entries({ ...files, [name]: text })) {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), content);
    }
    return await readAgentsFile(name, { cwd: folder, env, manifest });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function refusal(text: string, options: Parameters<typeof read>[1] = {}): Promise<string> {
  const error = await refusalOf(() => read(text, options));
  assertEquals(error?.code, "configuration");
  return error!.message;
}

const TODAY = `
llm:
  api_key: "sk-of-the-file-1234567890"
  base_url: "http://127.0.0.1:9/v1/"
  model: "shared"
  max_tokens: 700
tools:
  web_search_tool: { engine: tavily, max_results: 12, max_searches: 6 }
  extract_page_content_tool: { tavily_api_key: "tvly-of-the-file", content_limit: 2000 }
  run_command_tool: { mode: safe, include_paths: [ls, cat] }
execution: { max_iterations: 9, logs_dir: logs, reports_dir: out, mcp_context_limit: 5000 }
mcp: { mcpServers: { wiki: { url: "https://wiki.example/mcp" } } }
agents:
  quick:
    base_class: "SGRToolCallingAgent"
    llm: { temperature: 0.1 }
    execution: { max_clarifications: 0 }
    tools:
      - web_search_tool: { max_searches: 2 }
      - WebSearchTool
      - finalanswertool
      - { name: extract_page_content_tool, content_limit: 300 }
      - run_command_tool
  research:
    base_class: "examples.sgr_deep_research.agents.ResearchSGRAgent"
    mcp: { mcpServers: {} }
    tools: [clarification_tool]
`;

Deno.test("readAgentsFile() reads today's form: an agent's own fields, then the file's, then those of variables", async () => {
  const env = {
    SGR__LLM__MODEL: "of-variable",
    SGR__EXECUTION__MAX_CLARIFICATIONS: "1",
    SGR__LLM__SEED: "7",
  };
  const { agents, warnings } = await read(TODAY, { env });
  assertEquals(warnings, []);
  const { definition, extras, problem } = agents.get("quick")!;
  assertEquals(problem, null);
  assertEquals(definition, {
    kind: "sgr-tools",
    tools: ["sgr/reasoning_tool", WEB[0]!, "sgr/final_answer_tool", WEB[1]!, "sgr/run_command_tool"],
    prompts: {},
    model: {
      ...{ name: "shared", base_url: "http://127.0.0.1:9/v1", temperature: 0.1, max_tokens: 700 },
      extra_body: { seed: "7" },
    },
    limits: { max_iterations: 9, max_clarifications: 0, max_searches: 6 },
    search: { engine: "tavily", max_results: 12, max_searches: 6, content_limit: 300 },
    mcp: ["wiki"],
  });
  assertEquals(extras, {
    apiKey: "sk-of-the-file-1234567890",
    variables: {
      TAVILY_API_KEY: "tvly-of-the-file",
      SGR__TOOLS__RUN_COMMAND_TOOL__MODE: "safe",
      SGR__TOOLS__RUN_COMMAND_TOOL__INCLUDE_PATHS: '["ls","cat"]',
      SGR__EXECUTION__REPORTS_DIR: "out",
    },
    servers: { wiki: { url: "https://wiki.example/mcp" } },
    mcpContextLimit: 5000,
    tools: { renamed: {}, own: [] },
  });
  const other = agents.get("research")!.definition;
  assertEquals(other.kind, "sgr");
  const own = ["create_report_tool", "final_answer_tool", "clarification_tool"];
  assertEquals(other.tools, [...WEB, ...own.map((name) => `sgr/${name}`)]);
  assertEquals([other.mcp, other.limits?.max_clarifications], [[], 1]);
});

const SECTIONS = "llm: { model: of-config }\ntools: { web_search_tool: { max_results: 3 } }\n";
const AGENTS = "agents: { one: { base_class: ToolCallingAgent, tools: [web_search_tool] } }\n";

/** The file that is named, what lies beside it, and what is told: `+` the model and the agents of both are there. */
const PAIRS:
  readonly (readonly [name: string, text: string, beside: Record<string, string>, told: RegExp])[] = [
    [
      "agents.yaml",
      AGENTS,
      { "config.yaml": SECTIONS },
      /^the model .* are those of "config.yaml" beside it$/,
    ],
    ["config.yaml", SECTIONS, { "agents.yaml": AGENTS }, /^its agents are those of "agents.yaml" beside it$/],
    [
      "config.yml",
      `${SECTIONS}agents: {}\n`,
      { "agents.yml": AGENTS },
      /^its agents are those of "agents.yml"/,
    ],
    ["agents.yaml", AGENTS, {}, /^it names no model and no bounds, and no "config.yaml"/],
    ["agents.yaml", AGENTS, { "config.yaml": "name: of something else\n" }, /^it names no model/],
    ["config.yaml", `${SECTIONS}agents: {}\n`, {}, /^it names no agents: sgr_agent, /],
  ];

Deno.test("readAgentsFile() reads the two files of an installation together, and tells so", async () => {
  for (const [name, text, files, told] of PAIRS) {
    const { agents, warnings } = await read(text, { name, files });
    assertEquals(warnings.length, 1, warnings.join());
    assertMatch(warnings[0]!.replace(/^agents "[^"]*": /, ""), told);
    const isBoth = Object.values(files).some((other) => [SECTIONS, AGENTS].includes(other));
    const { model, search } = [...agents.values()][0]!.definition;
    if (isBoth) {
      assertEquals([model, search, [...agents.keys()]], [{ name: "of-config" }, { max_results: 3 }, ["one"]]);
    }
  }
});

Deno.test("readAgentsFile() takes prompts as that system formats them, and whole addresses of searches", async () => {
  const { agents } = await read(
    `
search: { engine: brave, api_key: key-of-brave, api_base_url: "https://proxy.example/res/v1/web/search" }
prompts: { initial_user_request_str: 'Answer {{"task": "{task}"}}, not {{task}}: {{{task}}} {other}' }
agents: { one: { base_class: ToolCallingAgent, tools: [web_search_tool, final_answer_tool] } }
`,
  );
  const { definition, extras } = agents.get("one")!;
  const request = fillTemplate(definition.prompts!.request!, { task: "X" });
  assertEquals(request, 'Answer {"task": "X"}, not {task}: {X} {other}');
  assertEquals(extras.variables.BRAVE_BASE_URL, "https://proxy.example");
  assertEquals(definition.must_call, true);
});

Deno.test("readAgentsFile() reads sections of earlier names, and says what it leaves out", async () => {
  const { agents } = await read(
    `
openai: { api_key: "your-key-here", base_url: "", model: old, proxy: "http://127.0.0.1:1" }
tavily: { api_key: "tvly-old-key-000", api_base_url: "https://api.tavily.com" }
prompts: { prompts_dir: texts, system_prompt_file: system.txt }
agents:
  - name: analyst
    display_name: "The analyst"
    base_class: SGRResearchAgent
    openai: { temperature: 0.2 }
    prompts: { initial_user_request_str: "Ask: {task}", clarification_response_file: gone.txt }
    tools: [ReasoningTool]
`,
    { files: { "texts/system.txt": "You look things up." } },
  );
  const { definition, extras, warnings } = agents.get("analyst")!;
  assertEquals(definition.description, "The analyst");
  assertEquals(definition.model, { name: "old", temperature: 0.2 });
  assertEquals(definition.prompts, { system: "You look things up.", request: "Ask: {task}" });
  assertEquals([extras.apiKey, extras.variables], [null, { TAVILY_API_KEY: "tvly-old-key-000" }]);
  assertEquals(warnings.map((text) => text.replace(/^agents "[^"]*": agents\.analyst\./, "")), [
    "llm.api_key is the one of an example: the environment's counts",
    "llm.proxy is not used here: set HTTPS_PROXY",
    'prompts: there is no file "texts/gone.txt": the usual prompt counts',
  ]);
});

Deno.test("readAgentsFile() reads JSON, and warns by name of what it does not know", async () => {
  const agent = {
    base_class: "mine.agents.MyToolCallingAgent",
    color: "red",
    llm: { modle: "x" },
    execution: { max_step: 3 },
    tools: [{ web_search_tool: { depth: 2 } }, "mine.tools.Own", "final_answer_tool"],
  };
  const text = JSON.stringify({ tools: { Own: { base_class: "mine.tools.Own" } }, agents: { a: agent } });
  const { agents } = await read(text, { name: "team.json" });
  const { definition, warnings } = agents.get("a")!;
  assertEquals([definition.kind, definition.tools], ["tools", [WEB[0]!, "sgr/final_answer_tool"]]);
  assertEquals(warnings.map((one) => one.replace(/^agents "team\.json": /, "")), [
    "agents.a.color is not known here",
    'agents.a.base_class: the class "mine.agents.MyToolCallingAgent" is Python; the agent works as one of ToolCallingAgent does',
    'agents.a.tools[1]: the tool "mine.tools.Own" is Python ("mine.tools.Own"), which does not run here: it means a tool of yours called "mine.tools.Own", if there is one',
    "tools.web_search_tool.depth is not known here",
    "agents.a.llm.modle is not known here",
    "agents.a.execution.max_step is not known here",
  ]);
});

Deno.test("readAgentsFile() leaves a wrong agent to itself, says what helps, and tells no key", async () => {
  const wrong = (fields: string) =>
    `agents:\n  good: { base_class: SGRAgent, tools: [final_answer_tool] }\n  bad: ${fields}\n`;
  const one = (fields: string) => `{ base_class: SGRAgent, tools: [answer_tool], ${fields} }`;
  const rows: [fields: string, problem: string][] = [
    ["{ tools: [x] }", "agents.bad.base_class must name the class of the agent"],
    ["{ base_class: SGRAgnt, tools: [x] }", '"SGRAgnt", did you mean "SGRAgent"?'],
    ["{ base_class: SGRAgent }", "agents.bad.tools must name at least one tool"],
    ["{ base_class: SGRAgent, tools: [web_serch_tool] }", 'no tool is called "web_serch_tool", did you mean'],
    ["{ base_class: SGRAgent, tools: [{ a: {}, b: {} }] }", "agents.bad.tools[0] must be the name of a tool"],
    ["{ base_class: SGRAgent, tools: web }", "agents.bad.tools must be a list"],
    ["7", "agents.bad must be a mapping"],
    [one("llm: { api_key: { a: sk-secret } }"), "llm.api_key must be a text"],
    [one("llm: { base_url: 'ftp://sk-secret' }"), "must begin with http://"],
    [one("execution: { max_iterations: 0 }"), "must be a whole number from 1"],
  ];
  for (const [fields, expected] of rows) {
    const { agents } = await read(wrong(fields));
    assertEquals(agents.get("good")!.problem, null);
    const problem = agents.get("bad")!.problem!;
    assertEquals(problem.code, "configuration");
    assertStringIncludes(problem.message, expected);
    assert(!problem.message.includes("sk-secret"));
  }
});

Deno.test("readAgentsFile() refuses hostile files at once", async () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n` +
    [..."bcdefghij"].map((name, at) => {
      const last = "abcdefghij"[at];
      return `${name}: &${name} [${Array(9).fill(`*${last}`).join(",")}]\n`;
    }).join("") + "agents: *j\n";
  const hostile: [text: string, reason: string][] = [
    [bomb, "its aliases filled in"],
    ["agents: &x { a: *x }\n", "levels"],
    [`agents: ${"[".repeat(60_000)}`, "Cannot use agents"],
    [`#${"x".repeat(10 * 1024 * 1024)}`, "it has more than 262144 bytes"],
    ["agents: {a: {}, a: {}}", "duplicated"],
    ["agents: [{ name: a }, { name: a }]", 'have each name once: "a" stands there twice'],
    ["agents: { __proto__: { base_class: SGRAgent } }", 'the name "__proto__" of an agent'],
    ["agents: !!js/function 'x'", "it is no YAML"],
    ["agents: 3", "agents must name the agents"],
    ["- a", "hold a mapping with agents"],
  ];
  for (const [text, reason] of hostile) assertStringIncludes(await refusal(text), reason);
  assertStringIncludes(await refusal(`{"agents": `, { name: "a.json" }), "a.json");
  const { agents } = await read("agents: { constructor: { base_class: constructor, tools: [toString] } }");
  const { problem } = agents.get("constructor")!;
  assertStringIncludes(problem!.message, 'no class of agents is called "constructor"');
});

Deno.test("readAgentsFile() reads files that a file names in its own folder alone, unless the user allows more", async () => {
  const root = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-agents-" }));
  try {
    await Deno.mkdir(join(root, "in"));
    await Deno.writeTextFile(join(root, "private.txt"), "private");
    await Deno.writeTextFile(join(root, "agents.yaml"), "agents: { far: { base_class: SGRAgent } }");
    await Deno.writeTextFile(join(root, "in", "near.txt"), "near");
    await Deno.symlink("../private.txt", join(root, "in", "link.txt"));
    await Deno.symlink("..", join(root, "in", "up"));
    const readIn = (text: string, grants: AgentsFilePlaces["grants"]) => {
      Deno.writeTextFileSync(join(root, "in", "team.yaml"), text);
      return readAgentsFile("in/team.yaml", { cwd: root, env: {}, manifest, ...grants && { grants } });
    };
    const promptOf = async (path: string, grants?: AgentsFilePlaces["grants"]) => {
      const prompts = `{ system_prompt_file: ${JSON.stringify(path)} }`;
      const text = `agents: { a: { base_class: SGRAgent, tools: [answer_tool], prompts: ${prompts} } }`;
      const { problem, definition } = (await readIn(text, grants)).agents.get("a")!;
      return problem?.message ?? definition.prompts?.system;
    };
    assertEquals(await promptOf("near.txt"), "near");
    const far = ["../private.txt", `${root}/private.txt`, "link.txt", "up/private.txt", "/etc/passwd"];
    for (const path of far) {
      const message = await promptOf(path);
      assertStringIncludes(message!, `the prompt "${path}": it leads out of the folder`, path);
    }
    assertEquals(await promptOf("../private.txt", { allow: { read: ["private.txt"] } }), "private");
    assertEquals(await promptOf("link.txt", { allow: { read: true } }), "private");
    const denied = await promptOf("near.txt", { allow: { read: true }, deny: { read: ["in"] } });
    assertStringIncludes(denied!, "it is denied by --deny-read");
    const other = await refusalOf(() => readIn("agents: { config_file: ../agents.yaml }", {}));
    assertStringIncludes(other!.message, 'agents.config_file "../agents.yaml": it leads out of the folder');
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("readAgentsFile() gives no file of secrets to a model as a prompt", async () => {
  const text =
    `agents: { a: { base_class: SGRAgent, tools: [answer_tool], prompts: { system_prompt_file: .env } } }`;
  const { agents } = await read(text, { files: { ".env": "KEY=1" } });
  const { message } = agents.get("a")!.problem!;
  assertStringIncludes(message, 'Cannot use the prompt ".env": it is a file of secrets');
});
