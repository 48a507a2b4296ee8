import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { applyPatch } from "../../../../../tools/engine/edit/apply_patch.ts";
import { parsePatch } from "../../../../../tools/engine/edit/patch.ts";

const apply = (text: string, source: string) => applyPatch(text, parsePatch(source)).text;

const CASES: readonly (readonly [string, string, string, string])[] = [
  ["a replacement", "a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\n"],
  ["a hunk with wrong numbers", "a\nb\nc\n", "@@ -40,2 +40,2 @@\n-b\n+B\n", "a\nB\nc\n"],
  ["several hunks", "a\nb\nc\nd\n", "@@\n-a\n+A\n@@\n-d\n+D\n", "A\nb\nc\nD\n"],
  ["hunks out of order", "a\nb\nc\nd\n", "@@\n-d\n+D\n@@\n-a\n+A\n", "A\nb\nc\nD\n"],
  ["hunks that share context", "a\nb\nc\n", "@@\n-a\n+A\n b\n@@\n b\n-c\n+C\n", "A\nb\nC\n"],
  ["a deletion of everything", "a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", ""],
  ["an insertion after line N", "a\nb\nc\n", "@@ -2,0 +3 @@\n+x\n", "a\nb\nx\nc\n"],
  ["an insertion at the top", "a\n", "@@ -0,0 +1 @@\n+x\n", "x\na\n"],
  ["an insertion at the end", "a\nb\n", "@@ -2,0 +3,2 @@\n+x\n+y\n", "a\nb\nx\ny\n"],
  ["an insertion whose header counts a line", "a\nb\nc\n", "@@ -2 +2,2 @@\n+x\n", "a\nx\nb\nc\n"],
  ["an insertion into an empty file", "", "@@\n+x\n+y\n", "x\ny\n"],
  ["an insertion by context", "a\nb\n", "@@\n a\n+x\n", "a\nx\nb\n"],
  ["equal places by line number", "x\ny\nx\ny\n", "@@ -3,2 +3,2 @@\n-x\n+X\n y\n", "x\ny\nX\ny\n"],
  [
    "equal places by a nearby line number",
    `x\n${"-\n".repeat(30)}x\n`,
    "@@ -3 +3 @@\n-x\n+X\n",
    `X\n${"-\n".repeat(30)}x\n`,
  ],
  ["equal places by order", "x\na\nx\n", "@@\n-a\n+A\n@@\n-x\n+X\n", "x\nA\nX\n"],
  ["all equal places in turn", "x\nx\n", "@@\n-x\n+1\n@@\n-x\n+2\n", "1\n2\n"],
  ["an empty context line without its space", "a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n", "a\n\nB\n"],
  ["a loose empty line that is only spacing", "a\n", "@@ -1,2 +1,2 @@\n-a\n+A\n\n", "A\n"],
  ["a deleted SQL comment", "a\n-- note\nb\n", "@@ -1,3 +1,2 @@\n a\n--- note\n b\n", "a\nb\n"],
  ["an added line of pluses", "a\n", "@@ -1 +1,2 @@\n a\n+++ i;\n", "a\n++ i;\n"],
  ["form feeds and NEL", "a\x0cb\u0085c\nd\n", "@@\n-d\n+D\n", "a\x0cb\u0085c\nD\n"],
  // Line ends
  [
    "CR LF with a LF patch",
    "a\r\nb\r\nc\r\n",
    "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+x\n c\n",
    "a\r\nB\r\nx\r\nc\r\n",
  ],
  ["mixed ends, line by line", "a\r\nb\nc\r\nd\n", "@@\n-b\n-c\n+B\n+C\n+x\n", "a\r\nB\nC\r\nx\r\nd\n"],
  ["mixed ends, after the line above", "a\r\nb\nc\n", "@@\n a\n+x\n", "a\r\nx\r\nb\nc\n"],
  ["a patch with CR of its own", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n", "a\r\nB\r\n"],
  ["a patch with CR of its own on LF", "a\nb\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n", "a\nB\n"],
  ["a change of a line end", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n", "a\nb\r\n"],
  ["a lone CR in a line", "a\rb\nc\n", "@@\n a\rb\n-c\n+C\n", "a\rb\nC\n"],
  // BOM
  ["the BOM before a replaced first line", "\ufeffa\nb\n", "@@\n-a\n+A\n", "\ufeffA\nb\n"],
  ["a BOM that the patch names", "\ufeffa\n", "@@\n-\ufeffa\n+A\n", "A\n"],
  ["an insertion behind the BOM", "\ufeffa\n", "@@ -0,0 +1 @@\n+x\n", "\ufeffx\na\n"],
  // The last line end
  ["no last line end, kept without a marker", "a\nb", "@@\n-b\n+B\n", "a\nB"],
  ["no last line end, kept above", "a\nb", "@@\n-a\n+A\n", "A\nb"],
  ["no last line end, lines added below", "a\nb", "@@\n b\n+c\n", "a\nb\nc"],
  ["no last line end in CR LF, lines added below", "a\r\nb", "@@\n b\n+c\n", "a\r\nb\r\nc"],
  ["a last line end that is added", "a\nb", "@@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"],
  ["a last line end that is removed", "a\nb\n", "@@\n-b\n+b\n\\ No newline at end of file\n", "a\nb"],
  [
    "no last line end, marked on both sides",
    "a\nb",
    "@@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
    "a\nc",
  ],
  ["a marker that is not at the end", "a\nb\n", "@@\n-a\n+A\n\\ No newline at end of file\n", "A\nb\n"],
  ["a deleted last line without an end", "a\nb", "@@\n a\n-b\n\\ No newline at end of file\n", "a\n"],
];

for (const [name, text, patch, expected] of CASES) {
  Deno.test(`applyPatch() handles ${name}`, () => assertEquals(apply(text, patch), expected));
}

Deno.test("applyPatch() shows what changed with true line numbers", () => {
  const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n";
  const { diff } = applyPatch(
    text,
    parsePatch("@@ -77,1 +77,2 @@\n 3\n+x\n@@\n-10\n@@\n-11\n+end\n\\ No newline\n"),
  );
  assertEquals(
    diff,
    "@@ -2,4 +2,5 @@\n 2\n 3\n+x\n 4\n 5\n@@ -8,4 +9,3 @@\n 8\n 9\n-10\n-11\n+end\n\\ No newline at end of file",
  );
});

Deno.test("applyPatch() says which of several places the line number chose", () => {
  const text = `x\n${"-\n".repeat(30)}x\n`;
  const warnings = (line: number) =>
    applyPatch(text, parsePatch(`@@ -${line} +${line} @@\n-x\n+X\n`)).warnings;
  assertEquals(warnings(1), []);
  assertEquals(warnings(3), [
    "Hunk #1 was applied at line 1, of 2 equal places the nearest to line 3 of its header",
  ]);
});

Deno.test("applyPatch() clips a long account of changes", () => {
  const lines = Array.from({ length: 100 }, (_, at) => `+${at}`.padEnd(300, "x"));
  const shown = applyPatch("", parsePatch(`@@ -0,0 +1,100 @@\n${lines.join("\n")}\n`)).diff.split("\n");
  assertEquals([shown.length, shown.at(-1)], [61, "… 41 more lines of this diff"]);
  assertEquals([...shown[1]!].length, 202);
});

function failure(text: string, source: string): ToolError {
  return assertThrows(() => apply(text, source), ToolError);
}

Deno.test("applyPatch() names the closest places of a hunk that fits nowhere", () => {
  const error = failure(
    "def f():\n\treturn 1\n\ndef g():\n\treturn 2\n",
    "@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 3\n",
  );
  assertEquals(error.code, "conflict");
  assertEquals(
    error.message,
    "hunk #1 context not found:\ndef f():\n    return 1\nClosest places:\n" +
      '  line 1: line 2 differs in white space, the file has "\\treturn 1", not "    return 1"\n' +
      '  line 4: line 4 differs, the file has "def g():", not "def f():"',
  );
  assertEquals(error.details.hunk, 1);
});

Deno.test("applyPatch() finds a place by words where no line is equal", () => {
  const error = failure("alpha\nconst total = sum(values);\nomega\n", "@@\n-const total = sum(items);\n+x\n");
  assertEquals(error.details.candidates, [{
    line: 2,
    difference: 'line 2 differs, the file has "const total = sum(values);", not "const total = sum(items);"',
  }]);
  assertEquals(
    failure("alpha\n", "@@\n-beta\n+x\n").message,
    "hunk #1 context not found:\nbeta\nNothing in the file resembles it: read the file again.",
  );
});

Deno.test("applyPatch() says that a hunk stands in the file already", () => {
  const { message, details } = failure("a\nB\nc\n", "@@\n a\n-b\n+B\n c\n");
  assertEquals(message.split("\n")[4], "The result of this hunk stands already at line 1.");
  assertEquals(details.already_applied_at, [1]);
});

Deno.test("applyPatch() refuses a hunk that fits several places", () => {
  const error = failure("x\na\nx\nb\nx\n", "@@\n-x\n+X\n");
  assertEquals([error.code, error.details], ["conflict", { hunk: 1, candidates: [1, 3, 5] }]);
  assertEquals(
    error.message,
    "hunk #1 fits 3 places, at lines 1, 3, 5: add context lines, or a header with the line number such as @@ -1,1 +1,1 @@",
  );
  assertEquals(failure("x\na\nx\n", "@@ -2 +2 @@\n-x\n+X\n").code, "conflict");
});

const REFUSALS: readonly (readonly [string, string, string])[] = [
  [
    "a\nb\n",
    "@@\n+x\n",
    "hunk #1 only adds lines and does not say where: add a context line, or a header with the line number such as " +
    "@@ -2,0 +3,1 @@ for the end",
  ],
  ["a\nb\n", "@@ -9,0 +10 @@\n+x\n", "hunk #1 adds lines at line 9, but the file has 2 lines"],
  ["a\nb\n", "@@\n-a\n+A\n@@\n-a\n-b\n+B\n", "hunks #1 and #2 both change line 1: make them one hunk"],
  ["a\nb\n", "@@\n a\n+x\n@@\n a\n+y\n", "hunks #1 and #2 both change line 2: make them one hunk"],
];

for (const [text, patch, message] of REFUSALS) {
  Deno.test(`applyPatch() refuses ${JSON.stringify(patch)}`, () => {
    const error = failure(text, patch);
    assertEquals([error.code, error.message], ["conflict", message]);
  });
}
