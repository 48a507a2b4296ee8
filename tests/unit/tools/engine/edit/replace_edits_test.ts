import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { replaceEdits } from "../../../../../tools/engine/edit/replace_edits.ts";

type Pair = readonly [old: string, replacement: string];

const replace = (text: string, pairs: readonly Pair[]) =>
  replaceEdits(text, pairs.map(([old, replacement]) => ({ old, new: replacement })));

const CASES: readonly (readonly [string, string, readonly Pair[], string])[] = [
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

for (const [name, text, pairs, expected] of CASES) {
  Deno.test(`replaceEdits() handles ${name}`, () => assertEquals(replace(text, pairs).text, expected));
}

const REFUSALS: readonly (readonly [string, readonly Pair[], string])[] = [
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
  [
    "abcdef",
    [["abcdef", "1"], ["b", "2"], ["e", "3"]],
    "Overlapping edits: edits[0] and edits[1] both change line 1, make them one edit or give each more context",
  ],
];

for (const [text, pairs, message] of REFUSALS) {
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
