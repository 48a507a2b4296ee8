import { assertEquals } from "@std/assert";

import type { OrderOutcome } from "../../../../../runtime/queue/contract/engine.ts";
import type { OrderAnswer } from "../../../../../runtime/queue/orders/orders.ts";
import { toBody } from "../../../../../runtime/queue/orders/read_orders.ts";
import { JobOutcomes } from "../../../../../runtime/queue/submit/job_outcomes.ts";

const answer = (worker: string): OrderAnswer => ({
  v: 1,
  digest: "d",
  worker,
  result: null,
  task: null,
  files: [],
});

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
