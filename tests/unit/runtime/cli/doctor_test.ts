import { assertEquals, assertStringIncludes } from "@std/assert";

import { renderFindings } from "../../../../runtime/cli/doctor/finding.ts";
import { gateFinding } from "../../../../runtime/cli/doctor/gate_finding.ts";
import { pathFindings } from "../../../../runtime/cli/doctor/path_findings.ts";
import { browserFinding, desktopFinding } from "../../../../runtime/cli/doctor/setup_findings.ts";
import { makeRunGate } from "../../../../runtime/host/net/run_gate.ts";
import type { ProgramNetwork } from "../../../../runtime/programs/network/program_network.ts";
import type { BoxChoice } from "../../../../runtime/walls/box/choose_box.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { launchScene } from "../../../support/launch_scene.ts";

const FINDINGS = [
  { check: "path", state: "warn", detail: "programs do not see /home/you/.x/bin" },
  { check: "main", state: "ok", detail: "fine" },
] as const;

Deno.test("renderFindings() breaks details between words at the width of the terminal, if there is one", () => {
  const [lead, end] = ["warn path        programs do not see", "/home/you/.x/bin\nok   main        fine\n"];
  assertEquals(renderFindings(FINDINGS, 41), `${lead}\n${" ".repeat(17)}${end}`);
  assertEquals(renderFindings(FINDINGS, null), `${lead} ${end}`);
});

const NO_STATE = () => Promise.reject(new Error("nobody asks"));
const NETWORK: ProgramNetwork = {
  ...{ expect() {}, take: NO_STATE, takeClosed: NO_STATE, end: () => Promise.resolve() },
};

Deno.test("gateFinding() tries the gate, and the way of programs to it where there is a sandbox", async () => {
  using scene = launchScene({ "ws/a.txt": "text" });
  await using gate = makeRunGate({ env: {}, warn() {} });
  let taken = 0;
  const take: ProgramNetwork["take"] = (who) => {
    assertEquals([who, ++taken], ["doctor", taken]);
    return Promise.reject(new ToolError("unavailable", "install nsenter"));
  };
  const find = (isUsed: boolean) => {
    const box = { state: NO_STATE, isUsed: () => Promise.resolve(isUsed) };
    return gateFinding({ gate, grants: scene.grants, network: { ...NETWORK, take }, box }, {});
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

  const find = async (proxy: string) => {
    const env = { HTTPS_PROXY: proxy };
    await using gate = makeRunGate({ env, warn() {} });
    return await gateFinding({ gate, grants: scene.grants, network: NETWORK, box }, env);
  };
  assertEquals((await find("http://127.0.0.1:1")).state, "ok");
  const useless = await find("socks4://127.0.0.1:1");
  assertEquals([useless.state, useless.missing], ["warn", "the network"]);
  const told = "but it cannot use a proxy of the form socks4://: name one as http://HOST:PORT";
  assertStringIncludes(useless.detail, told);
});

const FILES = {
  "home/.nvm/versions/node/v20/bin/node": "#!/bin/sh",
  "home/.x/bin/tool": "#!/bin/sh",
  "home/bin/own": "#!/bin/sh",
  "home/empty/": "",
};

Deno.test("pathFindings() lists the toolchains that are shown, and what of PATH is hidden, with the flag", async () => {
  const path =
    "~/.nvm/versions/node/v20/bin:~/.nvm/versions/node/v20/bin:~/.x/bin:~/bin:~/empty:~/none:/usr/bin";
  using scene = launchScene(FILES, { searchPath: path, toolchains: {} });
  const home = scene.at("home");
  const look = async (sandboxShow: readonly string[]) => {
    const grants = { ...scene.grants, sandboxShow };
    const box: BoxChoice = {
      state: () => Promise.resolve({ works: true, bwrap: "/usr/bin/bwrap" }),
      isUsed: () => Promise.resolve(true),
    };
    const found = await pathFindings(
      { grants, home, toolchains: scene.toolchains!, box },
      path.replaceAll("~", home),
    );
    return found.map(({ check, state, detail }) => [check, state, detail.replaceAll(home, "~")]);
  };
  const hidden =
    "programs in the sandbox do not see ~/.x/bin, ~/bin: pass --sandbox-show=~/.x,~/bin to show them";
  assertEquals(await look([]), [
    ["toolchains", "ok", "nvm (~/.nvm/versions/node/v20/bin)"],
    ["path", "warn", hidden],
  ]);
  const all = "programs in the sandbox see every folder of PATH";
  assertEquals((await look([`${home}/.x`, `${home}/bin`]))[1], ["path", "ok", all]);
});

Deno.test("doctor says which browser is used, and what helps without one", () => {
  const sh = (name: string) => name === "chromium" ? "/bin/sh" : null;
  assertEquals(browserFinding({}, sh), { check: "browser", state: "ok", detail: "/bin/sh" });
  const named = browserFinding({ BULKHEAD_CHROMIUM: "/nowhere/chrome" }, sh);
  assertEquals(named.state, "warn");
  assertStringIncludes(named.detail, "BULKHEAD_CHROMIUM names /nowhere/chrome, which is not there");
  assertStringIncludes(browserFinding({}, () => null).detail, "install chromium");
});

Deno.test("doctor says what makes the desktop and what its menu offers, or what to install", () => {
  const all = ["Xvfb", "openbox", "xterm", "gedit"];
  const among = (names: readonly string[]) => (name: string) =>
    names.includes(name) ? `/usr/bin/${name}` : null;
  const found = desktopFinding(among(all), { isRoot: false });
  assertEquals(found.state, "ok");
  assertEquals(found.detail, "/usr/bin/Xvfb and /usr/bin/openbox; its menu offers xterm, gedit");
  // It starts nothing for root.
  assertStringIncludes(desktopFinding(among(all), { isRoot: true }).detail, "offers gedit");
  const empty = desktopFinding(among(["Xvfb", "openbox"]), { isRoot: false });
  assertEquals(empty.state, "warn");
  assertStringIncludes(empty.detail, "its menu is empty: install a terminal");
  const half = desktopFinding(among(["Xvfb"]), { isRoot: false });
  const install = "no desktop: install it with: apt-get install openbox";
  assertEquals([half.state, half.detail], ["warn", install]);
});
