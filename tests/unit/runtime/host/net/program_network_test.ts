import { assertEquals, assertRejects } from "@std/assert";

import { makeProgramNetwork } from "../../../../../runtime/host/net/program_network.ts";
import { makeRunGate, type RunGate } from "../../../../../runtime/host/net/run_gate.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../../schemas/error.ts";

/** The network of a run on a Mac, and what its gate was asked for. */
function macNetwork() {
  const asked: unknown[] = [];
  const gate = {
    door(request: unknown) {
      asked.push(request);
      return Promise.resolve({ loopback: 4711, isOpen: true, close: () => Promise.resolve([]) });
    },
    stand: (lasting: boolean) => (asked.push(["stand", lasting]), Promise.resolve()),
    folder: () => Promise.reject(new Error("no bridge was asked for")),
  } as unknown as RunGate;
  const place = { workspace: "/tmp", cwd: "/tmp", realPath: (path: string) => path };
  const network = makeProgramNetwork({
    grants: makeGrants({ allow: { net: ["shop.example"] }, deny: { net: ["bad.example"] } }, place),
    box: { state: () => Promise.resolve({ works: true, bwrap: null }), isUsed: () => Promise.resolve(true) },
    gate,
    self: { argv: ["/opt/bulkhead"], env: {}, files: [] },
    find: () => null,
  });
  return { asked, network };
}

Deno.test("on macOS a program gets a port of the gate, under the rules of programs or its own", async () => {
  const { asked, network } = macNetwork();
  const way = await network.take("curl");
  assertEquals([way.pid, way.port], [null, 4711]);
  const rules = { allow: ["own.example"], deny: [], private: [] };
  await network.take("node", rules);
  const door = { secrets: [], form: "proxy", listens: "loopback" };
  assertEquals(asked, [
    { who: "curl", rules: { allow: ["shop.example"], deny: ["bad.example"], private: [] }, ...door },
    { who: "node", rules, ...door },
  ]);
  await network.end();
});

Deno.test("on macOS no programs share a network, and only the gate is made ready", async () => {
  const { asked, network } = macNetwork();
  const { code, message } = await assertRejects(() => network.takeClosed(), ToolError);
  assertEquals([code, message], [
    "unavailable",
    "A program in the sandbox of macOS has no network of its own",
  ]);
  network.expect();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals(asked, [["stand", false]]);
});

Deno.test("on macOS the port of a program leads to granted hosts alone, and is shut at its end", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("tea"),
  );
  const granted = `127.0.0.1:${server.addr.port}`;
  await using gate = makeRunGate({ env: {}, warn() {} });
  const place = { workspace: "/tmp", cwd: "/tmp", realPath: (path: string) => path };
  const network = makeProgramNetwork({
    grants: makeGrants({ allowPrivateNet: [granted] }, place),
    box: { state: () => Promise.resolve({ works: true, bwrap: null }), isUsed: () => Promise.resolve(true) },
    gate,
    self: { argv: ["/opt/bulkhead"], env: {}, files: [] },
    find: () => null,
  });
  const way = await network.take("curl");
  const ask = async (target: string) => {
    using conn = await Deno.connect({ hostname: "127.0.0.1", port: way.port! });
    await conn.write(new TextEncoder().encode(`CONNECT ${target} HTTP/1.1\r\n\r\n`));
    const buffer = new Uint8Array(64);
    const read = await conn.read(buffer) ?? 0;
    return new TextDecoder().decode(buffer.subarray(0, read)).slice(0, 12);
  };
  assertEquals([await ask(granted), await ask("127.0.0.1:1")], ["HTTP/1.1 200", "HTTP/1.1 403"]);
  const { connections } = await way.end({ clean: true });
  assertEquals(connections.map(({ who, decision }) => [who, decision]).sort(), [
    ["curl", "allowed"],
    ["curl", "refused"],
  ]);
  // Refused, or reset by a port that is just being shut.
  assertEquals(await ask(granted).catch(() => ""), "");
});
