import { assertEquals } from "@std/assert";

import manifest from "../../../tools/manifest.json" with { type: "json" };
import { scriptedModel } from "../../support/scripted_model.ts";
import { runAgent } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

const NAMES: readonly string[] = [...new Set(manifest.tools.map(({ name }) => name))];

/** Where a text speaks of a tool. Some are called like everyday words, which also begin sentences. */
function mentions(name: string, text: string): string[] {
  const isWord = /^[A-Z]?[a-z]+$/.test(name);
  const pattern = !isWord
    ? `\\b${name}\\b`
    : /^[A-Z]/.test(name)
    ? `(?<=[\\w,;)] )${name}\\b`
    : `\`${name}\`|\\b(?:call|tools?) ${name}\\b|\\b${name} (?:tool|can)\\b`;
  return [...text.matchAll(new RegExp(`.{0,40}(?:${pattern}).{0,40}`, "g"))].map(([part]) => part);
}

/** All that a model is told before its first reply. */
// deno-lint-ignore no-explicit-any
function textsOf({ messages, tools }: any): string {
  // deno-lint-ignore no-explicit-any
  const said = [...messages.map(({ content }: any) => content), ...tools.map((tool: any) => tool.function)];
  return said.map((part) => typeof part === "string" ? part : JSON.stringify(part)).join("\n");
}

async function firstRequest(words: readonly string[], files: Record<string, string> = {}) {
  using scene = makeScene({ "ws/a.txt": "a\n", ...files });
  await using model = scriptedModel([{ text: "Done." }]);
  const { code, stderr } = await runAgent(scene, model, ["Look around", "--no-session", ...words]);
  assertEquals(code, 0, stderr);
  return model.requests[0]!.body;
}

const CHOICES: readonly (readonly string[])[] = [
  [],
  ["--tool=Bash"],
  ["--tool=Read", "--tool=TerminalWrite"],
  ["--tool=Grep=search", "--tool=ReadPDF", "--tool=Edit"],
  ["--extra-tool=ReadDocument"],
  ["--toolset=par"],
  ["--toolset=manus", "--extra-tool=Write"],
];

for (const words of CHOICES) {
  Deno.test(`run ${words.join(" ")} tells the model of no tool that it is not offered`, async () => {
    const body = await firstRequest(words);
    const offered: string[] = body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    const text = textsOf(body);
    const others = NAMES.filter((name) => !offered.includes(name));
    assertEquals(others.flatMap((name) => mentions(name, text)), []);
    assertEquals(offered.length > 0 && text.includes("# How to work"), true);
  });
}

/** An action may be called like a tool. */
function actionsOf(
  { input_schema }: Pick<typeof manifest.tools[number], "input_schema">,
): readonly unknown[] {
  const { action } = (input_schema as { properties?: Record<string, { enum?: unknown[] }> }).properties ?? {};
  return action?.enum ?? [];
}

Deno.test("no argument of a tool is described by the name of another one", () => {
  const found = manifest.tools.flatMap((tool) =>
    NAMES.filter((name) => name !== tool.name && !actionsOf(tool).includes(name)).flatMap((name) =>
      mentions(name, JSON.stringify(tool.input_schema)).map((part) => `${tool.full_name}: ${part}`)
    )
  );
  assertEquals(found, []);
});

Deno.test("mentions are found", () => {
  const text = "Look with Grep, then use ReadPDF or call bash. Read it. The bash of the system.";
  assertEquals(["Grep", "ReadPDF", "bash", "Read"].map((name) => mentions(name, text).length), [1, 1, 1, 0]);
});

Deno.test("run offers a completion of the type that the user chose", async () => {
  const config = { tools: { "manus/create_chat_completion": { response_type: "List[int]" } } };
  const body = await firstRequest(["--tool=create_chat_completion"], {
    "home/.config/bulkhead/config.json": JSON.stringify(config),
  });
  assertEquals(body.tools[0].function.parameters, {
    type: "object",
    properties: {
      response: { type: "array", items: { type: "integer", description: "Value of type int" } },
    },
    required: ["response"],
  });
});
