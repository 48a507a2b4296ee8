import { assert, assertEquals } from "@std/assert";

import { haveCompiled } from "../../../../runtime/rooms/have_compiled.ts";
import { boxedCommand, unboxedCommand } from "../../../../runtime/rooms/room_command.ts";
import { readerProfile } from "../../../../runtime/rooms/profile.ts";
import { realDisk } from "../../../../runtime/walls/box/disk_view.ts";
import { workspace } from "../../../support/run_tool.ts";

/** A bundle's code, which a shell stands for. */
function compiledIn(folder: string, script: string) {
  const isThere = () => {
    try {
      return Deno.statSync(`${folder}/code`).isDirectory;
    } catch {
      return false;
    }
  };
  return { folder: `${folder}/code`, own: folder, isThere, fill: ["/bin/sh", "-c", script, folder] };
}

Deno.test("haveCompiled() fills the folder once, for all rooms that wait for it", async () => {
  using ws = workspace();
  const compiled = compiledIn(ws.path, 'echo filled >>"$0/log"; mkdir "$0/code"');
  const compile = haveCompiled({ compiled, env: {} });
  await Promise.all([compile(), compile()]);
  await haveCompiled({ compiled, env: {} })();
  assertEquals(Deno.readTextFileSync(`${ws.path}/log`), "filled\n");
});

Deno.test("haveCompiled() lets rooms go on without what cannot be kept, and tries once", async () => {
  using ws = workspace();
  const compile = haveCompiled({
    compiled: compiledIn(ws.path, 'echo tried >>"$0/log"; exit 1'),
    env: {},
  });
  await compile();
  await compile();
  assertEquals(Deno.readTextFileSync(`${ws.path}/log`), "tried\n");
});

Deno.test("a room in a box may read the compiled code and not write it, whatever it may write", () => {
  using home = workspace({ ".cache/bulkhead/rooms/1/code": "" });
  const folder = `${home.path}/.cache/bulkhead/rooms/1`;
  const own = `${home.path}/.cache/bulkhead`;
  const self = {
    argv: ["/opt/deno", "run", "main.js", "__room"],
    env: { DENO_DIR: "/home/me/.cache/deno" },
    boxEnv: { DENO_DIR: folder },
    files: ["/opt/deno", folder],
  };
  const plain = readerProfile({ threads: 0 });
  for (const write of [[home.path], true] as const) {
    const profile = { ...plain, read: write, write, files: { ...plain.files, own: [own] } };
    const { argv } = boxedCommand(profile, self, { bwrap: "/usr/bin/bwrap", prlimit: null, disk: realDisk });
    const words = argv.join(" ");
    const granted = words.indexOf(write === true ? "--bind / /" : `--bind ${home.path} ${home.path}`);
    const hidden = words.indexOf(`--tmpfs ${own}`);
    const shown = words.lastIndexOf(`--ro-bind ${folder} ${folder}`);
    assert(granted >= 0 && granted < hidden && hidden < shown, words);
    assertEquals(words.includes(`--setenv DENO_DIR ${folder} `), true);
  }
  assertEquals(unboxedCommand(plain, self, null).env.DENO_DIR, "/home/me/.cache/deno");
});
