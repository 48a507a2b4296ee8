import { assertEquals, assertThrows } from "@std/assert";

import type { Config } from "../../../../../schemas/config.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";
import { configureAgent } from "../../../../../runtime/agent/definitions/agent_config.ts";
import type { KnownAgent } from "../../../../../runtime/agent/definitions/known_agents.ts";
import type { LoadedConfig } from "../../../../../runtime/host/config/loaded_config.ts";
import { namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";

const NO_EXTRAS = {
  apiKey: null,
  variables: {},
  servers: {},
  mcpContextLimit: null,
  tools: { renamed: {}, own: [] },
};
const CAREFUL = namedPolicy("careful", { base: "coder", deny: ["git push"] });

function loaded(config: Config = {}, policy = namedPolicy("coder", { base: "coder" })): LoadedConfig {
  const nothing = {
    projectTools: {},
    projectLimits: {},
    projectAgents: {},
    userFile: null,
    projectFile: null,
  };
  return { config, policies: { careful: CAREFUL }, policy, projectAdds: [], warnings: [], ...nothing };
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
  const { loaded: { config: made, policy }, warnings } = configureAgent(
    agent({
      limits: { max_rounds: 7 },
      grants: { policy: "careful", allow: { read: ["/b"], net: true }, deny: { net: ["y.example"] } },
    }),
    loaded(config),
  );
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
  for (
    const known of [
      agent(projects, { origin: "project" }),
      agent({ limits: { max_rounds: 6 } }, { narrower: projects }),
    ]
  ) {
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
  const kept = configureAgent(
    agent({ grants: { policy: "read-only" } }, { origin: "project" }),
    loaded({}, CAREFUL),
  );
  assertEquals(kept.loaded.policy.commands.name, "careful");
});

Deno.test("configureAgent() keeps tools from the file of an agent with keys", () => {
  const extras = { ...NO_EXTRAS, apiKey: "k" };
  const made = configureAgent(agent({}, { origin: "file", path: "/t.yaml", extras }), loaded());
  assertEquals(made.loaded.config.permissions?.deny, { read: ["/t.yaml"], write: ["/t.yaml"] });
  const open = configureAgent(
    agent({}, { origin: "file", path: "/t.yaml", extras: { ...extras, apiKey: null } }),
    loaded(),
  );
  assertEquals(open.loaded.config.permissions?.deny, { write: ["/t.yaml"] });
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
  assertThrows(
    () => servers({ mcp: ["note"] }),
    ToolError,
    'Agent "a" uses the MCP server "note", which is not configured, did you mean "notes"?',
  );
  assertThrows(() => servers({ grants: { policy: "carefull" } }), ToolError, "is not one of");
});

Deno.test("configureAgent() takes the number of searches as a limit, wherever the agent says it", () => {
  const bound = (definition: AgentDefinition) =>
    configureAgent(agent(definition), loaded()).loaded.config.agent?.max_searches;
  assertEquals(bound({ search: { max_searches: 3 } }), 3);
  assertEquals(bound({ search: { max_searches: 3 }, limits: { max_searches: 0 } }), 0);
  assertEquals(bound({ search: {} }), undefined);
});
