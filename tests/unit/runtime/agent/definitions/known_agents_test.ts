import { assertEquals, assertThrows } from "@std/assert";

import { configureAgent } from "../../../../../runtime/agent/definitions/agent_config.ts";
import { executorsOf, toolsBeside } from "../../../../../runtime/agent/definitions/executors.ts";
import {
  findAgent,
  type KnownAgent,
  knownAgents,
  usualAgent,
} from "../../../../../runtime/agent/definitions/known_agents.ts";
import { projectTools, untrustedFields } from "../../../../../runtime/agent/definitions/project_agent.ts";
import type { LoadedConfig } from "../../../../../runtime/host/config/loaded_config.ts";
import { namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";
import type { Config } from "../../../../../schemas/config.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";
import { messageOf, refusalOf } from "../../../../support/refusal.ts";
import { workspace } from "../../../../support/run_tool.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };

const manifest = manifestJson as unknown as Manifest;

function known(
  { agents = {}, projects = {}, own, file }: {
    agents?: Record<string, AgentDefinition>;
    projects?: Record<string, AgentDefinition>;
    own?: Record<string, AgentDefinition>;
    file?: string;
  },
) {
  const loaded = { config: { agents }, projectAgents: projects, userFile: "/u.json", projectFile: "/p.json" };
  return knownAgents({ own, file }, { manifest, loaded, cwd: "/", env: {} });
}

Deno.test("knownAgents() lets each origin take the place of those before it, and a project of nobody's", async () => {
  const { agents } = await known({
    agents: { swe: { description: "mine" }, both: { description: "mine" } },
    projects: { swe: { limits: { max_rounds: 2 } }, theirs: { kind: "sgr" } },
    own: { both: { description: "own" } },
  });
  const told = ["default", "swe", "both", "theirs"].map((name) => {
    const { origin, path, definition, narrower } = agents.get(name)!;
    return [name, origin, path, definition.description ?? null, narrower];
  });
  assertEquals(told, [
    ["default", "built-in", null, "Any task, with the tools of the run", null],
    ["swe", "configuration", "/u.json", "mine", { limits: { max_rounds: 2 } }],
    ["both", "program", null, "own", null],
    ["theirs", "project", "/p.json", null, null],
  ]);
});

Deno.test("findAgent() tells the nearest name, also for names of prototypes", async () => {
  const all = await known({});
  const rest = "there are default, research, manus, swe, data_analysis, browser, dialog";
  const rows = [["manu", 'did you mean "manus"?'], ["constructor", rest], ["__proto__", rest]];
  for (const [name, told] of rows) {
    const error = await refusalOf(() => findAgent(name!, all));
    const mark = told === rest ? ":" : ",";
    assertEquals([error?.code, error?.message], ["invalid_input", `Unknown agent "${name}"${mark} ${told}`]);
  }
});

Deno.test("usualAgent() takes the only agent of a file, and asks for a name where there are several", async () => {
  const one = "a: { base_class: SGRAgent, tools: [final_answer_tool] }";
  using ws = workspace({ "one.yaml": `agents: { ${one} }`, "two.yaml": `agents: { ${one}, b: {} }` });
  const file = ws.at("one.yaml");
  assertEquals(usualAgent(await known({ file }), { file }), "a");
  const several = await known({ file: ws.at("two.yaml") });
  const told = '"team.yaml" has several agents: choose one with --agent: a, b';
  assertEquals(await messageOf(() => usualAgent(several, { file: "team.yaml" })), told);
  assertEquals(usualAgent(several, {}), "default");
  const gone = await messageOf(() => known({ file: "/gone.yaml" }));
  assertEquals(gone, 'Cannot use agents "/gone.yaml": there is no such file');
});

function agentsOf(agents: Record<string, AgentDefinition>) {
  const entries = Object.entries(agents).map(([name, definition]): [string, KnownAgent] => [name, {
    ...{ name, definition, origin: "configuration", path: null, narrower: null, extras: null },
    ...{ warnings: [], problem: null },
  }]);
  return { agents: new Map(entries) };
}

const WRITER: AgentDefinition = {
  description: "writes",
  tools: ["Write", "sgr/create_report_tool"],
  prompts: { system: "You write." },
  limits: { max_iterations: 7, max_rounds: 9 },
};

Deno.test("executorsOf() takes what an executor does not say from its agent", () => {
  const definition: AgentDefinition = {
    executors: {
      writer: { agent: "writer" },
      editor: { agent: "writer", description: "edits", tools: ["Edit"], max_iterations: 2 },
      reader: { description: "reads" },
    },
  };
  assertEquals(executorsOf({ name: "team", definition }, agentsOf({ writer: WRITER })), {
    writer: { description: "writes", tools: WRITER.tools!, system: "You write.", max_iterations: 7 },
    editor: { description: "edits", tools: ["Edit"], system: "You write.", max_iterations: 2 },
    reader: { description: "reads" },
  });
  assertEquals(executorsOf({ name: "team", definition: {} }, agentsOf({})), undefined);
});

Deno.test("executorsOf() says which executor names nobody, or nothing", async () => {
  const of = (executors: AgentDefinition["executors"]) =>
    refusalOf(() =>
      executorsOf({ name: "team", definition: { executors: executors! } }, agentsOf({ writer: WRITER }))
    );
  const unknown = await of({ one: { agent: "writr" } });
  const near = 'Executor "one" of agent "team": Unknown agent "writr", did you mean "writer"?';
  assertEquals([unknown?.code, unknown?.message], ["configuration", near]);
  const told = 'Executor "one" of agent "team" has no description: say what it is good at';
  assertEquals((await of({ one: {} }))?.message, told);
});

Deno.test("toolsBeside() leaves out what a run has already, however it is spelled", () => {
  const executors = {
    one: { description: "", tools: ["harness/Read", "WebSearchTool", "Grep"] },
    two: { description: "", tools: ["sgr/web_search_tool", "mcp_of_a_source"] },
  };
  assertEquals(toolsBeside(executors, ["Read"], manifest), ["WebSearchTool", "Grep", "mcp_of_a_source"]);
  assertEquals(toolsBeside(executors, undefined, manifest), ["WebSearchTool", "mcp_of_a_source"]);
  assertEquals(toolsBeside(undefined, ["Read"], manifest), []);
});

const places = { manifest: manifestJson as unknown as Manifest, path: "/p/bulkhead.json" };
const LEAD = "project configuration /p/bulkhead.json: agents.a";

function narrowed(definition: AgentDefinition, narrower: AgentDefinition | null) {
  const origin = narrower === null ? "project" : "configuration";
  return projectTools({ name: "a", definition, narrower, origin }, places);
}

Deno.test("projectTools() leaves of a project's own agent what the run has, and what touches nothing", () => {
  const tools = "Read Bash=shell final_answer_tool par/bash ReadDocument web_search_tool words".split(" ");
  assertEquals(narrowed({ tools }, null), {
    only: ["Read", "Bash=shell", "words"],
    extraTools: ["final_answer_tool"],
    warnings: ["par/bash", "ReadDocument", "web_search_tool"].map((name) =>
      `${LEAD}.tools: ${name} ignored: not trusted; add it with --extra-tool`
    ),
  });
  assertEquals(narrowed({}, null), { extraTools: [], warnings: [] });
});

Deno.test("projectTools() leaves of another agent those of its tools that the project names", () => {
  const own = { tools: ["Read", "Grep", "par/bash", "final_answer_tool", "mcp/words"] };
  assertEquals(narrowed(own, { tools: ["harness/Read", "Write", "mcp/words"] }), {
    tools: ["Read", "final_answer_tool", "mcp/words"],
    extraTools: [],
    warnings: [`${LEAD}.tools: Write ignored: the agent has no such tool`],
  });
  assertEquals(narrowed({}, { tools: ["Read", "calculator"] }), {
    only: ["Read"],
    extraTools: [],
    warnings: [`${LEAD}.tools: calculator ignored: not trusted; add it with --extra-tool`],
  });
  assertEquals(narrowed(own, { limits: { max_rounds: 1 } }), { extraTools: [], warnings: [] });
});

Deno.test("untrustedFields() names each field that a project says in vain", () => {
  const said = { kind: "plan", description: "x", tools: ["Read"], limits: {}, grants: {} } as const;
  const why = "ignored: not trusted, for the agent is not the project's own";
  const told = ["kind", "description"].map((field) => `${LEAD}.${field} ${why}`);
  assertEquals(untrustedFields("a", { ...said, tools: ["Read"] }, "/p/bulkhead.json"), told);
});

const NO_EXTRAS = {
  ...{ apiKey: null, variables: {}, servers: {}, mcpContextLimit: null },
  tools: { renamed: {}, own: [] },
};
const CAREFUL = namedPolicy("careful", { base: "coder", deny: ["git push"] });

function loaded(config: Config = {}, policy = namedPolicy("coder", { base: "coder" })): LoadedConfig {
  return {
    ...{ config, policies: { careful: CAREFUL }, policy, projectAdds: [], warnings: [] },
    ...{ projectTools: {}, projectLimits: {}, projectAgents: {}, userFile: null, projectFile: null },
  };
}

function agent(definition: AgentDefinition, rest: Partial<KnownAgent> = {}): KnownAgent {
  const usual = { path: null, narrower: null, extras: null, warnings: [], problem: null };
  return { name: "a", definition, origin: "configuration", ...usual, ...rest };
}

Deno.test("configureAgent() puts the user's own agent before the configuration", () => {
  const config: Config = {
    agent: { max_rounds: 5, max_calls: 9 },
    permissions: { allow: { read: ["/a"] }, deny: { net: ["x.example"] } },
  };
  const own = agent({
    limits: { max_rounds: 7 },
    grants: { policy: "careful", allow: { read: ["/b"], net: true }, deny: { net: ["y.example"] } },
  });
  const { loaded: { config: made, policy }, warnings } = configureAgent(own, loaded(config));
  assertEquals(made.agent, { max_rounds: 7, max_calls: 9 });
  assertEquals(made.permissions?.allow, { read: ["/a", "/b"], net: true });
  assertEquals(made.permissions?.deny, { net: ["x.example", "y.example"] });
  assertEquals([policy.commands.name, warnings], ["careful", []]);
});

Deno.test("configureAgent() lets a project only narrow, in agents of its own and in those of others", () => {
  const projects: AgentDefinition = {
    limits: { max_rounds: 300, max_calls: 3 },
    grants: { policy: "read-only", allow: { read: ["/"] }, deny: { run: ["npm"] } },
  };
  const own = agent(projects, { origin: "project" });
  for (const known of [own, agent({ limits: { max_rounds: 6 } }, { narrower: projects })]) {
    const { loaded: { config, policy }, warnings } = configureAgent(known, loaded());
    assertEquals(config.agent?.max_calls, 3);
    assertEquals(config.agent?.max_rounds, known.origin === "project" ? undefined : 6);
    assertEquals(config.permissions, { allow: {}, deny: { run: ["npm"] } });
    assertEquals(policy.commands.name, "read-only");
    assertEquals(warnings.length, 1);
    assertEquals(warnings[0]?.includes("300 is looser than"), true);
  }
  const wide = agent({ grants: { policy: "coder" } }, { origin: "project" });
  const strict = loaded({}, namedPolicy("read-only", { base: "read-only" }));
  const { loaded: { policy }, warnings } = configureAgent(wide, strict);
  assertEquals([policy.commands.name, warnings], ["read-only", [
    'agent a: grants.policy ignored: "coder" is not stricter than "read-only"',
  ]]);
  // The rules of the user's policy would be lost.
  const other = agent({ grants: { policy: "read-only" } }, { origin: "project" });
  assertEquals(configureAgent(other, loaded({}, CAREFUL)).loaded.policy.commands.name, "careful");
});

Deno.test("configureAgent() keeps tools from the file of an agent with keys", () => {
  const extras = { ...NO_EXTRAS, apiKey: "k" };
  const made = configureAgent(agent({}, { origin: "file", path: "/t.yaml", extras }), loaded());
  assertEquals(made.loaded.config.permissions?.deny, { read: ["/t.yaml"], write: ["/t.yaml"] });
  const keyless = agent({}, { origin: "file", path: "/t.yaml", extras: NO_EXTRAS });
  assertEquals(configureAgent(keyless, loaded()).loaded.config.permissions?.deny, { write: ["/t.yaml"] });
});

Deno.test("configureAgent() leaves the servers that an agent uses", () => {
  const config: Config = { mcpServers: { wiki: { url: "https://w.example" }, notes: { command: "notes" } } };
  const servers = (definition: AgentDefinition, rest: Partial<KnownAgent> = {}) =>
    Object.keys(configureAgent(agent(definition, rest), loaded(config)).loaded.config.mcpServers ?? {});
  assertEquals(servers({}), ["wiki", "notes"]);
  assertEquals(servers({ tools: ["Read"] }), []);
  assertEquals(servers({ tools: ["Read"], mcp: ["*"] }), ["wiki", "notes"]);
  assertEquals(servers({ mcp: ["notes"] }), ["notes"]);
  assertEquals(servers({ mcp: [] }, { origin: "file", extras: NO_EXTRAS }), []);
  const near = 'Agent "a" uses the MCP server "note", which is not configured, did you mean "notes"?';
  assertThrows(() => servers({ mcp: ["note"] }), ToolError, near);
  assertThrows(() => servers({ grants: { policy: "carefull" } }), ToolError, "is not one of");
});

Deno.test("configureAgent() takes the number of searches as a limit, wherever the agent says it", () => {
  const bound = (definition: AgentDefinition) =>
    configureAgent(agent(definition), loaded()).loaded.config.agent?.max_searches;
  assertEquals(bound({ search: { max_searches: 3 } }), 3);
  assertEquals(bound({ search: { max_searches: 3 }, limits: { max_searches: 0 } }), 0);
  assertEquals(bound({ search: {} }), undefined);
});
