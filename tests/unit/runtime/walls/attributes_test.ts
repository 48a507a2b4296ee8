import { assertEquals } from "@std/assert";

import { createGuard } from "../../../../runtime/walls/files/guard.ts";
import { KeptAttributes } from "../../../../runtime/walls/owned/kept_attributes.ts";
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
    const kept = new KeptAttributes();
    kept.note(path);
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, "3\n");
    assertEquals([kept.giveBack(), ownerOf(path).slice(0, 2)], [[], [1000, 1001]]);
    // What was put in its place by a link, or is a second name, is left alone.
    for (const make of [Deno.symlinkSync, Deno.linkSync]) {
      Deno.writeTextFileSync(ws.at("other"), "");
      kept.note(path);
      Deno.removeSync(path);
      make(ws.at("other"), path);
      kept.giveBack();
      assertEquals(ownerOf(ws.at("other")).slice(0, 2), [0, 0]);
      Deno.removeSync(path);
      Deno.writeTextFileSync(path, "");
      Deno.chownSync(path, 1000, 1001);
    }
  },
});

Deno.test({
  name: "a file that is replaced keeps its ACL and its extended attributes, and no capability",
  ignore: Deno.build.os !== "linux",
  fn() {
    using ws = workspace({ a: "1\n" });
    const path = ws.at("a");
    const python = (code: string) => {
      const { success, stdout, stderr } = new Deno.Command("python3", {
        args: ["-c", `import os,sys\n${code}`, path],
      })
        .outputSync();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout).trim();
    };
    // user::rw-, user:1000:r--, group::r--, mask::r--, other::---
    const acl = "0200000001000600ffffffff02000400e803000004000400ffffffff10000400ffffffff20000000ffffffff";
    python(
      `os.setxattr(sys.argv[1], "user.note", b"kept")\n` +
        `os.setxattr(sys.argv[1], "system.posix_acl_access", bytes.fromhex("${acl}"))\n` +
        `if os.getuid() == 0: os.setxattr(sys.argv[1], "security.capability", bytes.fromhex("0100000200200000000000000000000000000000"))`,
    );
    const kept = new KeptAttributes();
    kept.note(path);
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, "2\n");
    assertEquals(kept.giveBack(), []);
    assertEquals(
      python(
        `names = [n for n in sorted(os.listxattr(sys.argv[1])) if n != "security.selinux"]\n` +
          `print(names, os.getxattr(sys.argv[1], "system.posix_acl_access").hex())`,
      ),
      `['system.posix_acl_access', 'user.note'] ${acl}`,
    );
    assertEquals(ws.read("a"), "2\n");
  },
});
