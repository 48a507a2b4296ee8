import { assertEquals, assertRejects } from "@std/assert";

import { moveEntry } from "../../../../runtime/programs/protected/move_entry.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("moveEntry() moves files, folders and links themselves", async () => {
  using ws = workspace({ "tree/a": "a", "tree/-d e/b": "b" });
  Deno.mkdirSync(ws.at("aside"));
  Deno.symlinkSync("/etc/passwd", ws.at("tree/l"));
  for (const name of ["a", "-d e", "l"]) {
    const path = ws.at(`tree/${name}`);
    const place = ws.at(`aside/${name}`);
    assertEquals(await moveEntry({ path, info: Deno.lstatSync(path) }, [place]), place);
  }
  assertEquals([ws.read("aside/a"), ws.read("aside/-d e/b")], ["a", "b"]);
  assertEquals(Deno.readLinkSync(ws.at("aside/l")), "/etc/passwd");
});

Deno.test("moveEntry() moves nothing that a link above leads to, or that took another's place", async () => {
  using ws = workspace({
    "tree/d/x": "own",
    "tree/f": "own",
    "tree/g": "other",
    "outside/x": "kept",
  });
  Deno.mkdirSync(ws.at("aside"));
  const path = ws.at("tree/d/x");
  const info = Deno.lstatSync(path);
  Deno.renameSync(ws.at("tree/d"), ws.at("tree/e"));
  Deno.symlinkSync(ws.at("outside"), ws.at("tree/d"));
  await assertRejects(() => moveEntry({ path, info }, [ws.at("aside/x")]), Error, "replaced by a link");
  const swapped = { path: ws.at("tree/f"), info: Deno.lstatSync(ws.at("tree/g")) };
  await assertRejects(() => moveEntry(swapped, [ws.at("aside/f")]), Error, "taken its place");
  assertEquals([ws.read("outside/x"), ws.read("tree/f")], ["kept", "own"]);
  assertEquals([...Deno.readDirSync(ws.at("aside"))], []);
});
