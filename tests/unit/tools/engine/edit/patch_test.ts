import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { parsePatch } from "../../../../../tools/engine/edit/patch.ts";

const SIGNS = { context: " ", delete: "-", add: "+" };

/** The hunks of a patch as their lines, each with its sign. */
function bodies(source: string): string[][] {
  return parsePatch(source).hunks.map(({ lines }) =>
    lines.map(({ kind, text, open }) => `${SIGNS[kind]}${text}${open ? "$" : ""}`)
  );
}

const CASES: readonly (readonly [string, string, string[][]])[] = [
  ["a plain hunk", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", [[" a", "-b", "+c"]]],
  ["a bare header", "@@\n-a\n+b", [["-a", "+b"]]],
  ["a header with a function", "@@ def f(x):\n-a\n+b", [["-a", "+b"]]],
  ["a header with dots", "@@ ... @@\n-a\n+b", [["-a", "+b"]]],
  ["file headers", "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", [[
    "-a",
    "+b",
  ]]],
  ["prose before it", "Here it is:\n- a fix\n\n@@ -1 +1 @@\n-a\n+b\n", [["-a", "+b"]]],
  ["a code fence", "```diff\n@@ -1 +1 @@\n-a\n+b\n```\n", [["-a", "+b"]]],
  ["a code fence with a bare header", "```\n@@\n-a\n+b\n```", [["-a", "+b"]]],
  ["an apply_patch envelope", "*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch", [[
    "-a",
    "+b",
  ]]],
  ["an empty context line", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", [[" a", " ", "-b", "+c"]]],
  ["announced empty lines at the end", "@@ -1,3 +1,3 @@\n-a\n+b\n\n\n", [["-a", "+b", " ", " "]]],
  ["empty lines at the end", "@@ -1 +1 @@\n-a\n+b\n\n\n\n", [["-a", "+b"]]],
  ["empty lines after a bare header", "@@\n-a\n+b\n\n@@\n-c\n+d\n\n", [["-a", "+b"], ["-c", "+d"]]],
  ["a deleted line with dashes", "@@ -1,2 +1 @@\n--- note\n a\n", [["--- note", " a"]]],
  ["a deleted line with dashes, bare", "@@\n--- note\n a\n", [["--- note", " a"]]],
  ["an added line with pluses", "@@ -1 +1,2 @@\n a\n+++ i\n", [[" a", "+++ i"]]],
  [
    "dashes and pluses that the counts announce",
    "@@ -1 +1 @@\n--- x\n+++ y\n@@ -5 +5 @@\n-a\n+b\n",
    [["--- x", "+++ y"], ["-a", "+b"]],
  ],
  [
    "a file header between hunks",
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n@@ -5 +5 @@\n-c\n+d\n",
    [["-a", "+b"], ["-c", "+d"]],
  ],
  ["counts that are too small", "@@ -1 +1 @@\n a\n-b\n+c\n d\n", [[" a", "-b", "+c", " d"]]],
  ["counts that are too large", "@@ -1,9 +1,9 @@\n-a\n+b\n", [["-a", "+b"]]],
  ["a missing line end", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", [["-a$", "+a"]]],
  ["a mail signature", "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.0\n", [["-a", "+b"]]],
  ["a deleted dash past the counts", "@@ -1 +1 @@\n-a\n+b\n--\n", [["-a", "+b", "--"]]],
  ["a missing line end, then an empty line", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n\n", [[
    "-a",
    "+b$",
  ]]],
  [
    "headers of Git between hunks",
    "@@ -1 +1 @@\n-a\n+b\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -5 +5 @@\n-c\n+d\n",
    [["-a", "+b"], ["-c", "+d"]],
  ],
  ["prose behind a fence", "```diff\n@@ -1 +1 @@\n-a\n+b\n```\nThat is all.\n", [["-a", "+b"]]],
  ["CR LF everywhere", "@@ -1 +1 @@\r\n-a\r\n+b\r\n", [["-a", "+b"]]],
  ["CR LF in the lines only", "@@ -1 +1 @@\n-a\r\n+b\r\n", [["-a\r", "+b\r"]]],
];

for (const [name, source, expected] of CASES) {
  Deno.test(`parsePatch() reads ${name}`, () => assertEquals(bodies(source), expected));
}

const REFUSALS: readonly (readonly [string, string])[] = [
  ["no diff at all", "no patch hunks found"],
  ["--- a\n+++ b\n", "no patch hunks found"],
  ["@@ -1 +1 @@\n", "hunk #1 has no lines"],
  ["@@\n-a\nb\n", 'unsupported patch line: b\n(lines of a hunk begin with a space, "+" or "-")'],
  [
    "@@ -1,3 +1,3 @@\n-a\n+b\nc\n",
    'unsupported patch line: c\n(lines of a hunk begin with a space, "+" or "-")',
  ],
  [
    "@@ -1 +1 @@\n-a\n+b\nc\n+d\n",
    'unsupported patch line: c\n(lines of a hunk begin with a space, "+" or "-")',
  ],
  [
    "@@ -1,2 +1,2 @@\n # Notes\n-first\n+FIRST\n# forgotten plus\n",
    'unsupported patch line: # forgotten plus\n(lines of a hunk begin with a space, "+" or "-")',
  ],
  [
    "@@ -1 +1 @@\n-a\n+b\n\nx\n@@ -5 +5 @@\n-c\n+d\n",
    'unsupported patch line: x\n(lines of a hunk begin with a space, "+" or "-")',
  ],
  [
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
    "the patch names several files (x, y), and one call edits one file: send a call for each",
  ],
];

for (const [source, message] of REFUSALS) {
  Deno.test(`parsePatch() refuses ${JSON.stringify(source)}`, () => {
    const error = assertThrows(() => parsePatch(source), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message]);
  });
}

Deno.test("parsePatch() takes numbers and counts from headers", () => {
  const numbers = (source: string) => parsePatch(source).hunks.map((hunk) => [hunk.oldStart, hunk.oldCount]);
  assertEquals(numbers("@@ -3,2 +3,4 @@ f\n a\n@@ -9 +11 @@\n a\n@@ -0,0 +1 @@\n+a\n@@ x\n a\n"), [
    [3, 2],
    [9, 1],
    [0, 0],
    [null, null],
  ]);
});
