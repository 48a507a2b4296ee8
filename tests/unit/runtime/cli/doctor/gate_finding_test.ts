import { assertEquals, assertStringIncludes } from "@std/assert";

import { gateFinding } from "../../../../../runtime/cli/doctor/gate_finding.ts";
import { makeRunGate } from "../../../../../runtime/host/net/run_gate.ts";
import type { ProgramNetwork } from "../../../../../runtime/programs/network/program_network.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { launchScene } from "../../../../support/launch_scene.ts";

const NO_STATE = () => Promise.reject(new Error("nobody asks"));

Deno.test("gateFinding() tries the gate, and the way of programs to it where there is a sandbox", async () => {
  using scene = launchScene({ "ws/a.txt": "text" });
  await using gate = makeRunGate({ env: {}, warn() {} });
  let taken = 0;
  const network: ProgramNetwork = {
    expect() {},
    take(who) {
      assertEquals([who, ++taken], ["doctor", taken]);
      return Promise.reject(new ToolError("unavailable", "install nsenter"));
    },
    takeClosed: () => Promise.reject(new Error("nobody asks for it")),
    end: () => Promise.resolve(),
  };
  const find = (isUsed: boolean) => {
    const box = { state: NO_STATE, isUsed: () => Promise.resolve(isUsed) };
    return gateFinding({ gate, grants: scene.grants, network, box }, {});
  };
  const { detail, ...bare } = await find(false);
  assertEquals([bare, taken], [{ check: "network", state: "ok" }, 0]);
  assertStringIncludes(detail, "the gate decides");
  const boxed = await find(true);
  assertEquals([boxed.state, boxed.missing, taken], ["warn", "hosts for programs", 1]);
  assertStringIncludes(boxed.detail, "no way to the gate: install nsenter");
});

Deno.test("gateFinding() names a proxy of the user that cannot be used", async () => {
  using scene = launchScene({ "ws/a.txt": "text" });
  const box = { state: NO_STATE, isUsed: () => Promise.resolve(false) };
  const network: ProgramNetwork = {
    expect() {},
    take: NO_STATE,
    takeClosed: NO_STATE,
    end: () => Promise.resolve(),
  };
  const find = async (proxy: string) => {
    const env = { HTTPS_PROXY: proxy };
    await using gate = makeRunGate({ env, warn() {} });
    return await gateFinding({ gate, grants: scene.grants, network, box }, env);
  };
  assertEquals((await find("http://127.0.0.1:1")).state, "ok");
  const useless = await find("socks4://127.0.0.1:1");
  assertEquals([useless.state, useless.missing], ["warn", "the network"]);
  assertStringIncludes(
    useless.detail,
    "but it cannot use a proxy of the form socks4://: name one as http://HOST:PORT",
  );
});
