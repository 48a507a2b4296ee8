import { assertEquals } from "@std/assert";

import { MarkReader, type ShellPrompt } from "../../../../../runtime/programs/process/shell_protocol.ts";
import { StartReportReader } from "../../../../../runtime/programs/process/start_report.ts";
import { SHELL_MARK } from "../../../../../schemas/program.ts";

const PURE = { permissions: "none" } as const;

const ENDLESS = `{${"x".repeat(5_000)}`;
const JSON_TEXT = '{\n    "child-pid": 4711,\n    "mnt-namespace": 4026532179\n}\n';

const NOTHING = { terminalPid: null, boxPid: null };
const BOX = { terminal: false, box: true };
const BOTH = { terminal: true, box: true };

/** What is expected, what comes, which report it holds, and what is left. */
const REPORTS: readonly [
  string,
  { terminal: boolean; box: boolean },
  string,
  typeof NOTHING | object,
  string,
][] = [
  ["bubblewrap's JSON", BOX, `${JSON_TEXT}error\n`, { terminalPid: null, boxPid: 4711 }, "error\n"],
  [
    ...["a terminal's process", { terminal: true, box: false }, "12\nscript: oops\n"] as const,
    ...[{ terminalPid: 12, boxPid: null }, "script: oops\n"] as const,
  ],
  ["both", BOTH, `12\n${JSON_TEXT}`, { terminalPid: 12, boxPid: 4711 }, ""],
  ["nothing, where nothing is expected", { terminal: false, box: false }, JSON_TEXT, NOTHING, JSON_TEXT],
  ["a failure instead of a report", BOX, "bwrap: no\n", NOTHING, "bwrap: no\n"],
  ["a failure instead of a terminal", BOTH, "script: no\n", NOTHING, "script: no\n"],
  ["an end in the middle of the report", BOX, '{ "child-pid": 47', NOTHING, '{ "child-pid": 47'],
  ["no end of what looks like a report", BOX, ENDLESS, NOTHING, ENDLESS],
];

Deno.test("StartReportReader takes a report from the front, and leaves the rest", async () => {
  for (const [name, expects, text, report, rest] of REPORTS) {
    for (const step of [1, 5, 10_000]) {
      const reader = new StartReportReader(expects);
      const bytes = new TextEncoder().encode(text);
      let passed = "";
      const pass = (part: Uint8Array) => passed += new TextDecoder().decode(part);
      for (let at = 0; at < bytes.length; at += step) pass(reader.push(bytes.slice(at, at + step)));
      pass(reader.end());
      assertEquals([await reader.report, passed], [report, rest], name);
    }
  }
});

Deno.test("MarkReader finds the ends of commands, wherever the output is cut", PURE, () => {
  let number = 0;
  const mark = (code: number) => `${SHELL_MARK}${code} ${++number}${SHELL_MARK}nonce${SHELL_MARK}`;
  const output = new TextEncoder().encode(
    `hi${mark(0)}one${mark(7)}${SHELL_MARK}5 9${SHELL_MARK}other${mark(130)}`,
  );
  for (const size of [1, 2, 5, 1_000]) {
    const reader = new MarkReader("nonce");
    const found: ShellPrompt[] = [];
    for (let at = 0; at < output.length; at += size) {
      const prompt = reader.push(output.subarray(at, at + size));
      if (prompt !== null) found.push(prompt);
    }
    const last = { number: 3, code: 130 };
    const each = [{ number: 1, code: null }, { number: 2, code: 7 }, last];
    assertEquals(found, size === 1_000 ? [last] : each, `pieces of ${size}`);
  }
});
