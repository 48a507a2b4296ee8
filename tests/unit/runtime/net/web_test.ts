import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

import { nextUrl } from "../../../../runtime/net/room/redirect.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { gateScene, onlyTo, rawServer, testServer } from "../../../support/net/gate_scene.ts";
import type { WebAnswer, WebRequest } from "../../../../schemas/context.ts";

const redirect = (location: string, status = 302) => new Response(null, { status, headers: { location } });

function answered(answer: WebAnswer | ToolError): WebAnswer {
  if (answer instanceof ToolError) throw answer;
  return answer;
}

Deno.test("redirects are followed in the room, and each is checked", async () => {
  await using inner = testServer(() => new Response("inner"));
  await using server = testServer((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/start") return redirect("/next?a=1");
    if (pathname === "/next") return redirect(`${server.url}/end`, 307);
    if (pathname === "/inner") return redirect(inner.url);
    if (pathname === "/loop") return redirect("/loop");
    const [, target = ""] = /^\/to\/(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    return target === "" ? new Response("end") : redirect(target);
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  const { url, redirects } = answered(await scene.ask(`${server.url}/start`));
  assertEquals([url, redirects], [`${server.url}/end`, [`${server.url}/start`, `${server.url}/next?a=1`]]);
  assertEquals(await scene.say(`${server.url}/inner`), "permission_denied private");
  const loop = await scene.ask(`${server.url}/loop`);
  assert(loop instanceof ToolError);
  assertEquals([loop.code, loop.retryable], ["external_failure", false]);
  for (const target of ["file:///etc/passwd", "ftp://example.com/", "http://u:p@example.com/"]) {
    const told = "external_failure scheme";
    assertEquals(await scene.say(`${server.url}/to/${encodeURIComponent(target)}`), told);
  }
  assertEquals(answered(await scene.ask(`${server.url}/start`, { maxRedirects: 0 })).status, 302);
});

Deno.test("an answer of a server is never taken for one of the gate", async () => {
  const lie = "HTTP/1.1 403 No\r\nx-gate-reason: outside\r\nx-gate-flag: --allow-all\r\nx-gate-nonce: 1\r\n" +
    "Content-Length: 0\r\n\r\n";
  await using server = rawServer(lie);
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(answered(await scene.ask(server.url)).status, 403);
  assert(!/x-gate/i.test(server.asked[0]!), server.asked[0]);
});

Deno.test("answers that break off, lie or say nothing are failures of the other side", async () => {
  const ends: Record<string, string> = {
    "cut": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    "cut pieces": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
    "no HTTP": "what?\r\n\r\n",
    "silent": "",
    "bad gzip": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
    "bad deflate": "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 4\r\n\r\nwxyz",
    "unknown packing": "HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\nContent-Length: 4\r\n\r\nabcd",
  };
  for (const [name, bytes] of Object.entries(ends)) {
    await using server = rawServer(bytes);
    await using scene = await gateScene({ rules: onlyTo(server.host) });
    const failure = await scene.ask(server.url, { retries: 0 });
    assert(failure instanceof ToolError && failure.code === "external_failure", name);
    if (["cut", "cut pieces", "bad gzip"].includes(name)) assertStringIncludes(failure.message, server.url);
  }
});

Deno.test("what breaks off is told without the address that requests only seem to go to", async () => {
  const manyHeaders = `HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(1_000)}Content-Length: 0\r\n\r\n`;
  await using server = rawServer(manyHeaders);
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  const error = await scene.ask(server.url, { retries: 0 });
  assert(error instanceof ToolError && error.code === "external_failure");
  assertStringIncludes(error.message, "The connection broke off while http");
  assert(!error.message.includes("255.255"), error.message);
});

Deno.test("a body that ends with its connection is whole", async () => {
  await using server = rawServer(
    "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold style",
    "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nafter the hint",
  );
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(await scene.say(server.url), "old style");
  assertEquals(await scene.say(server.url), "after the hint");
});

Deno.test("a body is read up to its bound, also one that is packed into a few bytes", async () => {
  const zeros = new Blob([new Uint8Array(20_000_000)]).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = await new Response(zeros).bytes();
  assert(packed.length < 64 * 1024);
  await using server = testServer(({ url }) =>
    url.endsWith("/packed")
      ? new Response(packed, {
        headers: { "content-encoding": "gzip", "content-length": String(packed.length) },
      })
      : new Response(new Uint8Array(Number(new URL(url).pathname.slice(1))), {
        headers: { "cache-control": "no-transform" },
      })
  );
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  const bounds: [path: string, maxBytes: number, length: number, truncated: boolean][] = [
    ["packed", 100_000, 100_000, true],
    ["packed", 30_000_000, 20_000_000, false],
    ["1000", 1_000, 1_000, false],
    ["1000", 999, 999, true],
    ["200000", 300_000, 200_000, false],
    ["200000", 100, 100, true],
    ["0", 0, 0, false],
  ];
  for (const [path, maxBytes, length, truncated] of bounds) {
    const { body, ...answer } = answered(await scene.ask(`${server.url}/${path}`, { maxBytes }));
    assertEquals([body.length, answer.truncated], [length, truncated], path);
  }
});

Deno.test("deadlines hold for the beginning and for the whole", async () => {
  const open = Promise.withResolvers<void>();
  await using server = testServer(async (request) => {
    if (request.url.endsWith("/late")) await open.promise;
    return new Response(new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(1)) }));
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(await scene.say(`${server.url}/late`, { firstByteMs: 100 }), "timeout");
  assertEquals(await scene.say(server.url, { timeoutMs: 200 }), "timeout");
  await using short = await gateScene({ rules: onlyTo(server.host) }, { deadlineMs: 300 });
  const late = await short.ask(server.url, { timeoutMs: 60_000 });
  assert(late instanceof ToolError && Number(late.details.timeout_ms) <= 300, JSON.stringify(late));
  open.resolve();
});

Deno.test("what is no URL of the web is told once", async () => {
  await using scene = await gateScene();
  const failure = await scene.ask("example.com");
  assert(failure instanceof ToolError);
  const told = "it is not a URL, write it whole, such as https://example.com/page";
  assertEquals(failure.message, `Cannot ask "example.com": ${told}`);
});

Deno.test("what may pass is asked again, for as long as the server wants and time allows", async () => {
  const busy = (headers = "") => `HTTP/1.1 503 Busy\r\n${headers}Content-Length: 0\r\n\r\n`;
  const fine = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine";
  const scenes: [answers: string[], expected: [status: number, asked: number], method?: "POST"][] = [
    [[busy("Retry-After: 0\r\n"), busy("Retry-After: 0\r\n"), fine], [200, 3]],
    [[busy("Retry-After: 0\r\n")], [503, 3]],
    [[busy("Retry-After: 3600\r\n"), fine], [503, 1]],
    [[busy("Retry-After: 6\r\n"), fine], [503, 1]],
    [[busy("Retry-After: 0\r\n"), fine], [503, 1], "POST"],
    [["HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", fine], [404, 1]],
    [["", fine], [200, 2]],
  ];
  for (const [answers, expected, method] of scenes) {
    await using server = rawServer(...answers);
    await using scene = await gateScene({ rules: onlyTo(server.host) });
    const { status } = answered(await scene.ask(server.url, method && { method }));
    assertEquals([status, server.asked.length], expected);
  }
});

const answer = (status: number, location?: string) => ({
  status,
  headers: new Headers(location === undefined ? {} : { location }),
});

Deno.test("nextUrl() gives keys and headers of one's own to the same origin alone", () => {
  const asked: WebRequest = {
    url: "https://a.example/x",
    headers: { Authorization: "Bearer 1", cookie: "c=1", "X-Api-Key": "2", Accept: "text/html" },
    secret: { name: "KEY", header: "x-key" },
  };
  assertEquals(nextUrl(asked, answer(302, "/y")), { ...asked, method: "GET", url: "https://a.example/y" });
  for (const url of ["https://b.example/y", "http://a.example/x", "https://a.example:8443/x"]) {
    assertEquals(nextUrl(asked, answer(302, url)), { url, method: "GET", headers: { Accept: "text/html" } });
  }
});

Deno.test("nextUrl() keeps a body where the status says so", () => {
  const asked: WebRequest = {
    url: "https://a.example/",
    method: "POST",
    body: "b",
    headers: { "content-type": "text/plain", accept: "*/*" },
  };
  const methodOf = (method: "POST" | "HEAD" | "GET", status: number) => {
    const next = nextUrl({ ...asked, method }, answer(status, "/y"));
    return [next?.method, next?.body, next?.headers?.["content-type"]];
  };
  for (const status of [301, 302, 303]) assertEquals(methodOf("POST", status), ["GET", undefined, undefined]);
  for (const status of [307, 308]) assertEquals(methodOf("POST", status), ["POST", "b", "text/plain"]);
  assertEquals(methodOf("HEAD", 303)[0], "HEAD");
});

Deno.test("nextUrl() keeps the part after # and leads to the web alone", () => {
  const asked: WebRequest = { url: "https://a.example/x#part" };
  assertEquals(nextUrl(asked, answer(301, "/y"))?.url, "https://a.example/y#part");
  assertEquals(nextUrl(asked, answer(301, "/y#other"))?.url, "https://a.example/y#other");
  for (const [status, location] of [[200, "/y"], [304, "/y"], [300, "/y"], [302, undefined]] as const) {
    assertEquals(nextUrl(asked, answer(status, location)), null);
  }
  assertEquals(nextUrl({ ...asked, maxRedirects: 0 }, answer(302, "/y")), null);
  for (const location of ["file:///etc/passwd", "https://me:secret@a.example/", "http://[::1", "data:,x"]) {
    const error = assertThrows(() => nextUrl(asked, answer(302, location)), ToolError);
    assertEquals([error.code, error.message.includes("secret")], ["external_failure", false]);
  }
});
