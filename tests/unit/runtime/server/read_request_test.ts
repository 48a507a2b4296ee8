import { assertEquals, assertRejects } from "@std/assert";

import type { ByteConn } from "../../../../runtime/net/wire/streams.ts";
import { Wire } from "../../../../runtime/net/wire/wire.ts";
import { Deadline } from "../../../../runtime/server/inside/wire/deadline.ts";
import { HttpFailure } from "../../../../runtime/server/inside/wire/http_failure.ts";
import { readRequest } from "../../../../runtime/server/inside/wire/read_request.ts";
import { readRequestBody } from "../../../../runtime/server/inside/wire/read_request_body.ts";

/** A connection on which this text comes, some bytes at a time. */
function wireOf(text: string, size = 10_000): Wire {
  let rest = new TextEncoder().encode(text);
  const conn = {
    read(buffer: Uint8Array) {
      const part = rest.subarray(0, Math.min(size, buffer.length));
      rest = rest.subarray(part.length);
      buffer.set(part);
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
    ...{
      write: (bytes: Uint8Array) => Promise.resolve(bytes.length),
      close() {},
      closeWrite: () => Promise.resolve(),
    },
  };
  return new Wire(conn as unknown as ByteConn);
}

const request = (headers: string, first = "GET / HTTP/1.1") => `${first}\r\n${headers}\r\n`;

async function statusOf(text: string): Promise<number> {
  return (await assertRejects(() => readRequest(wireOf(text)), HttpFailure)).status;
}

Deno.test("readRequest() reads what has one meaning", { permissions: "none" }, async () => {
  const read = await readRequest(
    wireOf(request("Host: a\r\nCookie: x=1\r\nCookie: y=2\r\nAccept: a\r\nAccept: b\r\n"), 3),
  );
  assertEquals(Object.fromEntries(read!.headers), { host: "a", cookie: "x=1; y=2", accept: "a, b" });
  assertEquals([read!.method, read!.target, read!.length, read!.keeps], ["GET", "/", 0, true]);
  const keeps = async (headers: string, version: string) =>
    (await readRequest(wireOf(request(headers, `GET / HTTP/${version}`))))!.keeps;
  assertEquals([await keeps("Connection: x, Close\r\n", "1.1"), await keeps("", "1.0")], [false, false]);
  assertEquals([await keeps("Connection: Keep-Alive\r\n", "1.0"), await readRequest(wireOf(""))], [
    true,
    null,
  ]);
});

Deno.test(
  "readRequest() refuses what two readers could take for two requests",
  { permissions: "none" },
  async () => {
    const wrong = [
      ...["Host: a\r\nHost: b\r\n", "Origin: a\r\norigin: b\r\n", "Authorization: a\r\nAuthorization: a\r\n"],
      ...[
        "Content-Length: 1\r\nContent-Length: 1\r\n",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
      ],
      ...[
        "Content-Length: +1\r\n",
        "Transfer-Encoding: gzip\r\n",
        "Host : a\r\n",
        " folded\r\n",
        "a\nb: c\r\n",
      ],
    ];
    for (const headers of wrong) assertEquals(await statusOf(request(headers)), 400, JSON.stringify(headers));
    const first = [
      "GET  / HTTP/1.1",
      "GET /\tHTTP/1.1",
      "GET / HTTP/2",
      "GET http://a/ HTTP/1.1",
      "GET * HTTP/1.1",
      "GET /",
    ];
    for (const line of first) assertEquals(await statusOf(request("", line)), 400, line);
    assertEquals(await statusOf(request("Transfer-Encoding: chunked\r\n", "POST / HTTP/1.0")), 400);
    assertEquals(await statusOf("GET / HTTP/1.1\r\nHost: a\r\n"), 400);
  },
);

Deno.test("readRequest() reads heads of a bounded length", { permissions: "none" }, async () => {
  const target = (length: number) => request("", `GET /${"a".repeat(length - 1)} HTTP/1.1`);
  assertEquals((await readRequest(wireOf(target(8_192))))!.target.length, 8_192);
  assertEquals(await statusOf(target(8_193)), 414);
  const many = (count: number) => request("a: b\r\n".repeat(count));
  assertEquals([(await readRequest(wireOf(many(100))))!.headers.size, await statusOf(many(101))], [1, 431]);
  assertEquals(await statusOf(request(`a: ${"b".repeat(32 * 1024)}\r\n`)), 431);
  // Also before it is whole.
  assertEquals(await statusOf(`GET / HTTP/1.1\r\na: ${"b".repeat(70_000)}`), 431);
});

Deno.test("readRequestBody() reads a body of a bounded length, however that is told", async () => {
  const read = async (length: number | "chunked", text: string, maxBytes = 5) => {
    let told = 0;
    const incoming = { method: "POST", target: "/", headers: new Map<string, string>(), length, keeps: true };
    using deadline = new Deadline(() => {});
    const options = { maxBytes, ms: 1_000, deadline, onBytes: (count: number) => void (told += count) };
    const body = await readRequestBody(wireOf(text, 2), incoming, options).catch((error) => error);
    return body instanceof HttpFailure ? body.status : [new TextDecoder().decode(body), told];
  };
  assertEquals([await read(5, "hello and more"), await read(0, "x")], [["hello", 5], ["", 0]]);
  assertEquals([await read(6, "hello!"), await read(5, "hell")], [413, 400]);
  const chunks = "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n";
  assertEquals([await read("chunked", chunks), await read("chunked", chunks, 4)], [["hello", 5], 413]);
  assertEquals([await read("chunked", "2\r\nhe\r\n"), await read("chunked", "x\r\nhe\r\n")], [400, 400]);
});
