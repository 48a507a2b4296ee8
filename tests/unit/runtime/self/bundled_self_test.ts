import { assert, assertEquals } from "@std/assert";

import { findSelf } from "../../../../runtime/self/find_self.ts";
import { workspace } from "../../../support/run_tool.ts";

const MAIN = "file:///home/me/project/node_modules/bulkhead/program/main.js";

function selfWith(env: Record<string, string>, main = MAIN) {
  return findSelf(main, (name) => env[name]);
}

Deno.test("findSelf() shows boxes of a bundle its compiled code, once it is there and the user's alone", () => {
  using home = workspace();
  const self = selfWith({ HOME: home.path });
  const { compiled } = self;
  assert(compiled);
  assertEquals(compiled.own, `${home.path}/.cache/bulkhead`);
  assert(compiled.folder.startsWith(`${compiled.own}/rooms/`), compiled.folder);
  assertEquals(compiled.fill.slice(-2), ["__compile", compiled.folder]);
  const isShown = () => [self.files.includes(compiled.folder), self.boxEnv!.DENO_DIR === compiled.folder];
  const none = [false, false];

  assertEquals([isShown(), self.boxEnv], [none, { DENO_DIR: "/dev/null/none" }]);
  Deno.mkdirSync(compiled.folder, { recursive: true, mode: 0o700 });
  assertEquals(isShown(), [true, true]);
  for (const mode of [0o720, 0o702]) {
    Deno.chmodSync(compiled.folder, mode);
    assertEquals(isShown(), none);
  }
  Deno.chmodSync(compiled.folder, 0o700);
  Deno.renameSync(compiled.folder, `${home.path}/elsewhere`);
  Deno.symlinkSync(`${home.path}/elsewhere`, compiled.folder);
  assertEquals(isShown(), none);
});

Deno.test("findSelf() shows no box of a bundle what another user has compiled", {
  ignore: Deno.uid() !== 0,
}, () => {
  using home = workspace();
  const { compiled } = selfWith({ HOME: home.path });
  Deno.mkdirSync(compiled!.folder, { recursive: true, mode: 0o700 });
  Deno.chownSync(compiled!.folder, 1, null);
  assertEquals(compiled!.isThere(), false);
});

Deno.test("findSelf() keeps the compiled code of each bundle apart, in the user's folder for caches", () => {
  const folderOf = (env: Record<string, string>, main?: string) => selfWith(env, main).compiled?.folder;
  const usual = folderOf({ HOME: "/home/me" });
  assert(usual !== folderOf({ HOME: "/home/me" }, MAIN.replace("project", "other")));
  if (Deno.build.os === "linux") {
    assert(folderOf({ HOME: "/home/me", XDG_CACHE_HOME: "/caches" })?.startsWith("/caches/bulkhead/rooms/"));
  }
  // Relative folders mean nothing, as XDG specifies.
  assertEquals(folderOf({ HOME: "/home/me", XDG_CACHE_HOME: "caches" }), usual);
  assertEquals(folderOf({ HOME: "" }), undefined);
  assertEquals(selfWith({}).boxEnv, { DENO_DIR: "/dev/null/none" });
});

Deno.test("findSelf() gives a room outside of a box the user's own cache of Deno, and never one that others share", () => {
  assertEquals(selfWith({ HOME: "/home/me", DENO_DIR: "/deno" }).env.DENO_DIR, "/deno");
});
