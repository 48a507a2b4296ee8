import { assert, assertEquals } from "@std/assert";

import { programTest } from "../../../../support/needed_programs.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { inOwnNetwork } from "../../../../support/net/own_network.ts";
import { gateScene, onlyTo, testServer } from "../../../../support/net/gate_scene.ts";

const FIXTURE = new URL("../../../../fixtures/net/rebinding.ts", import.meta.url).pathname;

programTest(
  "a name that changes its address is dialled where it was checked, or refused",
  ["ip", "unshare"],
  async () => {
    assertEquals(await inOwnNetwork(FIXTURE), {
      ends: {
        public: ["192.0.1.1", "192.0.1.1"],
        rebinding: ["192.0.1.1", "permission_denied private"],
        mixed: ["permission_denied private", "permission_denied private"],
        inner: ["permission_denied private", "permission_denied private"],
      },
      reached: ["192.0.1.1"],
      // The room itself looks nothing up.
      names: ["public", "rebinding", "mixed", "inner"].map((host) => `${host}.example.com`),
    });
  },
);

Deno.test("names without an address and ports without a server are failures of the other side", async () => {
  await using server = testServer(() => new Response("there"));
  await using scene = await gateScene({
    rules: onlyTo("127.0.0.1:1", `localhost:${server.port}`, "none.invalid"),
  });
  assertEquals(await scene.say(`http://localhost:${server.port}/`), "there");
  assertEquals(await scene.say("http://127.0.0.1:1/", { retries: 0 }), "external_failure connect");
  const error = await scene.ask("http://none.invalid/", { retries: 0 });
  assert(error instanceof ToolError);
  assertEquals([error.code, error.details.reason], ["external_failure", "dns"]);
});

Deno.test("a server that does not greet back in TLS is given up in time", async () => {
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const host = `127.0.0.1:${(silent.addr as Deno.NetAddr).port}`;
  await using scene = await gateScene({ rules: onlyTo(host) }, { connectMs: 200 });
  assertEquals(await scene.say(`https://${host}/`), "timeout timeout");
});
