import { assert, assertEquals, assertThrows } from "@std/assert";

import { GateFailure } from "../../../../../runtime/net/dial/gate_failure.ts";
import {
  answerLength,
  headersToPass,
  parseAnswerHead,
  parseRequestHead,
  writeHead,
} from "../../../../../runtime/net/forms/http_head.ts";

Deno.test("heads are read byte by byte, and written as they were", { permissions: "none" }, () => {
  const every = String.fromCharCode(...Array.from({ length: 128 }, (_, at) => at + 128));
  const { headers } = parseAnswerHead(`HTTP/1.1 200 Fine\r\nLocation: \t ${every} \t\r\nEmpty:\r\n\r\n`)!;
  assertEquals(headers, [["location", every], ["empty", ""]]);
  const written = writeHead("HTTP/1.1 200 Fine", headers);
  const text = `HTTP/1.1 200 Fine\r\nlocation: ${every}\r\nempty: \r\n\r\n`;
  assertEquals(written, Uint8Array.from(text, (character) => character.charCodeAt(0)));
});

Deno.test("many blanks in a header take no time", { permissions: "none" }, () => {
  const started = performance.now();
  const [, value] = parseRequestHead(`GET / HTTP/1.1\r\nA: b${" ".repeat(600_000)}c\r\n\r\n`).headers[0]!;
  assertEquals(value.length, 600_002);
  assert(performance.now() - started < 10_000);
});

Deno.test("a request with other line ends is none, an answer may have them", { permissions: "none" }, () => {
  for (
    const text of ["GET / HTTP/1.1\r\nA: b\r\nC: d\n\n", "GET / HTTP/1.1\nA: b\r\n\r\n", "GET / HTTP/1.1\n\n"]
  ) {
    assertThrows(() => parseRequestHead(text), GateFailure);
  }
  assertEquals(parseAnswerHead("HTTP/1.1 200\nA: b\n\n")?.headers, [["a", "b"]]);
  for (
    const text of [
      "HTTP/2 200\r\n\r\n",
      "HTTP/1.1 20\r\n\r\n",
      "HTTP/1.1 200 a\x07\r\n\r\n",
      "ICY 200 OK\r\n\r\n",
    ]
  ) {
    assertEquals(parseAnswerHead(text), null, text);
  }
});

Deno.test(
  "an answer has one length, and names what its connection alone needs",
  { permissions: "none" },
  () => {
    const head = (lines: string, status = 200) => parseAnswerHead(`HTTP/1.1 ${status} x\r\n${lines}\r\n`)!;
    const lengths: [
      lines: string,
      length: ReturnType<typeof answerLength>,
      method?: string,
      status?: number,
    ][] = [
      ["Content-Length: 5\r\n", 5],
      ["Content-Length: 5\r\nContent-Length: 5\r\n", 5],
      ["Content-Length: 5\r\nContent-Length: 6\r\n", null],
      ["Content-Length: 5, 5\r\n", null],
      ["Content-Length: -1\r\n", null],
      ["Transfer-Encoding: Chunked\r\n", "chunked"],
      ["Transfer-Encoding: gzip, chunked\r\n", null],
      ["Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", null],
      ["", "close"],
      ["Content-Length: 5\r\n", 0, "HEAD"],
      ["Transfer-Encoding: chunked\r\n", 0, "GET", 304],
      ["", 0, "GET", 204],
    ];
    for (const [lines, length, method = "GET", status] of lengths) {
      assertEquals(answerLength(head(lines, status), method), length, lines);
    }
    const { keeps, ...rest } = head(
      "Connection: close, X-A\r\nX-A: 1\r\nX-Gate-Nonce: 1\r\nX-B: 2\r\nKeep-Alive: 5\r\n",
    );
    assertEquals([keeps, headersToPass(rest)], [false, [["x-b", "2"]]]);
  },
);
