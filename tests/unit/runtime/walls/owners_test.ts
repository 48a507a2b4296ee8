import { assertEquals } from "@std/assert";

import { createGuard } from "../../../../runtime/walls/files/guard.ts";
import { FileOwners } from "../../../../runtime/walls/owned/file_owners.ts";
import { workspace } from "../../../support/run_tool.ts";

const ownerOf = (path: string) => {
  const { uid, gid, mode } = Deno.lstatSync(path);
  return [uid, gid, mode! & 0o777];
};

Deno.test({
  name: "a file that is replaced stays its owner's, where root replaces it",
  ignore: Deno.uid() !== 0,
  async fn() {
    using ws = workspace({ a: "1\n" });
    const path = ws.at("a");
    Deno.chownSync(path, 1000, 1001);
    Deno.chmodSync(path, 0o640);
    const grants = {
      ...{ workspace: ws.path, home: "", read: [ws.path], write: [ws.path], denyRead: [], denyWrite: [] },
      ...{ secrets: [], writeNamed: [], aliases: [] },
    };
    await createGuard(grants, "t").write("a", new TextEncoder().encode("2\n"));
    assertEquals([ownerOf(path), ws.read("a")], [[1000, 1001, 0o640], "2\n"]);
    // A writer in a box cannot give it back: whoever has started it does.
    const owners = new FileOwners();
    owners.note(path);
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, "3\n");
    assertEquals([owners.giveBack(), ownerOf(path).slice(0, 2)], [[], [1000, 1001]]);
    // What was put in its place by a link, or is a second name, is left alone.
    for (const make of [Deno.symlinkSync, Deno.linkSync]) {
      Deno.writeTextFileSync(ws.at("other"), "");
      owners.note(path);
      Deno.removeSync(path);
      make(ws.at("other"), path);
      owners.giveBack();
      assertEquals(ownerOf(ws.at("other")).slice(0, 2), [0, 0]);
      Deno.removeSync(path);
      Deno.writeTextFileSync(path, "");
      Deno.chownSync(path, 1000, 1001);
    }
  },
});
