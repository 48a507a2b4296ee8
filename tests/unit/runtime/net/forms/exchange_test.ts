import { assertEquals } from "@std/assert";

import { GateFailure } from "../../../../../runtime/net/dial/gate_failure.ts";
import { type Exchange, runExchange } from "../../../../../runtime/net/forms/exchange.ts";
import { latin1 } from "../../../../../runtime/net/wire/streams.ts";
import { Wire } from "../../../../../runtime/net/wire/wire.ts";

/** A connection whose other side says some words, and then takes so many writes. */
function fakeConn(words: string, { takes = Infinity }: { takes?: number } = {}) {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  const fake = {
    said: "",
    isClosed: false,
    read(buffer: Uint8Array): Promise<number | null> {
      if (words === "") return closed.promise;
      const bytes = new TextEncoder().encode(words);
      buffer.set(bytes);
      words = "";
      return Promise.resolve(bytes.length);
    },
    write(bytes: Uint8Array): Promise<number> {
      if (takes-- <= 0) return closed.promise;
      fake.said += latin1(bytes);
      return Promise.resolve(bytes.length);
    },
    close() {
      fake.isClosed = true;
      closed.reject(new Deno.errors.BadResource());
    },
  };
  return fake;
}

/** Runs an exchange between two such connections. */
async function run(
  from: ReturnType<typeof fakeConn>,
  up: ReturnType<typeof fakeConn>,
  how: Partial<Exchange>,
) {
  const wire = (conn: unknown) => new Wire(conn as Deno.Conn);
  const counts = { sentBytes: 0, receivedBytes: 0 };
  const trace = { trail: { rule: "", address: null }, counts, end() {} };
  const head = new TextEncoder().encode("POST / HTTP/1.1\r\n\r\n");
  const to = { host: "shop.example", port: 80 };
  try {
    return await runExchange({
      ...{ from: wire(from), up: wire(up), to, byProxy: false, method: "POST", head, length: 0, keeps: true },
      ...how,
    }, trace);
  } catch (error) {
    if (!(error instanceof GateFailure)) throw error;
    return `${error.reason}: ${error.message}`;
  }
}

const ANSWER = "HTTP/1.1 413 Long\r\nContent-Length: 4\r\n\r\nlong";

Deno.test("a server that answers early and takes no more of the body holds nothing", async () => {
  const from = fakeConn("begin");
  const up = fakeConn(ANSWER, { takes: 0 });
  assertEquals(await run(from, up, { length: 5 }), { fromStays: false, upStays: false });
  assertEquals([from.said, from.isClosed, up.isClosed], [ANSWER, true, true]);
});

Deno.test("an answer whose body cannot be read from its first byte is none", async () => {
  const from = fakeConn("");
  const up = fakeConn("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nshort");
  const says = "connect: shop.example:80 gave no answer of HTTP that can be read";
  assertEquals(await run(from, up, {}), says);
  assertEquals([from.said, from.isClosed], ["", false]);
});
