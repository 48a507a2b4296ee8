import { assertEquals } from "@std/assert";

import { refuseFile } from "../../../../../runtime/walls/files/refuse_file.ts";
import type { FileGrants } from "../../../../../schemas/grants.ts";
import { workspace } from "../../../../support/run_tool.ts";

function scene(files: Record<string, string>) {
  const ws = workspace(files);
  const grants: FileGrants = {
    ...{ workspace: ws.path, home: "", read: [ws.path], write: [ws.path], denyRead: [], denyWrite: [] },
    ...{ secrets: [], writeNamed: [], aliases: [] },
  };
  const refuse = (access: "read" | "write", path: string, more: Partial<FileGrants> = {}, real = path) =>
    refuseFile(access, { path: ws.at(path), real: ws.at(real) }, { ...grants, ...more })?.reason ?? null;
  return { ws, refuse, [Symbol.dispose]: () => ws[Symbol.dispose]() };
}

Deno.test("refuseFile() looks at a link's own place, and at where it leads", () => {
  using at = scene({ "a/x": "" });
  const denied = (name: string) => ({ denyRead: [at.ws.at(name)] });
  assertEquals(at.refuse("read", "link", denied("link"), "a/x"), "denied");
  assertEquals(at.refuse("read", "link", denied("a"), "a/x"), "denied");
  assertEquals(at.refuse("read", "link", denied("b"), "a/x"), null);
  assertEquals(at.refuse("read", "link", { read: [at.ws.at("a")] }, "a/x"), "outside");
});

Deno.test("refuseFile() lets nobody make a repository, or change one, unless a grant names that", () => {
  using at = scene({
    "bare/objects/a": "",
    "bare/refs/a": "",
    "old/HEAD": "",
    "old/objects/a": "",
    "old/refs/a": "",
  });
  const named = (...paths: string[]) => ({ writeNamed: paths.map((path) => at.ws.at(path)) });
  assertEquals([at.refuse("write", "bare/HEAD"), at.refuse("write", "old/config")], [
    "protected",
    "protected",
  ]);
  assertEquals([at.refuse("write", "bare/other"), at.refuse("write", "old/info/exclude")], [null, null]);
  assertEquals(at.refuse("read", "old/config"), null);
  assertEquals(at.refuse("write", "bare/HEAD", named("bare")), "protected");
  assertEquals(at.refuse("write", "bare/HEAD", named("bare/HEAD")), null);
  assertEquals(at.refuse("write", "old/config", named(".")), "protected");
  assertEquals(at.refuse("write", "old/config", named("old")), null);
  assertEquals(at.refuse("write", "old/config", { isCopy: true }), null);
});

Deno.test("refuseFile() takes settings of git that log in somewhere for a secret", () => {
  const login = '[remote "origin"]\n\turl = https://me:geheim123456@example.com/x.git\n';
  using at = scene({ "sub/config": login, "plain/config": "[core]\n\tbare = false\n" });
  assertEquals([at.refuse("read", "sub/config"), at.refuse("read", "plain/config")], ["secret", null]);
  assertEquals(at.refuse("read", "sub/config", { secrets: [at.ws.at("sub")] }), null);
});
