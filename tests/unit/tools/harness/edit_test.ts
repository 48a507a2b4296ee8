import { assertEquals, assertMatch } from "@std/assert";

import edit from "../../../../tools/harness/edit.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("Edit() applies hunks and shows what changed", async () => {
  using ws = workspace({ "a.txt": "1\n2\n3\n4\n" });
  const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n";
  const { text, result, warnings } = await ws.run(edit, { path: "a.txt", patch });
  const diff = "@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n 4";
  assertEquals(text, `[Edit] Updated file: ${ws.at("a.txt")}; applied_hunks: 1\n${diff}`);
  assertEquals(result, { path: ws.at("a.txt"), applied_hunks: 1, changed: true, diff });
  assertEquals(ws.read("a.txt"), "1\ntwo\n3\n4\n");
  assertEquals(warnings, []);
});

Deno.test("Edit() keeps every byte that the patch does not name, and the mode", async () => {
  using ws = workspace({ "a.sh": "\ufeffa\r\nb\nc\x0c\u0085\r\nend" });
  Deno.chmodSync(ws.at("a.sh"), 0o755);
  const { ok } = await ws.run(edit, { path: "a.sh", patch: "@@\n-a\n+A\n" });
  assertEquals([ok, Deno.statSync(ws.at("a.sh")).mode! & 0o777], [true, 0o755]);
  assertEquals(ws.bytes("a.sh"), new TextEncoder().encode("\ufeffA\r\nb\nc\x0c\u0085\r\nend"));
});

Deno.test("Edit() says when nothing changes, and writes nothing", async () => {
  using ws = workspace({ "a.txt": "1\n" });
  Deno.utimeSync(ws.at("a.txt"), 1, 1);
  const { text, result } = await ws.run(edit, { path: "a.txt", patch: "@@ -1 +1 @@\n 1\n" });
  assertEquals(text, `[Edit] No changes applied: ${ws.at("a.txt")}`);
  assertEquals([result.changed, result.applied_hunks, result.diff], [false, 0, ""]);
  assertEquals(Deno.statSync(ws.at("a.txt")).mtime?.getTime(), 1000);
});

Deno.test("Edit() writes nothing unless all hunks fit", async () => {
  using ws = workspace({ "a.txt": "1\n2\n" });
  const { text, error } = await ws.run(edit, { path: "a.txt", patch: "@@\n-1\n+one\n@@\n-three\n+3\n" });
  assertMatch(text, /^\[Edit\] Failed to apply patch: hunk #2 context not found:\nthree\n/);
  assertEquals([error?.code, error?.details.hunk], ["conflict", 2]);
  assertEquals(ws.read("a.txt"), "1\n2\n");
});

Deno.test("Edit() refuses a hunk that fits several places, with their lines", async () => {
  using ws = workspace({ "a.txt": "x\ny\nx\n" });
  const { text, error } = await ws.run(edit, { path: "a.txt", patch: "@@\n-x\n+X\n" });
  assertMatch(text, /^\[Edit\] Failed to apply patch: hunk #1 fits 2 places, at lines 1, 3: /);
  assertEquals([error?.code, error?.details.candidates], ["conflict", [1, 3]]);
});

Deno.test("Edit() warns of a patch that names another file and of a guessed place", async () => {
  using ws = workspace({ "a.txt": `x\n${"-\n".repeat(30)}x\n` });
  const patch = "--- a/b.txt\n+++ b/b.txt\n@@ -2 +2 @@\n-x\n+X\n";
  const { warnings } = await ws.run(edit, { path: "a.txt", patch });
  assertEquals(warnings, [
    "Hunk #1 was applied at line 1, of 2 equal places the nearest to line 2 of its header",
    'The patch names "b.txt" and was applied to "a.txt"',
  ]);
});

Deno.test("Edit() words its refusals as documented", async () => {
  using ws = workspace({ "a.txt": "1\n", "nul": "a\0", "latin1": Uint8Array.of(0xe9), "folder/b.txt": "" });
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["none.txt", "", `File not found: ${ws.at("none.txt")}`, "not_found"],
    ["folder", "", `Path is not a file: ${ws.at("folder")}`, "invalid_input"],
    ["a.txt", " \n", "'patch' must be a non-empty unified diff string.", "invalid_input"],
    ["a.txt", "-1\n+2\n", "Failed to apply patch: no patch hunks found", "invalid_input"],
    [
      "nul",
      "@@\n-a\n+b",
      `Error reading file: Cannot edit "${ws.at("nul")}": it is binary, byte 1 is NUL`,
      "invalid_input",
    ],
    [
      "latin1",
      "@@\n-a\n+b",
      `Error reading file: Cannot edit "${
        ws.at("latin1")
      }": it is not valid UTF-8, and editing would change its other bytes`,
      "invalid_input",
    ],
  ];
  for (const [path, patch, message, code] of cases) {
    const { text, error } = await ws.run(edit, { path, patch });
    assertEquals([text, error?.code], [`[Edit] ${message}`, code]);
  }
});

Deno.test("Edit() refuses what lies outside", async () => {
  using ws = workspace();
  const { text, error } = await ws.run(edit, { path: "/etc/hostname", patch: "@@\n-a\n+b" });
  assertEquals(error?.code, "permission_denied");
  assertMatch(text, /^\[Edit\] Edit access is limited to the workspace root: /);
});
