import { assertEquals } from "@std/assert";

import write from "../../../../tools/par/write.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("write() writes a file and counts bytes", async () => {
  using ws = workspace({ "a.txt": "older and longer" });
  assertEquals((await ws.run(write, { path: "a.txt", content: "héllo\r\n" })).text, "Wrote 8 bytes to a.txt");
  assertEquals(ws.read("a.txt"), "héllo\r\n");
  assertEquals((await ws.run(write, { path: "empty", content: "" })).text, "Wrote 0 bytes to empty");
});

Deno.test("write() makes folders only when asked to", async () => {
  using ws = workspace();
  const refused = await ws.run(write, { path: "out/deep/result.txt", content: "hello" });
  assertEquals(refused.error?.code, "not_found");
  assertEquals(
    refused.text,
    `Cannot write "out/deep/result.txt": no folder "${ws.at("out/deep")}", pass create_dirs: true to make it`,
  );
  const { text } = await ws.run(write, { path: "out/deep/result.txt", content: "hello", create_dirs: true });
  assertEquals(text, "Wrote 5 bytes to out/deep/result.txt");
  assertEquals(ws.read("out/deep/result.txt"), "hello");
});

Deno.test("write() refuses paths that par does not admit, and folders", async () => {
  using ws = workspace({ "folder/b.txt": "" });
  for (
    const [path, code] of [
      [ws.at("a.txt"), "invalid_input"],
      ["c:d", "invalid_input"],
      ["../a.txt", "permission_denied"],
      ["folder", "invalid_input"],
    ]
  ) {
    assertEquals([path, (await ws.run(write, { path, content: "" })).error?.code], [path, code]);
  }
});
