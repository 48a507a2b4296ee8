import { assertEquals, assertRejects } from "@std/assert";

import { pathOfBytes } from "../../../../../runtime/programs/bytes/odd_names.ts";
import { moveEntry } from "../../../../../runtime/programs/protected/move_entry.ts";
import { workspace } from "../../../../support/run_tool.ts";

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

Deno.test("moveEntry() moves an entry whose name is not UTF-8, and no other that has its name", async () => {
  using ws = workspace({ "tree/a": "own", "tree/b": "own" });
  Deno.mkdirSync(ws.at("aside"));
  const name = Uint8Array.of(...new TextEncoder().encode(ws.at("tree/a")), 0xe9);
  const info = Deno.lstatSync(ws.at("tree/a"));
  new Deno.Command("bash", { args: ["-c", `mv a a$'\\xe9'`], cwd: ws.at("tree") }).outputSync();
  const path = pathOfBytes(name);
  const other = { path, info: Deno.lstatSync(ws.at("tree/b")) };
  await assertRejects(() => moveEntry(other, [ws.at("aside/x")]), Error, "another one has taken its place");
  assertEquals(await moveEntry({ path, info }, [ws.at("aside/x")]), ws.at("aside/x"));
  assertEquals(ws.read("aside/x"), "own");
});
