import { assertEquals } from "@std/assert";

import { LiveTail } from "../../../../../runtime/programs/output/live_tail.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("LiveTail tells the last lines at once, and later ones when their time has come", async () => {
  const told: string[] = [];
  const second = Promise.withResolvers<void>();
  const tail = new LiveTail((lines) => {
    told.push(lines);
    if (told.length === 2) second.resolve();
  }, () => 0);
  tail.push(bytes("one\ntwo\n\nthree\nfour\n"));
  assertEquals(told, ["two\nthree\nfour"]);
  for (const text of ["10 %\r", "50 %\r", "99 %"]) tail.push(bytes(text));
  assertEquals(told.length, 1);
  await second.promise;
  assertEquals(told[1], "three\nfour\n99 %");
});

Deno.test("LiveTail keeps little of much output, and tells nothing after its end", () => {
  const told: string[] = [];
  const tail = new LiveTail((lines) => told.push(lines), () => 0);
  tail.push(bytes(`${"x".repeat(100_000)}\nend`));
  tail.push(bytes("\nmore"));
  tail.end();
  assertEquals(told.length, 1);
  assertEquals([told[0]!.length < 1_100, told[0]!.endsWith("x\nend")], [true, true]);
});
