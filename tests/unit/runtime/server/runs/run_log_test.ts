import { assert, assertEquals } from "@std/assert";

import { lastEvent, readLog, RunLog } from "../../../../../runtime/server/runs/run_log.ts";
import type { NumberedEvent } from "../../../../../runtime/server/runs/runs.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** Disconnects of clients that come back with the number of their last event. */
const DISCONNECTS = 1_000;
const EVENTS = 20_000;

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

Deno.test("the events are whole over 1,000 random disconnects while they come", async () => {
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
