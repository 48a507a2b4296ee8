import { assertEquals, assertRejects } from "@std/assert";

import { makeProgramNetwork } from "../../../../runtime/host/net/program_network.ts";
import type { RunGate } from "../../../../runtime/host/net/run_gate.ts";
import { makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../schemas/error.ts";

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
