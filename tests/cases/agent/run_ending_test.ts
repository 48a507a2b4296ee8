import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { readTrace } from "../../../runtime/state/sessions/trace_file.ts";
import { readEvents, runAgent, tell } from "../../support/cli/agent_scene.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

const call = (id: string, name: string, input: unknown) => ({ id, name, arguments: input });
const WORK = (scene: Scene) => [
  {
    tool_calls: [
      call("w", "Write", { path: "hello.txt", content: "hello\nyou\n" }),
      call("e", "Edit", { path: "a.txt", patch: "@@ -1 +1 @@\n-a\n+b\n" }),
      call("o", "Write", { path: "../out.txt", content: "x" }),
      call("s", "Read", { path: ".env" }),
    ],
  },
  { text: `Done in ${scene.ws}.` },
];

Deno.test("run tells at its end what it changed, what it refused, and how to go on", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", "ws/.env": "A=1\n" });
  await using model = scriptedModel([...WORK(scene), ...WORK(scene)]);
  const recording = scene.at("run.jsonl");
  const words = ["Go", "--session=s1", "--fail-on-refusal", `--record=${recording}`];
  const { code, run, stderr } = await tell(scene, model, words);
  const flags = [`--allow-write=${scene.at("out.txt")}`, `--allow-secrets=${scene.ws}/.env`];
  assertEquals([code, run.termination_reason, run.error], [3, "completed", null], stderr);
  assertEquals(run.changed, [
    { path: "a.txt", status: "modified", added: 1, removed: 1 },
    { path: "hello.txt", status: "added", added: 2, removed: 0 },
  ]);
  assertEquals(run.refused.map(({ tool, flags }) => [tool, ...flags]), [
    ["harness/Write", flags[0]!],
    ["harness/Read", flags[1]!],
  ]);
  assertEquals(run.resume, "bulkhead run --resume s1 '…'");
  assertStringIncludes(
    stderr,
    "changed a.txt +1 -1\nchanged hello.txt (new) +2\n" +
      `refused Write, Read; to allow it: ${flags.join(" ")}\ngo on   bulkhead run --resume s1 '…'\n`,
  );
  for (const name of ["hello.txt", "a.txt"]) Deno.writeTextFileSync(`${scene.ws}/${name}`, "a\n");
  Deno.removeSync(scene.at("ws/hello.txt"));
  const again = await runAgent(scene, null, [`--model=replay:${recording}`, "--session=s2", "--events"]);
  const { events, end } = readEvents(again.stdout);
  const verdicts = events.flatMap((event) =>
    event.type === "tool.end" ? [event.verdict ?? event.result.ok] : []
  );
  // What today's permissions refuse is refused, not played back, and reading runs again.
  assertEquals([verdicts, end.changed, scene.exists("ws/hello.txt")], [
    ["recorded", "recorded", false, false],
    [],
    false,
  ]);
  const lines = await readTrace(scene.at("state/bulkhead/sessions/s2/trace.jsonl"));
  assertEquals(lines.flatMap((line) => line.t === "result" ? [line.recorded ?? false] : []), [
    true,
    true,
    false,
    false,
  ]);
  const seen = await runAgent(scene, null, [`--model=replay:${recording}`, "--no-session"]);
  assert(/^recorded Write path=hello\.txt /m.test(seen.stderr), seen.stderr);
  assert(!seen.stderr.includes("changed") && !seen.stderr.includes("go on"), seen.stderr);
});

boxTest("run tells what programs changed", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", "ws/b.txt": "b\n" });
  await using model = scriptedModel([
    {
      tool_calls: [call("b", "Bash", { command: "echo more >> a.txt; rm b.txt; printf '1\\n2\\n' > c.txt" })],
    },
    { text: "Done." },
  ]);
  const { code, run } = await tell(scene, model, ["Go", "--no-session"]);
  assertEquals([code, run.refused, run.resume], [0, [], null]);
  assertEquals([run.session_id, run.trace_path, scene.exists("state/bulkhead/sessions")], [
    null,
    null,
    false,
  ]);
  assertEquals(run.changed, [
    { path: "a.txt", status: "modified", added: null, removed: null },
    { path: "b.txt", status: "deleted", added: null, removed: null },
    { path: "c.txt", status: "added", added: 2, removed: 0 },
  ]);
});

Deno.test("batch --fail-on-refusal ends with 3 also after another failure", async () => {
  using scene = makeScene({});
  const calls = [{ tool: "Read", arguments: { path: "none" } }, {
    tool: "Read",
    arguments: { path: "/etc/x" },
  }];
  assertEquals((await scene.batch(calls)).code, 1);
  assertEquals((await scene.batch(calls, ["--fail-on-refusal"])).code, 3);
});

Deno.test("run shows the files of the prompt, and warns of a name that is no file", async () => {
  using scene = makeScene({ "ws/a.txt": "1\n2\n" });
  await using model = scriptedModel([{ text: "Done." }, { text: "Done." }]);
  const prompt = "Look at @a.txt, @nofile.ts and ask @alice or me@example.org";
  const { stderr } = await runAgent(scene, model, [prompt, "--no-session"]);
  assertStringIncludes(stderr, "\nattached a.txt (2 lines)\n");
  assertStringIncludes(stderr, "\nwarning: @nofile.ts in the prompt names no file here");
  assertEquals(stderr.split("\n").filter((line) => line.startsWith("warning")).length, 1, stderr);
  const { stdout } = await runAgent(scene, model, [prompt, "--no-session", "--events"]);
  const { events } = readEvents(stdout);
  assertEquals(events.slice(0, 3).map(({ type }) => type), ["run.start", "warning", "attached"]);
});
