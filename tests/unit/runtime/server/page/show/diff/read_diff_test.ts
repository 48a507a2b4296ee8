import { assertEquals } from "@std/assert";

import { readDiff, readSigned } from "../../../../../../../runtime/server/page/show/diff/read_diff.ts";

const TWO_FILES = `diff --git a/one.txt b/one.txt
index 1..2 100644
--- a/one.txt
+++ b/one.txt
@@ -3,3 +3,3 @@ place
 same
--- a line that looks like a head
+++ another one
 end
\\ No newline at end of file
diff --git a/two.txt b/two.txt
new file mode 100644
--- /dev/null
+++ b/two.txt
@@ -0,0 +1 @@
+new
`;

Deno.test("readDiff reads files, numbers and counts, and takes no changed line for a head", () => {
  const [one, two, ...rest] = readDiff(TWO_FILES);
  assertEquals(rest, []);
  assertEquals([one?.path, one?.added, one?.removed], ["one.txt", 1, 1]);
  assertEquals([two?.path, two?.added, two?.removed], ["two.txt", 1, 0]);
  assertEquals(one?.lines.filter(({ kind }) => kind !== "place" && kind !== "note"), [
    { kind: "same", text: "same", before: 3, after: 3 },
    { kind: "removed", text: "-- a line that looks like a head", before: 4, after: 0 },
    { kind: "added", text: "++ another one", before: 0, after: 4 },
    { kind: "same", text: "end", before: 5, after: 5 },
  ]);
});

Deno.test("readDiff reads a removed file, a piece without a head, and finds nothing in a text", () => {
  assertEquals(readDiff("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")[0]?.path, "x");
  assertEquals(readDiff("@@ -1 +1 @@\n-a\n+b\n")[0]?.added, 1);
  assertEquals(readDiff("no diff\n- at all\n"), []);
});

Deno.test("lines with signs alone are read as one change", () => {
  const change = readSigned("-old\n+new\n+\n");
  assertEquals(change && [change.added, change.removed], [2, 1]);
  assertEquals(change?.lines.map(({ kind, text }) => `${kind} ${text}`), [
    "removed old",
    "added new",
    "added ",
  ]);
  assertEquals([readSigned("words\n+a"), readSigned(""), readSigned(" same")], [null, null, null]);
});
