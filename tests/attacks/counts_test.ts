// Kind 8: the work of a call is bounded by the length of what is given, not by numbers in it.
import { assert } from "@std/assert";

import { type Attack, type AttackCall, attackTests, sampled } from "./attack.ts";

/** What bash itself unfolds takes its time: the call's limit ends it. In seconds. */
const LIMIT_S = 3;
const HUGE = 9_007_199_254_740_991;

const call = (tool: string, input: Record<string, unknown>): AttackCall => ({ tool, arguments: input });
const shell = (command: string): AttackCall =>
  call("Bash", { command: `cd <at>\n${command}`, timeout: LIMIT_S });
const at = "<at>/a.txt";
const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const TRIES: readonly (readonly [title: string, calls: readonly AttackCall[]])[] = [
  ["a hunk of 2^31 lines", [
    call("Edit", { path: at, patch: "@@ -1,2147483647 +1,2147483647 @@\n-one\n+two\n" }),
  ]],
  ["a hunk that begins at line 2^53", [
    call("Edit", { path: at, patch: `@@ -${HUGE} +${HUGE} @@\n-one\n+x\n` }),
  ]],
  ["100,000 hunks", [call("Edit", { path: at, patch: "@@ -1,1 +1,1 @@\n-zero\n+one\n".repeat(20_000) })]],
  ["reading from line 2^53", [
    call("Read", { path: at, offset: HUGE, limit: HUGE, start_line: HUGE, end_line: HUGE }),
  ]],
  ["2^53 lines", [
    call("Read", { path: at, limit: HUGE, max_lines: HUGE }),
    call("par/read", { path: at, limit: HUGE }),
  ]],
  ["a billion lines of context", [
    call("Grep", { path: "<at>", pattern: "o", context: 1e9, before: 1e9, after: 1e9 }),
  ]],
  ["2^53 results", [call("Grep", { path: "<at>", pattern: "o", limit: HUGE, max_results: HUGE })]],
  ["a pattern that repeats a billion times", [
    call("Grep", { path: "<at>", pattern: "(o{1,99999}){1,99999}" }),
  ]],
  ["a glob of many braces", [call("Glob", { path: "<at>", pattern: "{a,b}".repeat(40) })]],
  ["a range of a billion words", [shell("echo {1..1000000000} | head -c 10")]],
  ["ranges of ranges", [shell(`echo ${"{1..9}".repeat(40)} | head -c 10`)]],
  ["a field of a billion blanks", [shell("printf '%1000000000s' x | head -c 10")]],
  ["a power in arithmetic", [
    shell("echo $((9**9**9)) ${x:0:999999999999}; : {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}"),
  ]],
  ["nested command substitutions", [shell(`${"echo $(".repeat(300)}true${")".repeat(300)}`)]],
  ["JSON of 100,000 levels in an argument", [call("json_format", { json: deep(100_000) })]],
  ["a number of a million digits", [
    call("json_format", { json: "9".repeat(1_000_000) }),
    call("calculator", { expression: "9^9^9^9^9" }),
  ]],
  ["a password of 2^53 characters", [call("generate_password", { length: HUGE })]],
  ["a terminal of 2^31 rows", [call("TerminalStart", { rows: 2_147_483_647, cols: 2_147_483_647 })]],
];

attackTests(
  8,
  sampled(TRIES.map(([title, calls], index): Attack => ({
    id: `8-${`${index + 1}`.padStart(2, "0")}`,
    title,
    files: { "ws/a.txt": "zero\nthree\n" },
    calls,
    unchanged: ["a.txt"],
    after(_place, answers) {
      for (const { tool_name, error } of answers) {
        assert(tool_name.endsWith("/Bash") || error?.code !== "timeout", tool_name);
      }
    },
  }))),
);
