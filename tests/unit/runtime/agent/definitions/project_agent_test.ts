import { assertEquals } from "@std/assert";

import type { Manifest } from "../../../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";
import { projectTools, untrustedFields } from "../../../../../runtime/agent/definitions/project_agent.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };

const places = { manifest: manifestJson as unknown as Manifest, path: "/p/bulkhead.json" };
const LEAD = "project configuration /p/bulkhead.json: agents.a";

function narrowed(definition: AgentDefinition, narrower: AgentDefinition | null) {
  const origin = narrower === null ? "project" : "configuration";
  return projectTools({ name: "a", definition, narrower, origin }, places);
}

Deno.test("projectTools() leaves of a project's own agent what the run has, and what touches nothing", () => {
  const tools = [
    "Read",
    "Bash=shell",
    "final_answer_tool",
    "par/bash",
    "ReadDocument",
    "web_search_tool",
    "words",
  ];
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
  assertEquals(
    untrustedFields(
      "a",
      { kind: "plan", description: "x", tools: ["Read"], limits: {}, grants: {} },
      "/p/bulkhead.json",
    ),
    [
      `${LEAD}.kind ignored: not trusted, for the agent is not the project's own`,
      `${LEAD}.description ignored: not trusted, for the agent is not the project's own`,
    ],
  );
});
