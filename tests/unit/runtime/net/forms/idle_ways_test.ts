import { assertEquals } from "@std/assert";

import { IdleWays } from "../../../../../runtime/net/forms/idle_ways.ts";
import { Wire } from "../../../../../runtime/net/wire/wire.ts";

/** A way to an address, whose server says nothing until it ends. */
function wayTo(address: string | null) {
  const ended = Promise.withResolvers<null>();
  const server = { isClosed: false, end: () => ended.resolve(null) };
  const close = () => {
    server.isClosed = true;
    server.end();
  };
  const conn = { read: () => ended.promise, close } as unknown as Deno.Conn;
  return { way: { wire: new Wire(conn), proxy: null, address }, server };
}

Deno.test("a way is taken for its own server, and for an address that its host still has", () => {
  const idle = new IdleWays();
  const { way, server } = wayTo("192.0.2.1");
  idle.give("http a.example:80", way);
  const addresses = ["192.0.2.1", "192.0.2.2"];
  assertEquals(idle.take("https a.example:80", { addresses }), null);
  assertEquals(idle.take("http a.example:81", { addresses }), null);
  assertEquals(idle.take("http a.example:80", { addresses: ["192.0.2.2"] }), null);
  assertEquals(idle.take("http a.example:80", { addresses })?.wire, way.wire);
  assertEquals(idle.take("http a.example:80", { addresses }), null);
  assertEquals(server.isClosed, false);
  // The user's proxy alone knows the address.
  idle.give("http a.example:80", wayTo(null).way);
  assertEquals(idle.take("http a.example:80", { addresses: null })?.address, null);
  idle.close();
});

Deno.test("a way that has waited too long for a request is closed", () => {
  const idle = new IdleWays();
  const { way, server } = wayTo("192.0.2.1");
  idle.give("a", way);
  assertEquals([idle.take("a", { addresses: null, idleMs: 0 }), server.isClosed], [null, true]);
  idle.close();
});

Deno.test("a way whose server ends it is taken by nobody", async () => {
  const idle = new IdleWays();
  const { way, server } = wayTo("192.0.2.1");
  idle.give("a", way);
  server.end();
  await Promise.resolve();
  await Promise.resolve();
  assertEquals([idle.take("a", { addresses: null }), server.isClosed], [null, true]);
  idle.close();
});

Deno.test("so many ways wait, the oldest is closed for one more, and none outlasts the door", () => {
  const idle = new IdleWays();
  const all = Array.from({ length: 66 }, () => wayTo("192.0.2.1"));
  for (const { way } of all) idle.give("a", way);
  const open = () => all.map(({ server }) => !server.isClosed);
  assertEquals(open(), [false, false, ...Array(64).fill(true)]);
  idle.close();
  assertEquals(open(), Array(66).fill(false));
  const { way, server } = wayTo("192.0.2.1");
  idle.give("a", way);
  assertEquals(server.isClosed, true);
});
