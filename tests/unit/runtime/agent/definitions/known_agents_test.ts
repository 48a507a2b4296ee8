import { assertEquals, assertRejects, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../../../schemas/step/agent_definition.ts";
import { findAgent, knownAgents, usualAgent } from "../../../../../runtime/agent/definitions/known_agents.ts";
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
  for (
    const [name, message] of [
      ["manu", 'Unknown agent "manu", did you mean "manus"?'],
      [
        "constructor",
        'Unknown agent "constructor": there are default, research, manus, swe, data_analysis, dialog',
      ],
      [
        "__proto__",
        'Unknown agent "__proto__": there are default, research, manus, swe, data_analysis, dialog',
      ],
    ] as const
  ) {
    const error = assertThrowsError(() => findAgent(name, all));
    assertEquals([error.code, error.message], ["invalid_input", message]);
  }
});

Deno.test("usualAgent() takes the only agent of a file, and asks for a name where there are several", async () => {
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  try {
    const one = "a: { base_class: SGRAgent, tools: [final_answer_tool] }";
    await Deno.writeTextFile(file, `agents: { ${one} }`);
    assertEquals(usualAgent(await known({ file }), { file }), "a");
    await Deno.writeTextFile(file, `agents: { ${one}, b: {} }`);
    const several = await known({ file });
    const error = assertThrowsError(() => usualAgent(several, { file: "team.yaml" }));
    assertEquals(error.message, '"team.yaml" has several agents: choose one with --agent: a, b');
    assertEquals(usualAgent(several, {}), "default");
  } finally {
    await Deno.remove(file);
  }
  const error = await assertRejects(() => known({ file: "/gone.yaml" }), ToolError) as unknown as ToolError;
  assertEquals(error.message, 'Cannot use agents "/gone.yaml": there is no such file');
});

function assertThrowsError(run: () => unknown): ToolError {
  let thrown: unknown;
  assertThrows(() => {
    try {
      run();
    } catch (error) {
      thrown = error;
      throw error;
    }
  }, ToolError);
  return thrown as ToolError;
}
