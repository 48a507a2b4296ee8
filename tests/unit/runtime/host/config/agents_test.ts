import { assertEquals, assertThrows } from "@std/assert";

import { agentProblems, isAgentName } from "../../../../../runtime/host/config/check/agent_problems.ts";
import { checkAgents } from "../../../../../runtime/host/config/check_agents.ts";
import { withFullNames, withLimitNames } from "../../../../../runtime/host/config/full_names.ts";
import { narrowAgents } from "../../../../../runtime/host/config/narrow_agents.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";
import type { Config } from "../../../../../schemas/config.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";

const PURE = { permissions: "none" } as const;

Deno.test("narrowAgents() takes from a project what grants nothing, and tells of the rest", PURE, () => {
  const told: [string, string][] = [];
  const given: Required<AgentDefinition> = {
    description: "d",
    kind: "sgr",
    must_call: true,
    tools: ["Read"],
    prompts: { system: "You are mine." },
    executors: { one: { description: "d" } },
    model: { name: "m", base_url: "http://127.0.0.1:1/v1", api_key_env: "HOME" },
    limits: { max_rounds: 3 },
    search: { engine: "brave" },
    mcp: ["*"],
    grants: { policy: "read-only", allow: { read: true }, deny: { net: true } },
  };
  const narrowed = narrowAgents({ a: given, b: {} }, (field, why) => void told.push([field, why]));
  const { description, kind, must_call, tools, limits } = given;
  const grants = { policy: "read-only", deny: { net: true } } as const;
  assertEquals(narrowed, { a: { description, kind, must_call, tools, limits, grants }, b: {} });
  assertEquals(told, [
    ["agents.a.prompts", "not trusted; write it into the AGENTS.md of the project"],
    ...["executors", "model", "search", "mcp", "grants.allow"].map((field) =>
      [`agents.a.${field}`, "not trusted"] as [string, string]
    ),
  ]);
});

/** Of a program in JavaScript, for which no type speaks. */
function faults(agents: unknown): string[] {
  const error = assertThrows(() => checkAgents(agents as Record<string, AgentDefinition>), ToolError);
  assertEquals(error.code, "invalid_input");
  return error.details.problems as string[];
}

Deno.test("checkAgents() names each wrong field, and then what it may not mean", PURE, () => {
  checkAgents({});
  checkAgents({ a: { kind: "plan", tools: ["Read"], limits: { max_rounds: 3 } } });
  const fields = faults({ a: { kind: "think", tols: [] }, b: { tools: "Read" }, c: 4 });
  assertEquals(fields, [
    `field 'a.kind' must be one of "tools", "sgr", "sgr-tools", "plan"`,
    'unknown field a.tols, did you mean "tools"?',
    "field 'b.tools' must be of type array",
    "field 'c' must be of type object",
  ]);
  assertEquals(faults({ "no name": { tools: [] } }), [
    'agents.no name must be named by letters, digits, ".", "_" or "-", with a letter first',
    "agents.no name.tools is empty: name tools, or leave it out for the usual ones",
  ]);
});

const TOOLS = ["one/web_search_tool", "one/read", "two/Read"].map((name) => entryOf(name));

Deno.test("withFullNames() reads other spellings of a name as the one tool that they fit", () => {
  const named = (tools: unknown) =>
    Object.keys(withFullNames({ config: { tools } as unknown as Config }, TOOLS).config.tools ?? {});
  assertEquals(named({ WebSearchTool: {} }), ["one/web_search_tool"]);
  assertEquals(named({ websearchtool: {}, "one/*": {} }), ["one/web_search_tool", "one/*"]);
  assertEquals(named({ "one/web_search_tool": {} }), ["one/web_search_tool"]);
  // Several fit, none fits, or another entry means the same: the check refuses them as they stand.
  assertEquals(named({ read: {}, paint: {} }), ["read", "paint"]);
  assertEquals(named({ WebSearchTool: {}, websearchtool: {} }), ["WebSearchTool", "websearchtool"]);
  const both = { WebSearchTool: {}, "one/web_search_tool": {} };
  assertEquals(named(both), Object.keys(both));
  assertEquals(withFullNames({ config: [] as unknown as Config }, TOOLS).config, [] as unknown);
});

Deno.test("withLimitNames() gives a limit to the one tool that its name can mean", () => {
  const [one, two] = [{ timeout_seconds: 1 }, { concurrency: 2 }];
  const named = (tools: Record<string, typeof one | typeof two>) => withLimitNames({ tools }, TOOLS).tools;
  assertEquals(named({ "*/WebSearchTool": one, "one/web_search_tool": two }), {
    "one/web_search_tool": { ...one, ...two },
  });
  // A name that is one stays as it is, and so does what fits several or none.
  const kept = { "*/read": one, "*/READ": one, "*": two, "one/paint": two, "three/WebSearchTool": one };
  assertEquals(named(kept), kept);
  assertEquals(withLimitNames({}, TOOLS), {});
});

const problems = (agent: AgentDefinition, name = "a") => agentProblems({ agents: { [name]: agent } });

Deno.test("agentProblems() says what is wrong with an agent, and what helps", PURE, () => {
  const rows: [AgentDefinition, string[]][] = [
    [{}, []],
    [{ tools: ["Read"], model: "m", mcp: ["*"], grants: { policy: "coder", deny: { net: true } } }, []],
    [{ tools: [] }, ["agents.a.tools is empty: name tools, or leave it out for the usual ones"]],
    [{ tools: ["Read", ""] }, ["agents.a has an empty name, name something"]],
    [{ mcp: [""] }, ["agents.a has an empty name, name something"]],
    [
      { model: { api_key_env: "sk-not a variable" } },
      ["agents.a.model.api_key_env must be the name of a variable, not the key itself"],
    ],
    [{ model: { base_url: "ftp://x" } }, ["agents.a.model.base_url must begin with http:// or https://"]],
    [{ model: { base_url: "https://x.example/v1", api_key_env: "MY_KEY" } }, []],
  ];
  for (const [agent, expected] of rows) assertEquals(problems(agent), expected);
  assertEquals(problems({ grants: { allow: { net: [""] } } }).length, 1);
});

Deno.test("isAgentName() takes names that stand well in a command line", PURE, () => {
  for (const name of ["a", "A1", "sgr_tool-calling.agent", "a".repeat(64)]) {
    assertEquals(isAgentName(name), true);
  }
  for (const name of ["", "1a", "-a", "a b", "a/b", "ä", "__proto__", "a".repeat(65)]) {
    assertEquals(isAgentName(name), false, name);
  }
  const told = 'agents.a b must be named by letters, digits, ".", "_" or "-", with a letter first';
  assertEquals(problems({}, "a b"), [told]);
});
