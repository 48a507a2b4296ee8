import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import { createAgent } from "../../../../../runtime/mod.ts";
import { KnownRuns } from "../../../../../runtime/server/runs/known_runs.ts";
import { lastEvent, readLog, RunLog } from "../../../../../runtime/server/runs/run_log.ts";
import { RunQueue } from "../../../../../runtime/server/runs/run_queue.ts";
import type { NumberedEvent } from "../../../../../runtime/server/runs/runs.ts";
import type { KeptRequest } from "../../../../../runtime/server/runs/settings/kept_request.ts";
import { tracePath } from "../../../../../runtime/state/sessions/session_folder.ts";
import { openTrace } from "../../../../../runtime/state/sessions/trace_file.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { type Workspace, workspace } from "../../../../support/run_tool.ts";
import { scriptedModel } from "../../../../support/scripted_model.ts";
import { eventsOf, servedIn, servedRuns } from "../../../../support/server/served_runs.ts";
import { endLine, runLine, taskLine } from "../../../../support/trace_scene.ts";

const READ = { text: "I look.", tool_calls: [{ id: "c", name: "Read", arguments: { path: "a.txt" } }] };
const ANSWER = { text: "It says hello." };

function numbersOf(events: readonly { n: number }[]): boolean {
  return events.every(({ n }, at) => n === at + 1);
}

/** An agent as the command line has it. */
function agentIn(ws: Workspace, url: string) {
  const { env } = servedIn(ws, url).host;
  const model = { name: "m", baseUrl: url, apiKey: "" };
  return createAgent({ workspace: ws.at("ws"), model, env, config: false, grants: { sandbox: "off" } });
}

Deno.test("a session of the command line is told like any other, and its numbers stay when it goes on", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([READ, ANSWER, { text: "More." }, { text: "Yet more." }]);
  await using agent = agentIn(ws, server.url);
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
  await using agent = agentIn(ws, server.url);
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
  let { state } = await runs.get(id);
  while (state === "running") ({ state } = await runs.get(id));
  assertEquals(state, "interrupted");
});

const SESSIONS = 60;

Deno.test("a list of sessions is searched and paged, and does not read again what has not changed", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  const state = ws.at("state");
  for (let n = 0; n < SESSIONS; n++) {
    const folder = `${state}/sessions/s${String(n).padStart(4, "0")}`;
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const workspace = n % 2 === 0 ? ws.at("ws") : "/elsewhere";
    const lines = [runLine({ workspace }), taskLine(`task number-${n}.`)];
    Deno.writeTextFileSync(
      `${folder}/trace.jsonl`,
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
  }
  const known = new KnownRuns(state, [ws.at("ws")]);
  const found: string[] = [];
  let before: string | undefined;
  let pages = 0;
  do {
    const query = { limit: 12, ...(before !== undefined && { before }) };
    const { runs, next } = await known.list(query, new Map());
    found.push(...runs.map(({ id }) => id));
    before = next ?? undefined;
    pages++;
  } while (before !== undefined);
  assertEquals([pages, found.length, new Set(found).size], [3, SESSIONS / 2, SESSIONS / 2]);
  const { runs } = await known.list({ search: "NUMBER-58." }, new Map());
  assertEquals(runs.map(({ id, state, task }) => [id, state, task]), [[
    "s0058",
    "interrupted",
    "task number-58.",
  ]]);
  // Whoever reads this trace again finds no session in it.
  const path = `${state}/sessions/s0058/trace.jsonl`;
  const { size, mtime } = Deno.statSync(path);
  Deno.writeTextFileSync(path, "x".repeat(size));
  Deno.utimeSync(path, mtime!, mtime!);
  assertEquals((await known.list({ search: "number-58." }, new Map())).runs, runs);
  assertEquals(known.find("s0001"), null);
  const stands = async () => (await known.info(known.find("s0002")!, null)).state;
  assertEquals(await stands(), "interrupted");
  {
    // Whoever is at work on a session has its trace.
    using _held = await openTrace(tracePath(state, "s0002"), { redact: (text) => text });
    assertEquals(await stands(), "running");
  }
  // Deno 2.6 gets the lock, for which it waited meanwhile, some time later.
  while (await stands() === "running");
  assertEquals(await stands(), "interrupted");
});

Deno.test("a run that was interrupted before the model was asked says so, and no outcome of an earlier request", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  const state = ws.at("state");
  const folder = `${state}/sessions/s1`;
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const request: KeptRequest = {
    ...{ v: 1, time: "2026-01-01T00:00:00.000Z", workspace: ws.at("ws"), task: "wait", client: "c" },
    ...{ choice: {}, said: { prompt: "wait", before: null, images: [] }, failure: null },
  };
  Deno.writeTextFileSync(`${folder}/served.json`, JSON.stringify(request));
  for (const [ended, told] of [["interrupted", "interrupted"], ["completed", null]] as const) {
    const lines = [
      runLine({ workspace: ws.at("ws") }),
      taskLine("wait"),
      endLine({ termination_reason: ended }),
    ];
    Deno.writeTextFileSync(tracePath(state, "s1"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const known = new KnownRuns(state, [ws.at("ws")]);
    const { state: stands, termination_reason } = await known.info(known.find("s1")!, null);
    assertEquals([stands, termination_reason], ["interrupted", told]);
  }
});

/** Disconnects of clients that come back with the number of their last event. */
const DISCONNECTS = 100;
const EVENTS = 2_000;

Deno.test("a log is whole after a torn line, and shows no secret that comes in pieces", async () => {
  using ws = workspace({});
  const path = ws.at("events.jsonl");
  {
    using log = new RunLog(path, ["hunter2secret"]);
    for (const text of ["it is hun", "ter2", "secret, "]) log.write({ type: "text.delta", text });
    log.write({ type: "warning", message: "hunter2secret" });
    assertEquals(log.last, 3);
  }
  Deno.writeTextFileSync(path, '{"n":4,"time":"', { append: true });
  assertEquals(lastEvent(path)?.n, 3);
  using log = new RunLog(path, []);
  log.write({ type: "warning", message: "x".repeat(600_000) });
  assertEquals([log.last, lastEvent(path)?.n], [4, 4]);
  log[Symbol.dispose]();
  const events: NumberedEvent[] = [];
  for await (const some of readLog(path, { after: 0, live: log })) events.push(...some);
  assertEquals(events.map(({ n }) => n), [1, 2, 3, 4]);
  assert(!Deno.readTextFileSync(path).includes("hunter2"));
  const told = events.slice(0, 3).map(({ event }) => "text" in event ? event.text : event.type);
  assertEquals(told, ["it is ", "[redacted], ", "warning"]);
});

Deno.test("the events are whole over 100 random disconnects while they come", async () => {
  using ws = workspace({});
  using log = new RunLog(ws.at("events.jsonl"), []);
  const numbers: number[] = [];
  let connections = 0;
  const read = async () => {
    for (;;) {
      const after = numbers.at(-1) ?? 0;
      const leaves = connections++ < DISCONNECTS
        ? Math.floor(Math.random() * 2 * EVENTS / DISCONNECTS)
        : Infinity;
      let got = 0;
      for await (const some of readLog(log.path, { after, live: log })) {
        for (const { n } of some) if (got++ < leaves) numbers.push(n);
        if (got >= leaves) break;
      }
      if (numbers.length === EVENTS && connections > DISCONNECTS) return;
    }
  };
  const reading = read();
  for (let n = 1; n <= EVENTS; n++) {
    log.write({ type: "text.delta", text: `${n} ` });
    if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  log[Symbol.dispose]();
  await reading;
  assertEquals(numbers, Array.from({ length: EVENTS }, (_, at) => at + 1));
  assert(connections > DISCONNECTS);
});

Deno.test("clients take turns, and of one client the first comes first", async () => {
  const queue = new RunQueue(1);
  const begun: string[] = [];
  const places = new Map<string, number[]>();
  const ends: (() => void)[] = [];
  const run = (client: string, name: string) => ({
    client,
    onPlace: (ahead: number) => void places.set(name, [...places.get(name) ?? [], ahead]),
    start: () => {
      begun.push(name);
      return new Promise<void>((resolve) => void ends.push(resolve));
    },
  });
  for (const name of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.add(run(name[0]!, name));
  const gone = run("a", "a4");
  queue.add(gone);
  assertEquals([queue.remove(gone), queue.remove(gone)], [true, false]);
  for (let n = 1; n <= 6; n++) {
    assertEquals(begun.length, n);
    ends.shift()!();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assertEquals(begun, ["a1", "a2", "b1", "c1", "a3", "b2"]);
  assertEquals(places.get("b2"), [4, 4, 4, 3, 2, 1, 0]);
});

Deno.test("only so many wait", () => {
  const queue = new RunQueue(1);
  const run = { client: "a", onPlace() {}, start: () => new Promise(() => {}) };
  for (let n = 0; n < 257; n++) {
    queue.check();
    queue.add({ ...run });
  }
  assertEquals(assertThrows(() => queue.check(), ToolError).code, "rate_limited");
});
