import { assertEquals } from "@std/assert";

import { compileGlob } from "../../../../../tools/engine/walk/glob.ts";
import { walk } from "../../../../../tools/engine/walk/walk.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("walk() tells no name of a folder that a link replaced after it was found", () => {
  using ws = workspace({ "d/own.txt": "", "e/b.txt": "" });
  using elsewhere = workspace({ "hidden.txt": "" });
  const counts = { ignored: 0, hidden: 0, unnamed: 0 };
  const options = { glob: compileGlob("**"), counts, mayRead: () => true, enter: null, rules: null };
  const found: string[] = [];
  for (const entry of walk(ws.path, options)) {
    if (entry === null) continue;
    found.push(entry.path.slice(ws.path.length));
    if (!entry.path.endsWith("/d")) continue;
    Deno.renameSync(entry.path, `${ws.path}/moved`);
    Deno.symlinkSync(elsewhere.path, entry.path);
  }
  assertEquals([found, counts.hidden], [["", "/d", "/e", "/e/b.txt"], 1]);
});
