import { assertEquals } from "@std/assert";

import { Backlog } from "../../../../runtime/wait/backlog.ts";

Deno.test("Backlog: who gives waits while too much was not taken in", { permissions: "none" }, async () => {
  const backlog = new Backlog(10);
  const seen: string[] = [];
  backlog.add(10);
  await backlog.room();
  backlog.add(5);
  const room = backlog.room().then(() => seen.push("room"));
  backlog.take(4);
  await Promise.resolve();
  seen.push("11 left");
  backlog.take(1);
  await room;
  assertEquals(seen, ["11 left", "room"]);
});

Deno.test("Backlog: nobody waits for what is over", { permissions: "none" }, async () => {
  const backlog = new Backlog(1);
  backlog.add(5);
  const waiting = backlog.room();
  backlog.end();
  await waiting;
  await backlog.room();
});
