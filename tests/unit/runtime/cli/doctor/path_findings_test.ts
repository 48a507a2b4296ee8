import { assertEquals } from "@std/assert";

import { pathFindings } from "../../../../../runtime/cli/doctor/path_findings.ts";
import type { BoxChoice } from "../../../../../runtime/walls/box/choose_box.ts";
import { launchScene } from "../../../../support/launch_scene.ts";

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
  assertEquals(await look([]), [
    ["toolchains", "ok", "nvm (~/.nvm/versions/node/v20/bin)"],
    [
      "path",
      "warn",
      "programs in the sandbox do not see ~/.x/bin, ~/bin: pass --sandbox-show=~/.x,~/bin to show them",
    ],
  ]);
  assertEquals((await look([`${home}/.x`, `${home}/bin`]))[1], [
    "path",
    "ok",
    "programs in the sandbox see every folder of PATH",
  ]);
});
