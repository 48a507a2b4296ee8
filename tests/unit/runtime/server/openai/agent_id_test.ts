import { assertEquals, assertMatch } from "@std/assert";

import { lastRunIn, plantedLine, toAgentId, toRunId } from "../../../../../runtime/server/openai/agent_id.ts";

const RUNS = ["20261123-100000-0a1b2c3d", "a", "0123456789abcdef", "My.session_of-today-" + "x".repeat(44)];

Deno.test("an agent's id has the form that clients look for, and leads back to its run", () => {
  for (const run of RUNS) {
    assertMatch(toAgentId(run), /^\w+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assertEquals(toRunId(toAgentId(run)), run);
  }
});

Deno.test("other texts are no ids of agents", () => {
  const uuid = "123e4567-e89b-12d3-a456-426614174000";
  for (const text of ["", "default", RUNS[0]!, `sgr_agent_${uuid}`, `run_${uuid}`, `run_0_${uuid}`]) {
    assertEquals(toRunId(text), null, text);
  }
});

Deno.test("of several ids in a text the last one counts", () => {
  const [one, other] = RUNS as [string, string];
  assertEquals(lastRunIn(`${plantedLine(one)}yes\n${plantedLine(other)}and`), other);
  assertEquals(lastRunIn("Agent x started"), null);
});
