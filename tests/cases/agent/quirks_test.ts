import { assert, assertEquals } from "@std/assert";

import { type Quirk, QUIRKS, quirkServer } from "../../support/quirk_server.ts";
import { readEvents, runAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

const FILES = { "ws/package.json": "{}\n" };

Deno.test("run carries out a call as text with a nearly right name and parameter, and shows no thoughts", async () => {
  using scene = makeScene(FILES);
  const call =
    '<think>\nI look.\n</think>\n<tool_call>{"name":"functions.read","arguments":{"file_path":"package.json"}}';
  await using model = quirkServer(({ replies }) => ({ text: replies > 0 ? "<think>Hm.</think>\nok" : call }));
  const { code, stdout } = await runAgent(scene, model, ["Look", "--no-session", "--events"]);
  const { events, end } = readEvents(stdout);
  assertEquals([code, end.answer, end.usage.calls, end.usage.failed], [0, "ok", 1, 0]);
  const [warnings] = events.flatMap((event) => event.type === "tool.end" ? [event.result.warnings] : []);
  assertEquals(warnings, [
    "The call was written as text and was read as a call",
    "Parameter 'file_path' was read as 'path'",
  ]);
  const shown = events.flatMap((event) => event.type === "text.delta" ? [event] : [])
    .reduce((text, event) => event.restart ? event.text : text + event.text, "");
  assertEquals(shown, "ok");
  const [, , assistant, result] = model.requests[1]?.body.messages ?? [];
  assertEquals(assistant.tool_calls[0].function.name, "Read");
  assert(result.content.includes("{}"), result.content);
});

Deno.test("run prints the last part of an answer that is cut off, and tells a person of the others", async () => {
  using scene = makeScene(FILES);
  await using model = quirkServer(QUIRKS.length);
  const { code, stdout, stderr } = await runAgent(scene, model, ["Write", "--no-session"]);
  assertEquals([code, stdout], [7, "cut in the mid\n"]);
  const told = (n: number) =>
    `cut in the mid\nwarning: the model's reply was cut off, it is asked again (${n} of 5)\n`;
  assert(stderr.includes([2, 3, 4, 5].map(told).join("")), stderr);
  assert(stderr.includes("bulkhead: cut_off: "), stderr);
});

Deno.test("run bounds the silence of a model by a flag or the configuration", async () => {
  using scene = makeScene({ ...FILES, "config.json": '{"models":{"test-model":{"idle_seconds":0.2}}}' });
  const cases = [["--max-silence=0.2"], [`--config=${scene.at("config.json")}`]];
  for (const words of cases) {
    await using model = quirkServer(QUIRKS.silent);
    const { code, run } = await tell(scene, model, ["Wait", "--no-session", ...words]);
    assertEquals([code, run.termination_reason, model.requests.length], [5, "model_unreachable", 2]);
    assert(run.error?.message.includes("silent for 0.2 s"), run.error?.message);
  }
});

Deno.test("run goes on with a session where a server takes no user behind a result", async () => {
  using scene = makeScene(FILES);
  const call = { tool_calls: [{ name: "Read", arguments: { path: "package.json" } }] };
  const quirk: Quirk = (asked) => asked.replies === 0 ? call : QUIRKS.mistral({ ...asked, replies: 1 });
  await using first = quirkServer((asked) => asked.n === 0 ? quirk(asked) : { status: 400, body: "no" });
  const ended = await tell(scene, first, ["Look"]);
  assertEquals(ended.code, 5);
  await using second = quirkServer(quirk);
  const more = await tell(scene, second, ["more", "--resume"]);
  assertEquals([more.code, more.run.answer, second.requests.length], [0, "ok", 2]);
  const roles = second.requests[1]?.body.messages.map(({ role }: { role: string }) => role);
  assertEquals(roles.slice(-4), ["assistant", "tool", "assistant", "user"]);
});
