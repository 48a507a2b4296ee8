import { assertEquals, assertThrows } from "@std/assert";

import { checkAgents } from "../../../../../runtime/host/config/check_agents.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";

/** Of a program in JavaScript, for which no type speaks. */
function problems(agents: unknown): string[] {
  const error = assertThrows(() => checkAgents(agents as Record<string, AgentDefinition>), ToolError);
  assertEquals(error.code, "invalid_input");
  return error.details.problems as string[];
}

Deno.test(
  "checkAgents() names each wrong field, and then what it may not mean",
  { permissions: "none" },
  () => {
    checkAgents({});
    checkAgents({ a: { kind: "plan", tools: ["Read"], limits: { max_rounds: 3 } } });
    const fields = problems({ a: { kind: "think", tols: [] }, b: { tools: "Read" }, c: 4 });
    assertEquals(fields, [
      `field 'a.kind' must be one of "tools", "sgr", "sgr-tools", "plan"`,
      'unknown field a.tols, did you mean "tools"?',
      "field 'b.tools' must be of type array",
      "field 'c' must be of type object",
    ]);
    assertEquals(problems({ "no name": { tools: [] } }), [
      'agents.no name must be named by letters, digits, ".", "_" or "-", with a letter first',
      "agents.no name.tools is empty: name tools, or leave it out for the usual ones",
    ]);
  },
);
