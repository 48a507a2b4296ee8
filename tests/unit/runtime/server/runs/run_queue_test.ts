import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { RunQueue } from "../../../../../runtime/server/runs/run_queue.ts";

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
