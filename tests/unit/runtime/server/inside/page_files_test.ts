import { assertEquals, assertStringIncludes } from "@std/assert";

import { readPageFile } from "../../../../../runtime/server/inside/page_files.ts";

const text = async (path: string) => {
  const file = await readPageFile(path);
  return file && { type: file.type, text: new TextDecoder().decode(file.bytes) };
};

Deno.test("the page and what it loads are there, by their paths", async () => {
  const page = await text("/");
  assertEquals(page?.type, "text/html; charset=utf-8");
  const loads = [...page!.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
  assertEquals(loads.length, 2);
  for (const path of loads) assertEquals((await text(path))!.text.length > 1_000, true, path);
});

Deno.test("other paths are no files", async () => {
  for (const path of ["/nothing.js", "/../app.js", "/constructor", "//app.js", ""]) {
    assertEquals(await text(path), null, path);
  }
});

Deno.test("the page holds no script, no style and no address of elsewhere", async () => {
  const page = (await text("/"))!.text;
  assertEquals(/<style|style=|<script>|https?:/.test(page), false);
  assertStringIncludes(page, '<script type="module" src="/app.js">');
});

Deno.test("what the page loads at first is small", async () => {
  const files = await Promise.all(["/", "/app.js", "/app.css"].map(readPageFile));
  const packed = new Blob(files.map((file) => file!.bytes)).stream().pipeThrough(
    new CompressionStream("gzip"),
  );
  const { byteLength } = await new Response(packed).arrayBuffer();
  assertEquals(byteLength < 300_000, true, `${byteLength} bytes`);
});
