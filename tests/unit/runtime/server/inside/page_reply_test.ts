import { assert, assertEquals } from "@std/assert";

import { type PageFile, pageReply } from "../../../../../runtime/server/inside/page_reply.ts";

const text = "a line of the page\n".repeat(1_000);
const file: PageFile = { bytes: new TextEncoder().encode(text), type: "text/javascript; charset=utf-8" };
const ask = (headers: Record<string, string>, of = file) =>
  pageReply({ headers: new Map(Object.entries(headers)) }, of);

Deno.test("pageReply() packs a file for clients that take that, and is strict about what it may load", async () => {
  const { status, headers, body } = await ask({ "accept-encoding": "br, gzip" });
  assertEquals([status, headers["content-encoding"], headers["content-type"]], [200, "gzip", file.type]);
  assert(body instanceof Uint8Array && body.length < 1_000);
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"));
  assertEquals(await new Response(stream).text(), text);
  assert(headers["content-security-policy"]!.startsWith("default-src 'none'; script-src 'self';"));
  for (const encoding of ["", "br", "gzip;q=0", "x-gzipped"]) {
    const plain = await ask({ "accept-encoding": encoding });
    assertEquals([plain.headers["content-encoding"], plain.body], [undefined, file.bytes], encoding);
  }
});

Deno.test("pageReply() does not send again what a client has", async () => {
  const { headers } = await ask({});
  const again = await ask({ "if-none-match": `"x", W/${headers["etag"]}` });
  assertEquals([again.status, again.body], [304, new Uint8Array()]);
  assertEquals((await ask({ "if-none-match": '"x"' })).status, 200);
  const other = await ask({}, { bytes: new TextEncoder().encode("other"), type: "text/html" });
  assert(other.headers["etag"] !== headers["etag"]);
});
