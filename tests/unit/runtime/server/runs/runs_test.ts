import { assert, assertEquals, assertRejects } from "@std/assert";

import { RunDetail, RunList } from "../../../../../runtime/server/api/run_schemas.ts";
import type { HandlerAnswer, Request } from "../../../../../runtime/server/contract/answer.ts";
import { runHandlers } from "../../../../../runtime/server/runs/run_handlers.ts";
import type { Runs } from "../../../../../runtime/server/runs/runs.ts";
import type { AgentUsage } from "../../../../../schemas/agent/agent.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { scriptedModel } from "../../../../support/scripted_model.ts";
import { eventsOf, servedRuns } from "../../../../support/server/served_runs.ts";

const READ = { text: "I look.", tool_calls: [{ id: "c", name: "Read", arguments: { path: "a.txt" } }] };
const WRITE = { tool_calls: [{ id: "w", name: "Write", arguments: { path: "b.txt", content: "x\n" } }] };
const ANSWER = { text: "It says hello." };

async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await assertRejects(() => work, ToolError)).code;
}

/** Reads the events of a run until there is one of a type. */
async function until(runs: Runs, id: string, type: string): Promise<void> {
  for await (const some of await runs.follow(id, 0) ?? []) {
    if (some.some(({ event }) => event.type === type)) return;
  }
}

Deno.test("a run is started, followed to its end, and gone on with; its numbers rise by one", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([READ, ANSWER, { text: "Once more." }]);
  await using runs = servedRuns(ws, server.url);
  const { id, state, task } = await runs.start({ prompt: "What does a.txt say?" });
  assertEquals([state, task], ["running", "What does a.txt say?"]);
  const events = await eventsOf(runs, id);
  const types = events.map(({ event }) => event.type).filter((type) => !/text.delta|warning/.test(type));
  const turn = ["turn.start", "tool.start", "tool.end"];
  assertEquals(types, ["prompt", "run.start", ...turn, "turn.start", "run.end"]);
  const over = await runs.get(id);
  assertEquals([over.state, over.answer, over.termination_reason, over.events], [
    ...["completed", ANSWER.text, "completed", events.length],
  ]);
  assertEquals(await runs.follow(id, events.length), null);
  const counts = ({ usage }: { usage: AgentUsage | null }) => [usage?.rounds, usage?.calls];
  assertEquals(counts(over), [2, 1]);
  await runs.resume(id, { prompt: "Again" });
  assertEquals((await runs.settled(id)).answer, "Once more.");
  await using next = servedRuns(ws, server.url);
  const { runs: [listed] } = await next.list({});
  assertEquals(counts(listed!), [3, 1]);
  assertEquals(listed!.usage!.input_tokens > over.usage!.input_tokens, true);
  assertEquals(listed!.policy, "coder");
  assertEquals(listed!.grants, null);
  const all = await eventsOf(runs, id);
  assertEquals(all.map(({ n }) => n), all.map((_, at) => at + 1));
  assertEquals(all.slice(0, events.length), events);
  assertEquals(await eventsOf(runs, id, events.length), all.slice(events.length));
});

Deno.test("a run that was completed is so again if it is gone on with and nothing is left to do", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([ANSWER]);
  const id = await (async () => {
    await using runs = servedRuns(ws, server.url);
    const { id } = await runs.start({ prompt: "Hello" });
    await runs.settled(id);
    await runs.resume(id, {});
    const { state, answer } = await runs.settled(id);
    assertEquals([state, answer], ["completed", ANSWER.text]);
    return id;
  })();
  await using next = servedRuns(ws, server.url);
  const { state, answer, can } = await next.get(id);
  assertEquals([state, answer, can.resume], ["completed", ANSWER.text, true]);
  assertEquals(server.requests.length, 1);
});

Deno.test("questions for consent wait for their answer, and a stranger's place is refused", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n", "other/x": "" });
  await using server = scriptedModel([WRITE, WRITE, ANSWER]);
  const permissions = { "harness/Write": "confirm" as const };
  await using runs = servedRuns(ws, server.url, { host: { control: { permissions } } });
  const { id } = await runs.start({ prompt: "Write b.txt" });
  const waiting = await runs.settled(id);
  const [question] = waiting.questions;
  assertEquals([waiting.state, question?.kind, question?.tool], ["waiting", "consent", "harness/Write"]);
  assertEquals([waiting.usage?.rounds, waiting.usage?.calls], [1, 0]);
  assert(question?.change?.includes("+x"));
  assertEquals(await codeOf(runs.answer(id, { answer: "yes" })), "invalid_input");
  assertEquals(await codeOf(runs.answer(id, { question: "other", consent: "once" })), "conflict");
  assertEquals(await codeOf(runs.resume(id, {})), "conflict");
  await runs.answer(id, { consent: "no", reason: "not now" });
  await runs.settled(id);
  await runs.answer(id, { consent: "once" });
  const over = await runs.settled(id);
  assertEquals([over.state, ws.read("ws/b.txt")], ["completed", "x\n"]);
  const ends = (await eventsOf(runs, id)).flatMap(({ event }) =>
    event.type === "question.end" ? event.answer : []
  );
  assertEquals(ends, ["no", "once"]);
  assertEquals(await codeOf(runs.start({ prompt: "x", workspace: ws.at("other") })), "permission_denied");
  assertEquals(await codeOf(runs.start({ prompt: "x", model: "dear" })), "permission_denied");
  assertEquals(await codeOf(runs.start({ prompt: "x", agent: "nobody" })), "invalid_input");
  assertEquals(await codeOf(runs.get("none")), "not_found");
  assertEquals(await codeOf(runs.get("../x")), "not_found");
});

Deno.test("a run whose client asks nobody waits some time for consents, and once in vain", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([WRITE, ANSWER, WRITE, WRITE, ANSWER]);
  const permissions = { "harness/Write": "confirm" as const };
  await using runs = servedRuns(ws, server.url, { host: { control: { permissions } } });
  const request = { prompt: "Write b.txt", ask: false };
  const heard = await runs.start({ ...request, consentSeconds: 60 });
  const { state, questions: [question] } = await runs.settled(heard.id);
  assertEquals([state, question?.kind, question?.until !== undefined], ["waiting", "consent", true]);
  const over = runs.settled(heard.id, ["question"]);
  await runs.answer(heard.id, { consent: "once" });
  assertEquals([(await over).state, ws.read("ws/b.txt")], ["completed", "x\n"]);
  Deno.removeSync(ws.at("ws/b.txt"));
  const unheard = await runs.start({ ...request, consentSeconds: 0.05 });
  assertEquals((await runs.settled(unheard.id, ["question"])).state, "completed");
  const events = (await eventsOf(runs, unheard.id)).map(({ event }) => event);
  assertEquals(events.filter(({ type }) => type === "question").length, 1);
  const told = JSON.stringify(server.requests.at(-1)?.body).match(/nobody answered within 0.05 seconds/g);
  assertEquals(told?.length, 2);
});

Deno.test("a question of the model waits for its answer; without a person it is told that there is none", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const ask = { tool_calls: [{ id: "q", name: "AskUser", arguments: { question: "Which one?" } }] };
  await using server = scriptedModel([ask, ANSWER, ask, ANSWER]);
  await using runs = servedRuns(ws, server.url, { tools: { tools: ["AskUser"] } });
  const { id } = await runs.start({ prompt: "Do it" });
  const { state, questions } = await runs.settled(id);
  assertEquals([state, ...questions.map(({ kind, text }) => `${kind} ${text}`)], [
    "waiting",
    "question Which one?",
  ]);
  assertEquals(await codeOf(runs.answer(id, { consent: "once" })), "invalid_input");
  const answered = runs.answer(id, { answer: "the blue one" });
  assertEquals(await codeOf(runs.answer(id, { answer: "the red one" })), "conflict");
  assertEquals([(await answered).state, (await answered).questions], ["running", []]);
  assertEquals((await runs.settled(id)).state, "completed");
  assert(JSON.stringify(server.requests[1]?.body).includes("the blue one"));
  const alone = await runs.start({ prompt: "Do it", ask: false });
  assertEquals((await runs.settled(alone.id)).state, "completed");
});

Deno.test("a run waits in the queue, is stopped with the server, and goes on at the next one", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel((_, n) => n === 0 ? { text: "long text", stallAfter: 2 } : ANSWER);
  let [first, second, third] = ["", "", ""];
  {
    await using runs = servedRuns(ws, server.url, { maxRuns: 1 });
    ({ id: first } = await runs.start({ prompt: "One", client: "a" }));
    ({ id: second } = await runs.start({ prompt: "Two", client: "a" }));
    ({ id: third } = await runs.start({ prompt: "Three", client: "b" }));
    await until(runs, first, "text.delta");
    assertEquals((await runs.get(second)).state, "queued");
    assertEquals((await runs.list({})).runs.length, 3);
    assertEquals((await runs.cancel(third)).state, "interrupted");
  }
  await using runs = servedRuns(ws, server.url);
  const { runs: listed } = await runs.list({});
  assertEquals(listed.map(({ state }) => state), ["interrupted", "interrupted", "interrupted"]);
  for (const [id, prompt] of [[first, undefined], [second, undefined], [third, "And now?"]] as const) {
    const before = await eventsOf(runs, id);
    assertEquals(before.at(-1)?.event.type, "run.end");
    await Promise.all([
      runs.resume(id, prompt === undefined ? {} : { prompt }),
      assertRejects(() => runs.resume(id, {}), ToolError, "at work"),
    ]);
    assertEquals((await runs.settled(id)).state, "completed");
    const all = await eventsOf(runs, id);
    assertEquals(all.map(({ n }) => n), all.map((_, at) => at + 1));
    assertEquals(all.slice(0, before.length), before);
  }
  assertEquals((await runs.list({ search: "three" })).runs.map(({ id }) => id), [third]);
  const { runs: [newest], next } = await runs.list({ limit: 1 });
  assertEquals(newest?.id, third);
  assertEquals((await runs.list({ limit: 2, before: next! })).runs.map(({ id }) => id), [second, first]);
  const overlay = ws.at(`state/bulkhead/overlays/${third}`);
  Deno.mkdirSync(overlay, { recursive: true });
  Deno.writeTextFileSync(
    `${overlay}/overlay.json`,
    JSON.stringify({ v: 1, id: third, workspace: ws.at("ws") }),
  );
  assertEquals((await runs.get(third)).can.resume, false);
  assertEquals(await codeOf(runs.resume(third, { prompt: "On" })), "conflict");
  await runs.remove(third);
  assertEquals(Array.from(Deno.readDirSync(ws.at("state/bulkhead/overlays"))), []);
  assertEquals(await codeOf(runs.get(third)), "not_found");
});

Deno.test("a run that ended with its questions goes on with the answer, as the agent that it was", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const call = (name: string, input: unknown) => ({ tool_calls: [{ name, arguments: input }] });
  const think = call("reasoning_tool", {
    ...{ reasoning_steps: ["a", "b"], current_situation: "begun", plan_status: "none", enough_data: false },
    ...{ remaining_steps: ["ask"], task_completed: false },
  });
  const unclear = { reasoning: "unclear", unclear_terms: ["file"], assumptions: ["a", "b"] };
  const asks = { ...unclear, questions: ["Which file?"] };
  const done = { reasoning: "read", completed_steps: ["read"], status: "completed" };
  const answer = { ...done, answer: "It says hello." };
  const turns = [think, call("clarification_tool", asks), think, call("final_answer_tool", answer)];
  await using server = scriptedModel(turns);
  const tools = ["reasoning_tool", "clarification_tool", "final_answer_tool"].map((name) => `sgr/${name}`);
  const own = { asker: { kind: "sgr-tools" as const, tools }, other: {} };
  await using runs = servedRuns(ws, server.url, { agent: { own } });
  const { id } = await runs.start({ prompt: "Read it", agent: "asker", ask: false });
  const waiting = await runs.settled(id);
  assertEquals([waiting.state, waiting.agent, waiting.termination_reason], [
    ...["waiting", "asker", "waiting_for_clarification"],
  ]);
  assertEquals(waiting.questions.map(({ text }) => text), ["Which file?"]);
  await runs.answer(id, { answer: "a.txt, please" });
  const over = await runs.settled(id);
  assertEquals([over.state, over.answer, over.agent], ["completed", "It says hello.", "asker"]);
});

Deno.test("a run goes on without its client, unless the server was started otherwise", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel(() => ({ text: "long text, long text", stallAfter: 3 }));
  for (const stopOnDisconnect of [false, true]) {
    await using runs = servedRuns(ws, server.url, { stopOnDisconnect });
    const client = new AbortController();
    const { id } = await runs.start({ prompt: "Go", gone: client.signal });
    await until(runs, id, "text.delta");
    client.abort();
    if (!stopOnDisconnect) {
      assertEquals((await runs.get(id)).state, "running");
      await runs.cancel(id);
    }
    assertEquals((await runs.settled(id)).state, "interrupted");
  }
});

function request(some: Partial<Request> = {}): Request {
  return {
    ...{ params: {}, query: {}, body: undefined, headers: {}, client: "127.0.0.1", connections: 1 },
    signal: new AbortController().signal,
    ...some,
  };
}

async function textOf({ stream }: HandlerAnswer): Promise<string> {
  let text = "";
  for await (const piece of stream!.pieces) text += piece;
  return text;
}

Deno.test("runs are answered in the form of their schemas, and their events as a stream that can be taken up", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel(() => ({ text: "Hello\nyou." }));
  await using runs = servedRuns(ws, server.url);
  const handlers = runHandlers(runs);
  const { status, json } = await handlers.startRun!(request({ body: { prompt: "Hi" } }));
  const { id } = RunDetail.parse(json);
  assertEquals(status, 201);
  const params = { id };
  const followed = await handlers.followRun!(request({ params }));
  assertEquals(followed.stream?.type, "text/event-stream");
  const text = await textOf(followed);
  assert(text.startsWith("retry: 1000\n\nid: 1\nevent: prompt\ndata: {"));
  const [, n = "", data = ""] = /id: (\d+)\nevent: run\.end\ndata: (.*)\n\n$/.exec(text) ?? [];
  assertEquals([JSON.parse(data).v, JSON.parse(data).answer], [1, "Hello\nyou."]);
  const headers = { "last-event-id": `${Number(n) - 1}` };
  const rest = await handlers.followRun!(request({ params, headers }));
  assert((await textOf(rest)).startsWith(`retry: 1000\n\nid: ${n}\nevent: run.end`));
  assertEquals((await handlers.followRun!(request({ params, query: { after: Number(n) } }))).status, 204);
  const broken = request({ params, headers: { "last-event-id": "-1 x" } });
  const error = await assertRejects(async () => await handlers.followRun!(broken), ToolError);
  assertEquals(error.code, "invalid_input");
  const detail = RunDetail.strict().parse((await handlers.getRun!(request({ params }))).json);
  assertEquals([detail.state, detail.usage?.output_tokens], ["completed", 5]);
  const list = RunList.strict().parse((await handlers.listRuns!(request())).json);
  assertEquals(list.runs.map((run) => run.id), [id]);
  await handlers.resumeRun!(request({ params, body: { prompt: "And?" } }));
  assertEquals(RunDetail.parse((await handlers.cancelRun!(request({ params }))).json).can.cancel, false);
});
