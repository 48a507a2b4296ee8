import { assertEquals, assertRejects } from "@std/assert";

import { listArtifacts, readArtifact } from "../../../../runtime/state/kept_artifacts.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

Deno.test("listArtifacts() lists plain files with the types that their bytes show", async () => {
  using ws = workspace({
    "kept/a.png": PNG,
    "kept/lie.png": "<svg onload=alert(1)>",
    "kept/page.HTML": "<b>",
    "kept/out.txt": "text",
    "kept/raw": new Uint8Array([0, 1]),
    "kept/sub/inner": "x",
    "elsewhere/file": "s",
    secret: "s",
  });
  Deno.symlinkSync(ws.at("secret"), ws.at("kept/link"));
  Deno.symlinkSync(ws.at("elsewhere"), ws.at("kept/sub/folder"));
  Deno.linkSync(ws.at("secret"), ws.at("kept/hard"));
  assertEquals(await listArtifacts(ws.at("kept")), [
    { name: "a.png", type: "image/png", bytes: 9 },
    { name: "lie.png", type: "text/plain", bytes: 21 },
    { name: "out.txt", type: "text/plain", bytes: 4 },
    { name: "page.HTML", type: "text/html", bytes: 3 },
    { name: "raw", type: "application/octet-stream", bytes: 2 },
    { name: "sub/inner", type: "text/plain", bytes: 1 },
  ]);
  assertEquals(await listArtifacts(ws.at("nothing")), []);
});

Deno.test("readArtifact() gives no file from elsewhere", async () => {
  using ws = workspace({ "kept/a.txt": "text", "kept/sub/inner": "x", "other/file": "o", secret: "s" });
  Deno.symlinkSync(ws.at("other"), ws.at("kept/sub/out"));
  Deno.symlinkSync(ws.at("secret"), ws.at("kept/link"));
  Deno.linkSync(ws.at("secret"), ws.at("kept/hard"));
  Deno.symlinkSync(ws.at("kept"), ws.at("linked"));
  const folder = ws.at("kept");
  const found = await readArtifact(folder, "a.txt", { maxBytes: 4 });
  assertEquals([new TextDecoder().decode(found.bytes), found.type], ["text", "text/plain"]);
  const names = [
    ...[
      "",
      ".",
      "..",
      "../secret",
      "sub/../../secret",
      "sub/../a.txt",
      "sub//inner",
      "sub/out/file",
      "sub",
      "link",
      "hard",
      "no",
      "a.txt\0",
      ws.at("secret"),
    ],
    ...["a.txt/", "./a.txt", "a".repeat(300)],
  ];
  for (const name of names) {
    const error = await assertRejects(() => readArtifact(folder, name, { maxBytes: 9 }), ToolError);
    assertEquals(error.code, "not_found", name);
  }
  assertEquals((await readArtifact(folder, "sub/inner", { maxBytes: 4 })).bytes.length, 1);
  const large = await assertRejects(() => readArtifact(folder, "a.txt", { maxBytes: 3 }), ToolError);
  assertEquals(large.code, "limit_exceeded");
});
