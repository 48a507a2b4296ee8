import { assertEquals, assertStringIncludes } from "@std/assert";

import manifest from "../../../tools/manifest.json" with { type: "json" };
import { type ScriptedModel, scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { readEvents, runAgent, tell } from "../../support/cli/agent_scene.ts";
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
  ["--tool=Read", "--tool=TerminalWrite"],
  ["--tool=Grep=search", "--tool=ReadPDF", "--tool=Edit"],
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
    properties: { response: { type: "array", items: { type: "integer", description: "Value of type int" } } },
    required: ["response"],
  });
});

const FILES = { "ws/a.txt": "hello\n" };
const FEW = "--max-tools=5";
const SEARCH = { query: "search file contents with a regular expression", limit: 1 };
const WORK: readonly ScriptedTurn[] = [
  { tool_calls: [{ id: "c1", name: "search_tools", arguments: SEARCH }] },
  { tool_calls: [{ id: "c2", name: "Grep", arguments: { pattern: "hello" } }] },
  { text: "It is in a.txt." },
];

Deno.test("run lets the model find its tools if there are too many", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([...WORK, { text: "Still open." }]);
  const begun = await runAgent(scene, model, ["Find hello", FEW, "--session=s1", "--events"]);
  assertEquals(begun.code, 0, begun.stderr);
  const opened = [["search_tools"], ["search_tools", "Grep"], ["search_tools", "Grep"]];
  assertEquals(toolsOf(model), opened);
  const { events, end } = readEvents(begun.stdout);
  const calls = events.flatMap((event) => event.type === "tool.start" ? [`${event.id} ${event.tool}`] : []);
  assertEquals([calls, end.usage?.calls], [["c1 agent/search_tools", "c2 harness/Grep"], 2]);
  const [found] = events.flatMap((event) => event.type === "tool.end" ? [event.result] : []);
  assertStringIncludes(found?.text ?? "", "Opened, to be called from your next reply on:\n- Grep: ");
  const resumed = await runAgent(scene, null, ["More", "--resume=s1"]);
  assertEquals([resumed.code, resumed.stdout], [0, "Still open.\n"], resumed.stderr);
  assertEquals(toolsOf(model).at(-1), ["search_tools", "Grep"]);
});

Deno.test("a recording of a run with a search is replayed as it was", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel(WORK);
  const recorded = await tell(scene, model, ["Find hello", FEW, `--record=${scene.at("run.jsonl")}`]);
  assertEquals(recorded.code, 0, recorded.stderr);
  const replay = [`--model=replay:${scene.at("run.jsonl")}`, "--strict"];
  for (const words of [[FEW], [FEW, "--replay-tools"]]) {
    const { code, run, stderr } = await tell(scene, null, [...replay, ...words]);
    assertEquals([code, run.answer, run.usage.calls], [0, "It is in a.txt.", 2], stderr);
  }
  const all = await tell(scene, null, replay);
  assertEquals(all.run.termination_reason, "replay_differs");
  assertStringIncludes(all.stderr, "the tool search_tools was offered, and is not any more");
});

/** The names of the tools of each request. */
function toolsOf({ requests }: ScriptedModel): string[][] {
  return requests.map(({ body }) =>
    (body.tools as { function: { name: string } }[]).map(({ function: { name } }) => name)
  );
}
