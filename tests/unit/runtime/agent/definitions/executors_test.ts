import { assertEquals, assertThrows } from "@std/assert";

import { executorsOf, toolsBeside } from "../../../../../runtime/agent/definitions/executors.ts";
import type { KnownAgent } from "../../../../../runtime/agent/definitions/known_agents.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };

const manifest = manifestJson as unknown as Manifest;

function known(agents: Record<string, AgentDefinition>) {
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
  assertEquals(executorsOf({ name: "team", definition }, known({ writer: WRITER })), {
    writer: {
      description: "writes",
      tools: ["Write", "sgr/create_report_tool"],
      system: "You write.",
      max_iterations: 7,
    },
    editor: { description: "edits", tools: ["Edit"], system: "You write.", max_iterations: 2 },
    reader: { description: "reads" },
  });
  assertEquals(executorsOf({ name: "team", definition: {} }, known({})), undefined);
});

Deno.test("executorsOf() says which executor names nobody, or nothing", () => {
  const of = (executors: AgentDefinition["executors"]) =>
    assertThrows(
      () => executorsOf({ name: "team", definition: { executors: executors! } }, known({ writer: WRITER })),
      ToolError,
    );
  const unknown = of({ one: { agent: "writr" } });
  assertEquals(unknown.code, "configuration");
  assertEquals(
    unknown.message,
    'Executor "one" of agent "team": Unknown agent "writr", did you mean "writer"?',
  );
  assertEquals(
    of({ one: {} }).message,
    'Executor "one" of agent "team" has no description: say what it is good at',
  );
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
