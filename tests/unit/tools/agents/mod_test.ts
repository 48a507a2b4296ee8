import { assert, assertEquals } from "@std/assert";

import { THINKING_KINDS } from "../../../../schemas/step/thinking.ts";
import { agentClasses, agents } from "../../../../tools/agents/mod.ts";
import { loaders } from "../../../../tools/mod.ts";

Deno.test("agents and classes name tools that exist, each once", () => {
  const lists = [...Object.values(agents), ...Object.values(agentClasses)].map(({ tools = [] }) => tools);
  assertEquals(lists.flat().filter((name) => !Object.hasOwn(loaders, name)), []);
  for (const list of lists) assertEquals(new Set(list).size, list.length);
  assert(
    [...Object.values(agents), ...Object.values(agentClasses)].every(({ kind = "tools" }) =>
      Object.hasOwn(THINKING_KINDS, kind)
    ),
  );
});

Deno.test("the agents that are promised are there, and the usual one says nothing but what a run does anyway", () => {
  assertEquals(Object.keys(agents), ["default", "research", "manus", "swe", "data_analysis", "dialog"]);
  const { description: _, ...usual } = agents.default!;
  assertEquals(usual, { kind: "tools" });
});
