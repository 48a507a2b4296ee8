import { assertEquals, assertMatch } from "@std/assert";

import edit from "../../../../tools/par/edit.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("edit() replaces exact strings", async () => {
  using ws = workspace({ "src/main.ts": "let x = 1\nfoo()\n" });
  const edits = [{ old: "let x = 1", new: "let x = $&\\1" }, { old: "foo", new: "bar" }];
  const { text, warnings } = await ws.run(edit, { path: "src/main.ts", edits });
  assertEquals([text, warnings], ["Applied 2 edit(s) to src/main.ts", []]);
  assertEquals(ws.read("src/main.ts"), "let x = $&\\1\nbar()\n");
});

Deno.test("edit() accepts an empty list", async () => {
  using ws = workspace({ "a.txt": "a" });
  assertEquals((await ws.run(edit, { path: "a.txt", edits: [] })).text, "Applied 0 edit(s) to a.txt");
});

Deno.test("edit() keeps BOM, line ends and mode", async () => {
  using ws = workspace({ "a.txt": "\ufeffa\r\nb\nc" });
  Deno.chmodSync(ws.at("a.txt"), 0o600);
  await ws.run(edit, { path: "a.txt", edits: [{ old: "a\nb", new: "x\ny" }] });
  assertEquals(ws.bytes("a.txt"), new TextEncoder().encode("\ufeffx\r\ny\nc"));
  assertEquals(Deno.statSync(ws.at("a.txt")).mode! & 0o777, 0o600);
});

Deno.test("edit() tells of other occurrences", async () => {
  using ws = workspace({ "a.txt": "x\nx\ny\ny\ny\n" });
  const edits = [{ old: "x", new: "1" }, { old: "y", new: "2" }];
  const { warnings } = await ws.run(edit, { path: "a.txt", edits });
  assertEquals(warnings, [
    'edits[0]: "old" stands at line 2 too; only the first one, at line 1, was replaced',
    'edits[1]: "old" stands at lines 4, 5 too; only the first one, at line 3, was replaced',
  ]);
  assertEquals(ws.read("a.txt"), "1\nx\n2\ny\ny\n");
});

Deno.test("edit() writes nothing if one edit is refused", async () => {
  using ws = workspace({ "a.txt": "abc\n" });
  const first = { old: "a", new: "1" };
  for (
    const [other, message] of [
      [{ old: "ab", new: "2" }, /^Overlapping edits: edits\[0\] and edits\[1\] both change line 1/],
      [{ old: "z", new: "2" }, /^edits\[1\]: "old" is not an exact part of the file\. /],
      [{ old: "", new: "2" }, /^edits\[1\]: "old" is empty/],
    ] as const
  ) {
    const { text, error } = await ws.run(edit, { path: "a.txt", edits: [first, other] });
    assertEquals(error?.code, "invalid_input");
    assertMatch(text, message);
  }
  assertEquals(ws.read("a.txt"), "abc\n");
});

Deno.test("edit() refuses what is not text, not there or not admitted", async () => {
  using ws = workspace({ "nul": "a\0", "latin1": Uint8Array.of(0x61, 0xe9), "a.txt": "a" });
  for (
    const [path, code] of [
      ["nul", "invalid_input"],
      ["latin1", "invalid_input"],
      ["none.txt", "not_found"],
      [ws.at("a.txt"), "invalid_input"],
      ["/etc/hostname", "permission_denied"],
    ]
  ) {
    const { error } = await ws.run(edit, { path, edits: [{ old: "a", new: "b" }] });
    assertEquals([path, error?.code], [path, code]);
  }
});
