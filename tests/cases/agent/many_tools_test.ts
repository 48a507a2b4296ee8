import { assertEquals, assertStringIncludes } from "@std/assert";

import { type ScriptedModel, scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { readEvents, runAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

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

Deno.test("run offers all tools if they are not too many", async () => {
  using scene = makeScene(FILES);
  await using model = scriptedModel([{ text: "Done." }]);
  const { code, stderr } = await tell(scene, model, ["Go", "--tool=Read", "--tool=Grep", "--max-tools=2"]);
  assertEquals([code, toolsOf(model)], [0, [["Read", "Grep"]]], stderr);
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

Deno.test("run reads the number of tools from the configuration", async () => {
  using scene = makeScene({ ...FILES, "config.json": '{"agent":{"max_tools":5}}' });
  await using model = scriptedModel([{ text: "Done." }]);
  const { code, stderr } = await tell(scene, model, ["Go", `--config=${scene.at("config.json")}`]);
  assertEquals([code, toolsOf(model)], [0, [["search_tools"]]], stderr);
});

/** The names of the tools of each request. */
function toolsOf({ requests }: ScriptedModel): string[][] {
  return requests.map(({ body }) =>
    (body.tools as { function: { name: string } }[]).map(({ function: { name } }) => name)
  );
}
