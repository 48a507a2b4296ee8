import { assert, assertEquals } from "@std/assert";

import {
  interpreterWords,
  onlyMounts,
  onlyPrograms,
} from "../../../../../runtime/programs/box/only_programs.ts";
import { realDisk } from "../../../../../runtime/walls/box/disk_view.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("onlyPrograms() empties folders of programs but for the wanted ones, their links and interpreters", () => {
  using ws = workspace({ "bin/cat-1": "x", "bin/other": "x", "bin/lang-2": "x", "more/tool": "x" });
  Deno.writeTextFileSync(ws.at("bin/run"), `#!${ws.at("bin/lang")} -e\n1\n`);
  Deno.symlinkSync("cat-1", ws.at("bin/cat"));
  Deno.symlinkSync(ws.at("bin/lang-2"), ws.at("bin/lang"));
  Deno.symlinkSync(ws.at("more/tool"), ws.at("bin/tool"));
  const wanted = { files: [], path: ws.at("bin") };
  const { folders, files, links } = onlyPrograms({
    ...wanted,
    names: ["cat", "run", "tool"],
    shown: [],
  }, realDisk);
  assert(folders.includes(ws.at("bin")) && !folders.includes(ws.at("more")));
  const own = (path: string) => path.startsWith(ws.path);
  assertEquals(files.filter(own).toSorted(), ["bin/cat-1", "bin/lang-2", "bin/run"].map(ws.at));
  assertEquals(links.filter(({ at }) => own(at)).map(({ at }) => at).toSorted(), [
    ws.at("bin/cat"),
    ws.at("bin/lang"),
    ws.at("bin/tool"),
  ]);
  // What the user shows stays: a folder whole, a file in its place.
  const shown = onlyPrograms({ ...wanted, names: [], shown: [ws.path] }, realDisk);
  assert(!shown.folders.includes(ws.at("bin")));
  const file = onlyPrograms({ ...wanted, names: [], shown: [ws.at("bin/other")] }, realDisk);
  assertEquals(file.files.filter(own), [ws.at("bin/other")]);
  const { before, after } = onlyMounts({
    folders: ["/b"],
    files: ["/b/x"],
    links: [{ at: "/b/y", to: "x" }],
  });
  assertEquals(before, ["--tmpfs", "/b", "--symlink", "x", "/b/y", "--ro-bind", "/b/x", "/b/x"]);
  assertEquals(after, ["--remount-ro", "/b"]);
});

Deno.test("interpreterWords() reads the first line of a script", () => {
  using ws = workspace({
    "env": "#!/usr/bin/env -S A=1 node\n",
    "plain": "#! /bin/sh -e\n",
    "elf": "\x7fELF",
    "empty": "",
  });
  const words = (name: string) => interpreterWords(ws.at(name));
  assertEquals(words("env"), ["/usr/bin/env", "node"]);
  assertEquals(words("plain"), ["/bin/sh"]);
  assertEquals([words("elf"), words("empty"), words("missing")], [[], [], []]);
});
