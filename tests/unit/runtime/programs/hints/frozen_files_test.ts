import { assertEquals } from "@std/assert";

import { frozenHints } from "../../../../../runtime/programs/hints/frozen_files.ts";
import { boxTest } from "../../../../support/box.ts";
import { launchScene } from "../../../../support/launch_scene.ts";

boxTest("frozenHints() names a protected file that a program could not change, and the flag", async () => {
  const files = { "ws/.git/config": "[core]\n", "ws/.git/hooks/a": "", "ws/sub/a": "", "ws/no/a": "" };
  using scene = launchScene(files, { flags: { deny: { write: ["no"] } } });
  const { outlook } = await scene.prepare({ argv: ["true"] });
  const hints = (output: string) =>
    frozenHints(output, outlook!).map((hint) => hint.replaceAll(scene.at("ws"), "~"));
  const told = (name: string) =>
    `"${name}" is protected, since other programs execute or obey it: pass --allow-write=~/${name} to let programs change it`;
  assertEquals(await hints("error: could not write config file .git/config: Device or resource busy"), [
    told(".git/config"),
  ]);
  assertEquals(await hints("touch: cannot touch '../.git/hooks/pre-commit': Read-only file system"), [
    told(".git/hooks"),
  ]);
  assertEquals(await hints("no luck with .git/config\nrm: sub/a: Device or resource busy"), []);
  assertEquals(await hints("touch: cannot touch 'no/a': Read-only file system"), []);
});
