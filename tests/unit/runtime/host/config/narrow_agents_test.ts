import { assertEquals } from "@std/assert";

import { narrowAgents } from "../../../../../runtime/host/config/narrow_agents.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";

Deno.test("narrowAgents() takes from a project what grants nothing, and tells of the rest", {
  permissions: "none",
}, () => {
  const told: [string, string][] = [];
  const given: Required<AgentDefinition> = {
    description: "d",
    kind: "sgr",
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
  assertEquals(narrowed, {
    a: {
      description: "d",
      kind: "sgr",
      tools: ["Read"],
      limits: { max_rounds: 3 },
      grants: { policy: "read-only", deny: { net: true } },
    },
    b: {},
  });
  assertEquals(told, [
    ["agents.a.prompts", "not trusted; write it into the AGENTS.md of the project"],
    ["agents.a.executors", "not trusted"],
    ["agents.a.model", "not trusted"],
    ["agents.a.search", "not trusted"],
    ["agents.a.mcp", "not trusted"],
    ["agents.a.grants.allow", "not trusted"],
  ]);
});
