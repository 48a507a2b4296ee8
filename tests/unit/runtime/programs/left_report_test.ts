import { assertEquals } from "@std/assert";

import { LeftReportReader, tellLeft } from "../../../../runtime/programs/output/left_report.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const REPORT = "\x1ebulkhead left sleep python3 sleep\x1e";

/** Streams, what goes on of them, and the names that their report has. */
const STREAMS: readonly (readonly [stream: string, said: string, left: string[]])[] = [
  ["", "", []],
  ["an error\n", "an error\n", []],
  [REPORT, "", ["sleep", "python3"]],
  [`an error\n${REPORT}`, "an error\n", ["sleep", "python3"]],
  [`an error\n${REPORT}too late\n`, "an error\ntoo late\n", ["sleep", "python3"]],
  ["a \x1e sign \xff", "a \x1e sign \xff", []],
  [`${REPORT}${"x".repeat(2_000)}`, `${REPORT}${"x".repeat(2_000)}`, []],
];

Deno.test("LeftReportReader takes a report off the end of a stream, however it is cut", () => {
  for (const [stream, said, left] of STREAMS) {
    for (const size of [1, 7, 5_000]) {
      const reader = new LeftReportReader();
      const all = bytes(stream);
      const parts = Array.from(
        { length: Math.ceil(all.length / size) },
        (_, at) => reader.push(all.slice(at * size, (at + 1) * size)),
      );
      const told = [...parts, reader.end()].flatMap((part) => [...part]);
      assertEquals(told, [...bytes(said)], JSON.stringify(stream.slice(0, 60)));
      assertEquals(reader.left, left);
    }
  }
});

Deno.test("tellLeft() names what was ended, and what would keep it", () => {
  assertEquals(
    tellLeft(["a", "b", "c", "d", "e", "f"]),
    "what the program left running was ended with it: a, b, c, d, e and 1 more; what must go on needs a tool that keeps " +
      "processes, such as TerminalStart or manus/bash",
  );
});
