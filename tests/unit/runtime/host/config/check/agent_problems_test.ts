import { assertEquals } from "@std/assert";

import { agentProblems, isAgentName } from "../../../../../../runtime/host/config/check/agent_problems.ts";
import type { AgentDefinition } from "../../../../../../schemas/step/agent_definition.ts";

const problems = (agent: AgentDefinition, name = "a") => agentProblems({ agents: { [name]: agent } });

Deno.test("agentProblems() says what is wrong with an agent, and what helps", { permissions: "none" }, () => {
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

Deno.test("isAgentName() takes names that stand well in a command line", { permissions: "none" }, () => {
  for (const name of ["a", "A1", "sgr_tool-calling.agent", "a".repeat(64)]) {
    assertEquals(isAgentName(name), true);
  }
  for (const name of ["", "1a", "-a", "a b", "a/b", "ä", "__proto__", "a".repeat(65)]) {
    assertEquals(isAgentName(name), false, name);
  }
  assertEquals(problems({}, "a b"), [
    'agents.a b must be named by letters, digits, ".", "_" or "-", with a letter first',
  ]);
});
