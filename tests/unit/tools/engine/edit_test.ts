import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { applyPatch } from "../../../../tools/engine/edit/apply_patch.ts";
import { explainMissing, notThere } from "../../../../tools/engine/edit/explain_missing.ts";
import { parsePatch } from "../../../../tools/engine/edit/patch.ts";
import { replaceEdits } from "../../../../tools/engine/edit/replace_edits.ts";

const apply = (text: string, source: string) => applyPatch(text, parsePatch(source)).text;

const APPLIED: readonly (readonly [string, string, string, string])[] = [
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

for (const [name, text, patch, expected] of APPLIED) {
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

const UNFIT: readonly (readonly [string, string, string])[] = [
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

for (const [text, patch, message] of UNFIT) {
  Deno.test(`applyPatch() refuses ${JSON.stringify(patch)}`, () => {
    const error = failure(text, patch);
    assertEquals([error.code, error.message], ["conflict", message]);
  });
}

const SIGNS = { context: " ", delete: "-", add: "+" };

/** The hunks of a patch as their lines, each with its sign. */
function bodies(source: string): string[][] {
  return parsePatch(source).hunks.map(({ lines }) =>
    lines.map(({ kind, text, open }) => `${SIGNS[kind]}${text}${open ? "$" : ""}`)
  );
}

const PARSED: readonly (readonly [string, string, string[][]])[] = [
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

for (const [name, source, expected] of PARSED) {
  Deno.test(`parsePatch() reads ${name}`, () => assertEquals(bodies(source), expected));
}

const unsupported = (line: string) =>
  `unsupported patch line: ${line}\n(lines of a hunk begin with a space, "+" or "-")`;

const UNREADABLE: readonly (readonly [string, string])[] = [
  ["no diff at all", "no patch hunks found"],
  ["--- a\n+++ b\n", "no patch hunks found"],
  ["@@ -1 +1 @@\n", "hunk #1 has no lines"],
  ["@@\n-a\nb\n", unsupported("b")],
  ["@@ -1,3 +1,3 @@\n-a\n+b\nc\n", unsupported("c")],
  ["@@ -1 +1 @@\n-a\n+b\nc\n+d\n", unsupported("c")],
  ["@@ -1,2 +1,2 @@\n # Notes\n-first\n+FIRST\n# forgotten plus\n", unsupported("# forgotten plus")],
  ["@@ -1 +1 @@\n-a\n+b\n\nx\n@@ -5 +5 @@\n-c\n+d\n", unsupported("x")],
  [
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
    "the patch names several files (x, y), and one call edits one file: send a call for each",
  ],
  [
    "--- a/k\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    "the patch deletes the file, and this changes lines only: remove it with a program, such as rm",
  ],
  [
    "--- /dev/null\n+++ b/k\n@@ -0,0 +1 @@\n+a\n",
    "the patch makes a new file, and this changes lines only: write the file whole",
  ],
  [
    "diff --git a/k b/l\nrename from k\nrename to l\n--- a/k\n+++ b/l\n@@ -1 +1 @@\n-a\n+b\n",
    "the patch renames the file, and this changes lines only: move it with a program, such as mv, and send the hunks alone",
  ],
  [
    "--- a/k\n+++ b/l\n@@ -1 +1 @@\n-a\n+b\n",
    "the patch renames the file, and this changes lines only: move it with a program, such as mv, and send the hunks alone",
  ],
  [
    "diff --git a/k b/k\nold mode 100644\nnew mode 100755\n--- a/k\n+++ b/k\n@@ -1 +1 @@\n-a\n+b\n",
    "the patch changes the file's mode, and this changes lines only: change it with a program, such as chmod, and send the hunks alone",
  ],
  [
    "*** Begin Patch\n*** Delete File: k\n*** End Patch\n",
    "the patch deletes the file, and this changes lines only: remove it with a program, such as rm",
  ],
  [
    "diff --git a/k b/k\nGIT binary patch\n",
    "the patch changes bytes that are no text, and this changes lines only: make the file anew",
  ],
];

for (const [source, message] of UNREADABLE) {
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

type Pair = readonly [old: string, replacement: string];

const replace = (text: string, pairs: readonly Pair[]) =>
  replaceEdits(text, pairs.map(([old, replacement]) => ({ old, new: replacement })));

const REPLACED: readonly (readonly [string, string, readonly Pair[], string])[] = [
  ["nothing", "a", [], "a"],
  ["several edits in any order", "a b c", [["c", "3"], ["a", "1"]], "1 b 3"],
  ["the first occurrence only", "a a a", [["a", "b"]], "b a a"],
  ["touching ranges", "abcd", [["ab", "1"], ["cd", "2"]], "12"],
  ["the original text alone", "a b", [["a", "b"], ["b", "c"]], "b c"],
  ["templates literally", "x", [["x", "$& $1 \\1 \\\\ $$"]], "$& $1 \\1 \\\\ $$"],
  ["a deletion", "a\nb\nc\n", [["b\n", ""]], "a\nc\n"],
  ["LF as CR LF", "a\r\nb\r\nc\r\n", [["a\nb", "x\ny\nz"]], "x\r\ny\r\nz\r\nc\r\n"],
  ["new lines in a line of CR LF", "a\r\nb\r\n", [["b", "x\ny"]], "a\r\nx\r\ny\r\n"],
  ["an old text that begins with LF", "a\r\nb\r\n", [["\nb", ""]], "a\r\n"],
  ["an old text that ends with LF", "a\r\nb\r\n", [["a\n", "x\n"]], "x\r\nb\r\n"],
  ["CR LF as LF", "a\nb\n", [["a\r\nb", "x\r\ny"]], "x\ny\n"],
  ["mixed line ends in their order", "a\r\nb\nc\n", [["a\nb\nc", "A\nB\nC"]], "A\r\nB\nC\n"],
  ["CR that is asked for", "a\nb\n", [["a", "x\r\ny"]], "x\r\ny\nb\n"],
  ["a change of line ends", "a\r\nb\r\n", [["a\r\n", "a\n"]], "a\nb\r\n"],
  ["a BOM", "\ufeffa\n", [["a", "b"]], "\ufeffb\n"],
];

for (const [name, text, pairs, expected] of REPLACED) {
  Deno.test(`replaceEdits() handles ${name}`, () => assertEquals(replace(text, pairs).text, expected));
}

const REFUSED: readonly (readonly [string, readonly Pair[], string])[] = [
  ["a", [["", "x"]], 'edits[0]: "old" is empty, give the exact text to replace'],
  [
    "  foo(1)\n",
    [["foo(1)", "x"], ["foo (1)", "y"]],
    'edits[1]: "old" is not an exact part of the file. Closest places:\n' +
    '  line 1: line 1 differs, the file has "  foo(1)", not "foo (1)"',
  ],
  [
    "a\nb\nc\n",
    [["c", "1"], ["a\nb", "2"], ["b", "3"]],
    "Overlapping edits: edits[1] and edits[2] both change line 2, make them one edit or give each more context",
  ],
  [
    "a a",
    [["a", "1"], ["a", "2"]],
    "Overlapping edits: edits[0] and edits[1] both change line 1, make them one edit or give each more context",
  ],
];

for (const [text, pairs, message] of REFUSED) {
  Deno.test(`replaceEdits() refuses ${JSON.stringify(pairs)}`, () => {
    const error = assertThrows(() => replace(text, pairs), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message]);
  });
}

Deno.test("replaceEdits() lists where an old text stands too, ten lines at most", () => {
  assertEquals(replace("x\na\nx\nx\n", [["a", "b"], ["x", "y"]]).repeated, [
    { edit: 1, line: 1, otherLines: [3, 4] },
  ]);
  assertEquals(replace("x\n".repeat(50), [["x", "y"]]).repeated[0]?.otherLines.length, 10);
});

/** A file, a text that is not in it, and what is said of that. */
const MISSING: readonly [string, string, string][] = [
  ["cafe\u0301 x", "café x", 'looks the same, but the file has U+0301 after "e" instead of U+00E9'],
  ["my café x", "cafe\u0301", 'the file has U+00E9 instead of "e" U+0301'],
  ["a\u00a0b\u202fc", "a b c", "the file has U+00A0 instead of a blank; U+202F instead of a blank"],
  ["a b", "a\u3000b", "the file has a blank instead of U+3000"],
  ["soft\u00adhy", "softhy", 'the file has U+00AD after "t", where yours has nothing'],
  ["zero", "ze\u200bro", 'the file has nothing after "e", where yours has U+200B'],
  [
    "it’s – “x”",
    'it\'s - "x"',
    'U+2019 instead of "\'"; U+2013 instead of "-"; U+201C instead of "\\"" and 1 more',
  ],
  [
    "one\ntwo\u2011three",
    "one\ntwo-three",
    'line 1: it looks the same, but the file has U+2011 instead of "-"',
  ],
  ["p\u0430th", "path", 'the file has U+0430 instead of "a"'],
  [
    "a\nalpha",
    "     2\talpha",
    "begins with line numbers, which are not in the file: leave them out.\nClosest places:\n  line 2",
  ],
  [
    "alpha\nbeta",
    "1: alpha\n2: beta\n",
    "leave them out.\nClosest places:\n  line 1: the file ends before line 3",
  ],
  ["12: foo", "12: fooo", "differs, the file has"],
];

Deno.test("explainMissing() names characters that only look the same, and line numbers that were copied", () => {
  for (const [text, wanted, expected] of MISSING) {
    const { note } = explainMissing(text.split("\n"), wanted.split("\n"));
    if (!note.includes(expected)) throw new Error(`${JSON.stringify(wanted)}: ${note}`);
  }
  assertEquals(notThere("one\r\ntwo", "three", "Not there.").message, "Not there.");
  assertStringIncludes(
    notThere("one\r\ntwo", "1\tone\r\n2\ttwo", "Not there.").message,
    "Not there.\nIt begins with",
  );
});
