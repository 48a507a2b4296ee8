import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";

import { makeApartFolder, removeTree } from "../../../../runtime/state/apart_folder.ts";
import { exists } from "../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("makeApartFolder() makes a private folder once, and gives a kept one its mode back", async () => {
  using ws = workspace();
  const path = ws.at("s/apart");
  const folder = makeApartFolder(() => path, { keeps: true });
  assertEquals(await Promise.all([folder.open(), folder.open()]), [path, path]);
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o700);
  Deno.writeTextFileSync(join(path, "a"), "");
  Deno.chmodSync(path, 0o000);
  await folder.end();
  await makeApartFolder(() => path, { keeps: true }).open();
  assertEquals([Deno.statSync(path).mode! & 0o777, exists(join(path, "a"))], [0o700, true]);
});

Deno.test("makeApartFolder() refuses what is no folder, and tries again later", async () => {
  using ws = workspace({ "s/file": "" });
  Deno.symlinkSync(ws.path, ws.at("s/link"));
  for (const name of ["file", "link"]) {
    const folder = makeApartFolder(() => ws.at(`s/${name}`), { keeps: true });
    const error = await assertRejects(() => folder.open(), ToolError);
    assertEquals(error.code, "conflict");
    Deno.removeSync(ws.at(`s/${name}`));
    assertEquals(await folder.open(), ws.at(`s/${name}`));
  }
});

Deno.test("makeApartFolder() removes what does not outlive the run, with the folder around it", async () => {
  using ws = workspace();
  const folder = makeApartFolder(() => ws.at("runs/one/apart"), { keeps: false });
  await folder.end();
  assertEquals(exists(ws.at("runs")), false);
  Deno.symlinkSync(ws.at("kept"), join(await folder.open(), "link"));
  await folder.end();
  assertEquals([exists(ws.at("runs")), exists(ws.at("runs/one"))], [true, false]);
});

Deno.test("removeTree() removes folders that a program closed", async () => {
  using ws = workspace({ "a/b/c": "" });
  Deno.chmodSync(ws.at("a/b"), 0o000);
  await removeTree(ws.at("a"));
  assertEquals(exists(ws.at("a")), false);
});
