import { assertEquals, assertMatch } from "@std/assert";

import write from "../../../../tools/harness/write.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("Write() makes a file and its folders, byte for byte", async () => {
  using ws = workspace();
  const content = "\ufeffé\r\nno end";
  const { text, result } = await ws.run(write, { path: "deep/er/a.txt", content });
  assertEquals(text, `[Write] Wrote file: ${ws.at("deep/er/a.txt")}`);
  assertEquals(result, { path: ws.at("deep/er/a.txt"), bytes: 13 });
  assertEquals(ws.bytes("deep/er/a.txt"), new TextEncoder().encode(content));
  assertEquals([...Deno.readDirSync(ws.at("deep/er"))].map(({ name }) => name), ["a.txt"]);
});

Deno.test("Write() leaves what exists alone unless overwrite is true", async () => {
  using ws = workspace({ "a.txt": "old", "folder/b.txt": "" });
  for (const path of ["a.txt", "folder"]) {
    const { text, error } = await ws.run(write, { path, content: "new" });
    assertEquals(text, `[Write] File already exists and overwrite is false: ${ws.at(path)}`);
    assertEquals(error?.code, "conflict");
  }
  assertEquals(ws.read("a.txt"), "old");
  Deno.chmodSync(ws.at("a.txt"), 0o640);
  assertEquals((await ws.run(write, { path: "a.txt", content: "", overwrite: true })).ok, true);
  assertEquals([ws.read("a.txt"), Deno.statSync(ws.at("a.txt")).mode! & 0o777], ["", 0o640]);
});

Deno.test("Write() words the failures of the system", async () => {
  using ws = workspace({ "file": "x", "folder/b.txt": "" });
  const folder = await ws.run(write, { path: "folder", content: "", overwrite: true });
  assertEquals(folder.text, `[Write] Error writing file: Cannot write "${ws.at("folder")}": it is a folder`);
  assertEquals(folder.error?.code, "invalid_input");
  const below = await ws.run(write, { path: "file/below.txt", content: "" });
  assertEquals(below.ok, false);
  assertMatch(below.text, /^\[Write\] /);
  assertEquals(ws.read("file"), "x");
});

Deno.test("Write() refuses what lies outside or is protected", async () => {
  using ws = workspace();
  Deno.symlinkSync("/tmp/bulkhead-nowhere", ws.at("dangling"));
  for (const path of ["/etc/x", "../x", "dangling"]) {
    const { text, error } = await ws.run(write, { path, content: "" });
    assertEquals(error?.code, "permission_denied");
    assertMatch(text, /^\[Write\] Write access is limited to the workspace root: /);
  }
  assertEquals(
    (await ws.run(write, { path: ".git/hooks/pre-commit", content: "" })).error?.code,
    "permission_denied",
  );
});
