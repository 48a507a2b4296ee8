import { assertEquals } from "@std/assert";

import read from "../../../../tools/par/read.ts";
import { workspace } from "../../../support/run_tool.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

Deno.test("read() numbers lines in a column of four", async () => {
  using ws = workspace({ "src/main.ml": "open Par\n\tlet x = 1\r\n" });
  const { text, result } = await ws.run(read, { path: "src/main.ml" });
  assertEquals(text, "   1\topen Par\n   2\t\tlet x = 1");
  assertEquals(result, text);
});

Deno.test("read() returns 100 lines and says with which offset to go on", async () => {
  using ws = workspace({ "a.txt": numbered(250) });
  const first = (await ws.run(read, { path: "a.txt" })).text.split("\n");
  assertEquals([first.length, first[0], first[99]], [101, "   1\tline 1", " 100\tline 100"]);
  assertEquals(first[100], "[… 150 more lines; call read with offset=100 for the rest]");
  const last = (await ws.run(read, { path: "a.txt", offset: 249, limit: 5 })).text;
  assertEquals(last, " 250\tline 250");
  const one = (await ws.run(read, { path: "a.txt", offset: 248, limit: 1 })).text;
  assertEquals(one, " 249\tline 249\n[… 1 more line; call read with offset=249 for the rest]");
});

Deno.test("read() lets numbers above 9999 grow", async () => {
  using ws = workspace({ "a.txt": numbered(10_001) });
  const { text } = await ws.run(read, { path: "a.txt", offset: 9998, limit: 3 });
  assertEquals(text, "9999\tline 9999\n10000\tline 10000\n10001\tline 10001");
});

Deno.test("read() gives an empty string for an empty file and past the end", async () => {
  using ws = workspace({ "empty": "", "a.txt": "1\n" });
  const empty = await ws.run(read, { path: "empty" });
  assertEquals([empty.ok, empty.text, empty.warnings], [true, "", []]);
  const past = await ws.run(read, { path: "a.txt", offset: 7 });
  assertEquals([past.ok, past.text, past.warnings], [true, "", [
    'offset 7 is past the end: "a.txt" has 1 lines',
  ]]);
});

Deno.test("read() returns a binary file as base64", async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
  using ws = workspace({ "a.bin": bytes, "a.png": "\x89PNG" });
  const { text, warnings } = await ws.run(read, { path: "a.bin" });
  assertEquals(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)), bytes);
  assertEquals(warnings, [
    '"a.bin" is not text (application/octet-stream, 100000 bytes): the result is its base64',
  ]);
});

Deno.test("read() refuses more than 10000000 bytes", async () => {
  using ws = workspace({ "big": "", "fits": "" });
  Deno.truncateSync(ws.at("big"), 10_000_001);
  Deno.truncateSync(ws.at("fits"), 10_000_000);
  const { text, error } = await ws.run(read, { path: "big" });
  assertEquals(error?.code, "invalid_input");
  assertEquals(text, 'File too large: "big" has 10000001 bytes, more than 10000000; search it with grep');
  assertEquals((await ws.run(read, { path: "fits" })).ok, true);
});

Deno.test("read() replaces invalid UTF-8 and says so", async () => {
  using ws = workspace({ "a.txt": Uint8Array.of(0x63, 0xe9, 0x0a) });
  const { text, warnings } = await ws.run(read, { path: "a.txt" });
  assertEquals([text, warnings], ["   1\tc\ufffd", [
    '"a.txt" holds bytes that are not valid UTF-8, shown as U+FFFD',
  ]]);
});

Deno.test("read() refuses paths that par does not admit, folders and what is not there", async () => {
  using ws = workspace({ "a.txt": "", "folder/b.txt": "", "c:d": "" });
  for (
    const [path, code] of [
      [ws.at("a.txt"), "invalid_input"],
      ["c:d", "invalid_input"],
      ["../a.txt", "permission_denied"],
      ["/etc/hostname", "permission_denied"],
      ["none.txt", "not_found"],
      ["folder", "invalid_input"],
    ]
  ) {
    assertEquals([path, (await ws.run(read, { path })).error?.code], [path, code]);
  }
});
