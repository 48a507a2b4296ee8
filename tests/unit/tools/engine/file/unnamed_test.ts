import { assertEquals } from "@std/assert";

import editor from "../../../../../tools/harness/str_replace_editor.ts";
import glob from "../../../../../tools/harness/glob.ts";
import grep from "../../../../../tools/harness/grep.ts";
import manusEditor from "../../../../../tools/manus/str_replace_editor.ts";
import find from "../../../../../tools/par/find.ts";
import parGrep from "../../../../../tools/par/grep.ts";
import ls from "../../../../../tools/par/ls.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** Deno 2.6 shows no entry whose name is not UTF-8, so that no tool can count it. */
const IS_BLIND = /^2\.[67]\./.test(Deno.version.deno);
const ONE = "Left out 1 entry whose name is not UTF-8, with all below; rename them to see them";
const TWO = "Left out 2 entries whose names are not UTF-8, with all below; rename them to see them";

/** A file and a folder whose names are Latin-1, and a file whose name has the sign that stands for such bytes. */
async function scene() {
  const ws = workspace({ "a.txt": "word", "real\ufffd.txt": "word", "sub/b.txt": "word" });
  const script = "printf word > $'caf\\xe9.txt'; mkdir $'d\\xff'; printf word > $'d\\xff/in.txt'";
  await new Deno.Command("bash", { args: ["-c", script], cwd: ws.path }).output();
  return ws;
}

Deno.test("tools that list or search folders tell what they leave out because it has no name in UTF-8", async () => {
  using ws = await scene();
  const calls: readonly (readonly [tool: unknown, input: Record<string, unknown>])[] = [
    [glob, { pattern: "**/*" }],
    [grep, { pattern: "word" }],
    [find, { pattern: "*.txt" }],
    [parGrep, { pattern: "word" }],
    [ls, { path: "." }],
    [editor, { command: "view", path: ws.path }],
    [manusEditor, { command: "view", path: ws.path }],
  ];
  for (const [tool, input] of calls) {
    const { ok, text, warnings } = await ws.run(tool, input);
    assertEquals([ok, warnings], [true, IS_BLIND ? [] : [TWO]]);
    assertEquals([text.includes("real\ufffd.txt"), text.includes("caf")], [true, false]);
  }
});

Deno.test("what a pattern or an ignore file leaves out is not counted as without a name", async () => {
  using ws = await scene();
  assertEquals((await ws.run(glob, { pattern: "sub/*" })).warnings, []);
  // The folder may hold what fits.
  assertEquals((await ws.run(glob, { pattern: "**/*.md" })).warnings, IS_BLIND ? [] : [ONE]);
  Deno.writeTextFileSync(ws.at(".gitignore"), "caf*\nd*/\n");
  assertEquals((await ws.run(glob, { pattern: "**/*" })).warnings, []);
});
