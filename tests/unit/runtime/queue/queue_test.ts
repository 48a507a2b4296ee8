import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";

import { readQueueUrl, shownQueue } from "../../../../runtime/queue/address/read_queue_url.ts";
import type { EngineSettings, OrderOutcome } from "../../../../runtime/queue/contract/engine.ts";
import { openEngine } from "../../../../runtime/queue/open_engine.ts";
import type { OrderAnswer } from "../../../../runtime/queue/orders/orders.ts";
import { toBody } from "../../../../runtime/queue/orders/read_orders.ts";
import { chooseLane } from "../../../../runtime/queue/submit/choose_lane.ts";
import { JobOutcomes } from "../../../../runtime/queue/submit/job_outcomes.ts";
import { Window } from "../../../../runtime/queue/submit/window.ts";
import { keepLeftFiles } from "../../../../runtime/queue/work/left_files.ts";
import { narrowMore } from "../../../../runtime/queue/work/narrow_more.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { CLOSED_PORT } from "../../../support/queue/nats_server.ts";
import { bytes, openOn } from "../../../support/queue/queue_scene.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("a worker hands over the files that a call left, and nothing that took their place", async () => {
  using ws = workspace({ plain: "plain", secret: "secret", "out/dir": "out/dir" });
  await Deno.symlink("secret", ws.at("link"));
  await Deno.symlink("out", ws.at("folder"));
  await new Deno.Command("mkfifo", { args: [ws.at("pipe")] }).output();
  const put: string[] = [];
  const engine = {
    putBlob: (_order: unknown, _key: string, bytes: Uint8Array) =>
      Promise.resolve(void put.push(new TextDecoder().decode(bytes))),
  };
  const names = ["plain", "link", "pipe", "folder/dir"];
  const artifacts = names.map((name) => ({ name, path: ws.at(name), bytes: 5 }));
  const result = { artifacts, warnings: [] as string[] };
  const kept = await keepLeftFiles(engine as never, {} as never, result as never);
  assertEquals([put, kept.map(({ name }) => name)], [["plain"], ["0-plain"]]);
  assertStringIncludes(result.warnings.join(), "3 files stayed on the worker");
});

const none = { env: () => undefined };

Deno.test("readQueueUrl() reads nodes, ports, TLS and credentials", () => {
  const { nodes, tls, credentials } = readQueueUrl("tls://u%40x:p@a.example,[::1]:5000", none);
  assertEquals(nodes, [{ host: "a.example", port: 4222 }, { host: "::1", port: 5000 }]);
  assertEquals([tls, credentials], [{ ca: null }, { kind: "user", user: "u@x", password: "p" }]);
  assertEquals(readQueueUrl("nats://t@h", none).credentials, { kind: "token", token: "t" });
  const env = (name: string) => ({ BULKHEAD_QUEUE_USER: "me", BULKHEAD_QUEUE_PASSWORD: "pw" })[name];
  assertEquals(readQueueUrl("nats://h", { env }).credentials, { kind: "user", user: "me", password: "pw" });
});

Deno.test("readQueueUrl() refuses what is no queue, and shows no credentials", () => {
  const named = ["", "h:0", "h:70000", "a b"].map((rest) => `nats://u:secret@${rest}`);
  for (const url of ["h:4222", "http://h", ...named]) {
    const error = assertThrows(() => readQueueUrl(url, none), ToolError);
    assertEquals([error.code, error.message.includes("secret")], ["invalid_input", false], url);
  }
  assertThrows(() => readQueueUrl("nats://h", { ...none, ca: "PEM" }), ToolError, "tls://");
  assert(!shownQueue("nats://u:secret@h").includes("secret"));
});

Deno.test("openEngine() says what is no nats-server", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answering = (async () => {
    for await (const conn of listener) {
      await conn.write(bytes("220 mail ready\r\n"));
      conn.close();
    }
  })();
  const { port } = listener.addr as Deno.NetAddr;
  const { code, message } = await refusal(openOn([{ port }]));
  assertEquals(code, "external_failure");
  assertStringIncludes(message, "it does not greet as nats-server does, check the port");
  listener.close();
  await answering;
});

Deno.test("openEngine() gives up when it is asked to", async () => {
  const giveUp = new AbortController();
  const settings: EngineSettings = {
    scheme: "nats",
    nodes: [{ host: "127.0.0.1", port: CLOSED_PORT }],
    tls: null,
    credentials: { kind: "none" },
    ...{ replicas: 1, keepMs: 60_000, mostOrders: 10 },
  };
  const opening = openEngine(settings, { onLink() {}, signal: giveUp.signal });
  const reason = new ToolError("cancelled", "no more");
  giveUp.abort(reason);
  assertEquals(await assertRejects(() => opening), reason);
  // A signal of the system is no error.
  const signal = AbortSignal.abort("SIGTERM");
  const { code, message } = await refusal(openEngine(settings, { onLink() {}, signal }));
  assertEquals([code, message], ["cancelled", "Interrupted before the queue answered"]);
});

Deno.test({
  name: "openEngine() names the flag that Deno was started without",
  permissions: { read: true, net: false },
  async fn() {
    const { code, message } = await refusal(openOn([{ port: 4222 }]));
    assertEquals(code, "permission_denied");
    assertEquals(message, "Cannot reach the queue: Deno was started without --allow-net=127.0.0.1:4222");
  },
});

async function refusal(opening: Promise<AsyncDisposable>): Promise<ToolError> {
  return await assertRejects(() => opening, ToolError);
}

const answer = (worker: string): OrderAnswer => (
  { v: 1, digest: "d", worker, result: null, task: null, files: [] }
);

/** Outcomes that a test gives one by one. */
function feed() {
  const stream = new TransformStream<OrderOutcome | null>();
  const writer = stream.writable.getWriter();
  const outcomes = stream.readable.values() as AsyncIterableIterator<OrderOutcome | null>;
  const events = new ReadableStream<never>({ start: (control) => control.close() }).values();
  const engine = { outcomes: () => outcomes, events: () => events } as unknown as ConstructorParameters<
    typeof JobOutcomes
  >[0];
  const give = (number: number, declinedBy: string | null, worker: string) =>
    writer.write({ job: "j", number, declinedBy, body: toBody(answer(worker)) });
  return { job: new JobOutcomes(engine, "j"), give, end: () => writer.close() };
}

Deno.test("an outcome that comes while nobody waits for it is there for who asks next", async () => {
  const { job, give, end } = feed();
  const left = new AbortController();
  const first = job.next({ number: 1, lane: "a" }, left.signal);
  left.abort();
  assertEquals(await first, null);
  await give(1, null, "late");
  const signal = new AbortController().signal;
  assertEquals(await job.next({ number: 1, lane: "b" }, signal), { t: "final", answer: answer("late") });
  await end();
  await job[Symbol.asyncDispose]();
});

Deno.test("a lane that declines ends the wait for it, and no other one", async () => {
  const { job, give, end } = feed();
  const signal = new AbortController().signal;
  const declined = job.next({ number: 2, lane: "a" }, signal);
  await give(2, "a", "one");
  assertEquals(await declined, { t: "declined" });
  const elsewhere = job.next({ number: 2, lane: "b" }, signal);
  await give(2, null, "two");
  assertEquals(await elsewhere, { t: "final", answer: answer("two") });
  assertEquals([...job.declined(2).keys()], ["a"]);
  await end();
  await job[Symbol.asyncDispose]();
});

Deno.test("Window lets in so many, in the order in which they came, and forgets who left the line", async () => {
  const window = new Window();
  window.resize(2);
  const stays = new AbortController().signal;
  const leaves = new AbortController();
  const inside: number[] = [];
  const enter = async (number: number, signal = stays) => {
    const place = await window.enter(signal);
    if (place) inside.push(number);
    return place;
  };
  const [first] = await Promise.all([enter(1), enter(2)]);
  const waiting = [enter(3, leaves.signal), enter(4), enter(5)];
  leaves.abort();
  assertEquals([await waiting[0], inside], [null, [1, 2]]);
  first?.[Symbol.dispose]();
  await waiting[1];
  assertEquals(inside, [1, 2, 4]);
  window.resize(3);
  await waiting[2];
  assertEquals(inside, [1, 2, 4, 5]);
});

Deno.test("chooseLane() takes the lane that is least busy for its places", () => {
  const lanes = [{ lane: "small", places: 2, busy: 1 }, { lane: "large", places: 8, busy: 3 }];
  assertEquals(chooseLane(lanes, new Map())?.lane, "large");
  assertEquals(chooseLane(lanes, new Map([["large", 6]]))?.lane, "small");
  assert(chooseLane([], new Map()) === null);
});

Deno.test("narrowMore() takes away what either takes away", () => {
  assertEquals(narrowMore(undefined, { deny_net: true }), { deny_net: true });
  const one = { policy: "read-only", tools: ["Read", "Grep"], deny_read: ["a"], deny_run: ["rm"] } as const;
  const more = {
    policy: "read-only-no-net",
    tools: ["Grep", "Bash"],
    deny_read: ["b"],
    deny_run: true,
  } as const;
  const both = { ...more, tools: ["Grep"], deny_read: ["a", "b"] };
  assertEquals(narrowMore(one as never, more as never), both as never);
});
