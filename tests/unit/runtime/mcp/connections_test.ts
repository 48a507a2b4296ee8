import { assertEquals, assertRejects } from "@std/assert";

import type { Host } from "../../../../runtime/host/open_host.ts";
import { Connections } from "../../../../runtime/mcp/connections.ts";

/** Hosts that only say when they are opened and closed. */
function scene({ single }: { single: boolean }) {
  const said: string[] = [];
  const hostOf = (name: string) =>
    ({
      name,
      [Symbol.asyncDispose]: () => Promise.resolve(void said.push(`close ${name}`)),
    }) as unknown as Host & { name: string };
  const open = (within: readonly string[] | null) => {
    const name = within?.join() ?? "all";
    said.push(`open ${name}`);
    return hostOf(name);
  };
  const nameOf = (host: Host) => Promise.resolve((host as Host & { name: string }).name);
  return { said, nameOf, connections: new Connections(open, hostOf("base"), { single }) };
}

Deno.test("the only connection works with the host that is there, and narrower roots get their own", async () => {
  const { said, nameOf, connections } = scene({ single: true });
  const one = connections.of("pipe");
  assertEquals(await one.use(null, nameOf), "base");
  assertEquals(await one.use(["/b", "/a", "/a"], nameOf), "/a,/b");
  assertEquals(await one.use(["/a", "/b"], nameOf), "/a,/b");
  await connections[Symbol.asyncDispose]();
  assertEquals(said, ["open /a,/b", "close /a,/b", "close base"]);
});

Deno.test("each of several connections has a host of its own, and the first one closes last", async () => {
  const { said, nameOf, connections } = scene({ single: false });
  assertEquals(await connections.of("1").use(null, nameOf), "all");
  assertEquals(await connections.of("2").use(null, nameOf), "all");
  const ended = connections.of("1");
  connections.end("1");
  connections.end("unknown");
  await assertRejects(() => ended.use(null, nameOf), Error, "ended");
  await connections[Symbol.asyncDispose]();
  assertEquals(said, ["open all", "open all", "close all", "close all", "close base"]);
});

Deno.test("of many roots the latest keep their hosts, and none closes under a call", async () => {
  const { said, nameOf, connections } = scene({ single: false });
  const one = connections.of("1");
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = one.use(["/0"], () => promise);
  for (let at = 1; at <= 5; at++) await one.use([`/${at}`], nameOf);
  assertEquals(said.filter((line) => line.startsWith("close")), ["close /1"]);
  resolve();
  await running;
  assertEquals(said.filter((line) => line.startsWith("close")), ["close /1", "close /0"]);
  await connections[Symbol.asyncDispose]();
});
