import { assert, assertEquals, assertRejects } from "@std/assert";

import { createAgent } from "../../../../../runtime/mod.ts";
import { openTrace } from "../../../../../runtime/state/sessions/trace_file.ts";
import { readBoundedLines } from "../../../../../runtime/text/lines.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { scriptedModel } from "../../../../support/scripted_model.ts";
import { eventsOf, servedIn, servedRuns } from "../../../../support/server/served_runs.ts";

const READ = { text: "I look.", tool_calls: [{ id: "c", name: "Read", arguments: { path: "a.txt" } }] };
const ANSWER = { text: "It says hello." };

function numbersOf(events: readonly { n: number }[]): boolean {
  return events.every(({ n }, at) => n === at + 1);
}

Deno.test("after kill -9 every run is there: what was at work and what waited can be gone on with", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const stalls = Promise.withResolvers<void>();
  await using server = scriptedModel((_, n) => {
    if (n > 0) stalls.resolve();
    return n === 0 ? READ : n === 1 ? { text: "long text, long text", stallAfter: 3 } : ANSWER;
  });
  const script = new URL("../../../../support/server/runs_process.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", script, ws.path, server.url],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const ids: string[] = [];
  for await (const line of readBoundedLines(child.stdout, 1_000)) {
    if (line === null) break;
    ids.push(line);
    if (ids.length === 2) break;
  }
  await stalls.promise;
  child.kill("SIGKILL");
  await child.status;
  await using runs = servedRuns(ws, server.url);
  const { runs: listed } = await runs.list({});
  assertEquals(
    listed.map(({ id, state }) => [id, state]).toSorted(),
    ids.map((id) => [id, "interrupted"]).toSorted(),
  );
  for (const id of ids) {
    const before = await eventsOf(runs, id);
    const end = before.at(-1)?.event;
    assertEquals(end?.type === "run.end" && end.termination_reason, "interrupted");
    await runs.resume(id, {});
    assertEquals((await runs.settled(id)).state, "completed");
    const all = await eventsOf(runs, id);
    assert(numbersOf(all));
    assertEquals(all.slice(0, before.length), before);
  }
  // It did not look twice.
  const calls = (await eventsOf(runs, ids[0]!)).filter(({ event }) => event.type === "tool.start");
  assertEquals(calls.length, 1);
});

Deno.test("a session of the command line is told like any other, and its numbers stay when it goes on", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([READ, ANSWER, { text: "More." }, { text: "Yet more." }]);
  const { env } = servedIn(ws, server.url).host;
  const model = { name: "m", baseUrl: server.url, apiKey: "" };
  const options = {
    workspace: ws.at("ws"),
    model,
    env,
    config: false as const,
    grants: { sandbox: "off" as const },
  };
  await using agent = createAgent(options);
  const { session_id } = await agent.run("What does a.txt say?");
  const id = session_id!;
  await using runs = servedRuns(ws, server.url);
  const [info] = (await runs.list({})).runs;
  assertEquals([info?.id, info?.state, info?.task], [id, "completed", "What does a.txt say?"]);
  const first = await eventsOf(runs, id);
  assertEquals(first.map(({ event }) => event.type), [
    ...["run.start", "prompt", "turn.start", "text.delta", "tool.start", "tool.end", "turn.start"],
    ...["text.delta", "run.end"],
  ]);
  await runs.resume(id, { prompt: "And?" });
  assertEquals((await runs.settled(id)).answer, "More.");
  const second = await eventsOf(runs, id);
  assertEquals([numbersOf(second), second.slice(0, first.length)], [true, first]);
  await agent.run("Go on", { resume: id });
  const third = await eventsOf(runs, id);
  assertEquals([numbersOf(third), third.slice(0, second.length)], [true, second]);
  assertEquals(third.flatMap(({ event }) => event.type === "prompt" ? event.text : []), [
    ...["What does a.txt say?", "And?", "Go on"],
  ]);
});

Deno.test("a session that another process is at work on is told as far as it is, and not gone on with", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([READ, ANSWER, { text: "More." }]);
  const { env } = servedIn(ws, server.url).host;
  const model = { name: "m", baseUrl: server.url, apiKey: "" };
  await using agent = createAgent({
    ...{ workspace: ws.at("ws"), model, env, config: false },
    grants: { sandbox: "off" },
  });
  const { session_id, trace_path } = await agent.run("What does a.txt say?");
  const [id, path] = [session_id!, trace_path!];
  const lines = ws.read(`state/bulkhead/sessions/${id}/trace.jsonl`).trimEnd().split("\n");
  Deno.writeTextFileSync(path, `${lines.slice(0, -1).join("\n")}\n`);
  await using runs = servedRuns(ws, server.url);
  {
    using _held = await openTrace(path, { redact: (text) => text });
    const { state, can } = await runs.get(id);
    assertEquals([state, can.resume], ["running", false]);
    const events = await eventsOf(runs, id);
    assertEquals([events.length, events.at(-1)?.event.type, numbersOf(events)], [8, "text.delta", true]);
    assertEquals(await eventsOf(runs, id, 5), events.slice(5));
    assertEquals((await assertRejects(() => runs.resume(id, {}), ToolError)).code, "conflict");
  }
  const after = await eventsOf(runs, id);
  assertEquals([after.length, after.at(-1)?.event.type], [9, "run.end"]);
  // Whether somebody is at work on it is tried for a short time only, which a busy machine may take for itself.
  let state = "running";
  for (const end = Date.now() + 20_000; state === "running" && Date.now() < end;) {
    ({ state } = await runs.get(id));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assertEquals(state, "interrupted");
});
