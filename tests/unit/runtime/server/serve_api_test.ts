import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { readPageFile } from "../../../../runtime/server/inside/page_files.ts";
import { type PageFile, pageReply } from "../../../../runtime/server/inside/page_reply.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { serveHandlers, TOKEN } from "../../../support/server/serve_handlers.ts";

const run = {
  id: "r1",
  state: "running",
};

Deno.test("serveApi() answers by its handlers, in the form of each operation", async () => {
  await using server = await serveHandlers({
    startRun: ({ body, headers, client }) => ({
      status: 201,
      headers: { location: "/runs/r1" },
      json: { ...run, body, headers, client },
    }),
    getRun: ({ params }) => {
      if (params["id"] === "broken") throw new Error("a path of /home/somebody");
      throw new ToolError("not_found", `There is no run ${params["id"]}`, { details: { near: ["r1"] } });
    },
    readRunFile: ({ params }) => ({
      bytes: { bytes: new TextEncoder().encode(params["name"]!), type: "image/png" },
    }),
    cancelRun: () => ({ status: 204 }),
  });
  const started = await server.fetch("/runs", {
    method: "POST",
    body: JSON.stringify({ prompt: "Tidy up" }),
    headers: { "content-type": "application/json", "x-client-id": "page", "x-other": "not told" },
  });
  assertEquals([started.status, started.headers.get("location")], [201, "/runs/r1"]);
  const { headers, ...told } = await started.json();
  assertEquals(told, { ...run, body: { prompt: "Tidy up" }, client: "127.0.0.1" });
  assertEquals([headers["x-client-id"], headers["x-other"], headers.authorization], [
    "page",
    undefined,
    undefined,
  ]);

  const lost = await server.fetch("/runs/r%C3%A4");
  assertEquals(lost.status, 404);
  assertEquals(await lost.json(), {
    error: { code: "not_found", message: "There is no run rä", retryable: false, details: { near: ["r1"] } },
  });
  const broken = await server.fetch("/runs/broken");
  assertEquals(broken.status, 500);
  assertEquals((await broken.text()).includes("somebody"), false);
  assertMatch(server.warnings[0]!, /somebody/);

  const file = await server.fetch("/runs/r1/files/plot.png");
  assertEquals([file.headers.get("content-type"), await file.text()], ["image/png", "plot.png"]);
  assertEquals(file.headers.get("x-content-type-options"), "nosniff");
  const head = await server.fetch("/runs/r1/files/plot.png", { method: "HEAD" });
  assertEquals([head.status, head.headers.get("content-length"), await head.text()], [200, "8", ""]);
  assertEquals((await server.fetch("/runs/r1/cancel", { method: "POST" })).status, 204);
  // Nobody answers that: it is not offered.
  const undone = await server.fetch("/runs/r1/undo", { method: "POST" });
  assertEquals(undone.status, 404);
  await undone.body?.cancel();
});

Deno.test("serveApi() asks for pieces that the client takes, and ends a stream when the client has gone", async () => {
  let given = 0;
  const ended = Promise.withResolvers<number>();
  const piece = `data: ${"x".repeat(1_000_000)}\n\n`;
  await using server = await serveHandlers({
    followRun: () => {
      async function* pieces() {
        try {
          for (;; given++) yield piece;
        } finally {
          ended.resolve(given);
        }
      }
      return { stream: { pieces: pieces(), type: "text/event-stream" } };
    },
  });
  const answer = await server.fetch("/runs/r1/events");
  assertEquals(answer.headers.get("content-type"), "text/event-stream");
  const reader = answer.body!.getReader();
  await reader.read();
  // What the system holds back for the client, and no more.
  await server.fetch("/health").then((health) => health.text());
  await reader.cancel();
  assert(await ended.promise < 50);
});

Deno.test("serveApi() tells streams that it ends, and ends", async () => {
  const server = await serveHandlers({
    followRun: ({ signal }) => {
      async function* pieces() {
        yield "data: 1\n\n";
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      }
      return { stream: { pieces: pieces(), type: "text/event-stream" } };
    },
  });
  const answer = await server.fetch("/runs/r1/events");
  const pieces = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = (await pieces.read()).value;
  await server.close();
  for (let next = await pieces.read(); !next.done; next = await pieces.read()) heard += next.value;
  assertEquals(heard, 'data: 1\n\nevent: end\ndata: {"reason":"shutdown"}\n\n');
});

Deno.test("serveApi() says why it cannot listen", async () => {
  await using server = await serveHandlers({});
  const error = await serveHandlers({}, { port: server.port }).catch((error) => error);
  assertEquals(error.code, "unavailable");
  assertMatch(error.message, /something else does/);
});

Deno.test("serveApi() lets a browser in by the address, and its page by the cookie", async () => {
  await using server = await serveHandlers({
    listRuns: () => ({ json: [] }),
    cancelRun: () => ({ status: 204 }),
  });
  const opened = await fetch(`${server.url}/?token=${TOKEN}`, { redirect: "manual" });
  const [, key = ""] = /^\/#key=([0-9a-f]{64})$/.exec(opened.headers.get("location") ?? "") ?? [];
  assertEquals([opened.status, key.length, await opened.text()], [303, 64, ""]);
  const cookie = opened.headers.get("set-cookie")!;
  assertMatch(
    cookie,
    new RegExp(`^bulkhead_${server.port}=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=/$`),
  );
  const ask = async (path: string, headers: Record<string, string>, method = "GET") => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const length = method === "POST" ? "Content-Length: 0\r\n" : "";
    const all = await server.raw(
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n${length}${lines}\r\n`,
    );
    return Number(all.split(" ")[1]);
  };
  const shown = { cookie: `other=1; ${cookie.split(";")[0]}` };
  assertEquals(await ask("/runs", {}), 401);
  assertEquals(await ask("/runs", { cookie: `bulkhead_${server.port}=${TOKEN}` }), 401);
  assertEquals(await ask("/runs", shown), 200);
  assertEquals(await ask("/runs", { ...shown, "sec-fetch-site": "same-site" }), 403);
  const cancel = (headers: Record<string, string>) =>
    ask("/runs/r1/cancel", { ...shown, ...headers }, "POST");
  assertEquals(await cancel({}), 403);
  assertEquals(await cancel({ "sec-fetch-site": "none" }), 403);
  // Whoever got the cookie can say anything, but knows no key.
  assertEquals(await cancel({ "sec-fetch-site": "same-origin" }), 401);
  assertEquals(await cancel({ "sec-fetch-site": "same-origin", "x-page-key": TOKEN }), 401);
  assertEquals(await cancel({ "sec-fetch-site": "same-origin", "x-page-key": key }), 204);
  assertEquals(await cancel({ origin: server.url, "x-page-key": key }), 204);
  assertEquals(await cancel({ "sec-fetch-site": "same-site", "x-page-key": key }), 403);
  assertEquals(await cancel({ origin: "http://127.0.0.1:1" }), 403);
  const wrong = await fetch(`${server.url}/?token=x${TOKEN}`);
  assertEquals([wrong.status, (await wrong.json()).error.code], [401, "unauthenticated"]);
});

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

const LINES = "a line of the page\n".repeat(1_000);
const file: PageFile = { bytes: new TextEncoder().encode(LINES), type: "text/javascript; charset=utf-8" };
const ask = (headers: Record<string, string>, of = file) =>
  pageReply({ headers: new Map(Object.entries(headers)) }, of);

Deno.test("pageReply() packs a file for clients that take that, and is strict about what it may load", async () => {
  const { status, headers, body } = await ask({ "accept-encoding": "br, gzip" });
  assertEquals([status, headers["content-encoding"], headers["content-type"]], [200, "gzip", file.type]);
  assert(body instanceof Uint8Array && body.length < 1_000);
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"));
  assertEquals(await new Response(stream).text(), LINES);
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
