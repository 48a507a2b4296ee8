import { assertEquals } from "@std/assert";

import { didYouMean, nearest } from "../../../schemas/nearest.ts";

const COMMANDS = ["call", "batch", "tools", "schema", "explain", "doctor", "completions", "version", "help"];

const CASES: [word: string, names: string[], expected: string[]][] = [
  ["cal", COMMANDS, ["call"]],
  ["clal", COMMANDS, ["call"]],
  ["CALL", COMMANDS, ["call"]],
  ["shcema", COMMANDS, ["schema"]],
  ["comp", COMMANDS, ["completions"]],
  ["zzz", COMMANDS, []],
  ["", COMMANDS, []],
  ["c", COMMANDS, []],
  ["max_result", ["max_results", "max_chars"], ["max_results"]],
  ["maxResults", ["max_results", "max_chars"], ["max_results"]],
  ["grep", ["harness/Grep", "Grep", "par/grep", "grep"], ["Grep", "grep", "par/grep"]],
  ["par/gerp", ["harness/Grep", "par/grep"], ["par/grep"]],
  ["abcd", ["abce", "abcf", "abcg", "abch"], ["abce", "abcf", "abcg"]],
  ["abcd", ["abce", "abce"], ["abce"]],
  ["allow-reed", ["allow-read", "allow-env", "allow-net"], ["allow-read"]],
  ["x".repeat(65), ["x".repeat(65)], []],
];

Deno.test("nearest() finds what was meant, and nothing where nothing is near", () => {
  for (const [word, names, expected] of CASES) assertEquals(nearest(word, names), expected, word);
});

Deno.test("nearest() returns at most options.max names, the best first", () => {
  assertEquals(nearest("abcd", ["abxd", "abcd", "abce"], { max: 1 }), ["abcd"]);
});

Deno.test("didYouMean() words none, one, two and three names", () => {
  assertEquals(didYouMean([]), "");
  assertEquals(didYouMean(["a"]), ', did you mean "a"?');
  assertEquals(didYouMean(["a", "b"]), ', did you mean "a" or "b"?');
  assertEquals(didYouMean(["a", "b", "c"]), ', did you mean "a", "b" or "c"?');
});
