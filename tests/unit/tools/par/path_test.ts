import { assertEquals, assertRejects } from "@std/assert";

import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { createGuard } from "../../../../runtime/walls/files/guard.ts";
import { admitParPath, showParPath } from "../../../../tools/par/shared/path.ts";
import { workspace } from "../../../support/run_tool.ts";

function contextOf(root: string, read: string[] = [root]): ToolContext {
  const grants = { workspace: root, home: "", read, write: [root], denyRead: [], denyWrite: [], secrets: [] };
  const files = createGuard({ ...grants, writeNamed: [], aliases: [] }, "test");
  return { workspace: root, files } as unknown as ToolContext;
}

Deno.test("admitParPath() admits relative paths that stay inside", async () => {
  using ws = workspace({ "a/b.txt": "" });
  const context = contextOf(ws.path);
  for (const path of ["a/b.txt", "./a/b.txt", "a/../a/b.txt", `../${ws.path.split("/").pop()}/a/b.txt`]) {
    assertEquals((await admitParPath(context, path, "read")).real, ws.at("a/b.txt"));
  }
  assertEquals((await admitParPath(context, "foo..bar", "write")).info, null);
  assertEquals((await admitParPath(context, "", "read")).real, ws.path);
});

Deno.test("admitParPath() refuses absolute paths into the workspace and colons", async () => {
  using ws = workspace({ "a/b.txt": "" });
  const table: [string, string][] = [
    [ws.at("a/b.txt"), 'absolute paths are refused, use the relative path "a/b.txt"'],
    [ws.path, 'absolute paths are refused, use the relative path "."'],
    ["a:b", "paths with a colon are refused, use a relative path without one"],
    ["C:\\Users", "paths with a colon are refused, use a relative path without one"],
  ];
  for (const [path, reason] of table) {
    const error = await assertRejects(() => admitParPath(contextOf(ws.path), path, "read"), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", `Cannot use path "${path}": ${reason}`]);
  }
});

Deno.test("admitParPath() lets the guard speak about what lies outside", async () => {
  using ws = workspace();
  using other = workspace({ "x.txt": "" });
  Deno.symlinkSync(other.path, ws.at("link"));
  for (const path of ["/etc/passwd", "../x", "a/../../x", "link/x.txt", "/etc/a:b", other.at("x.txt")]) {
    const error = await assertRejects(() => admitParPath(contextOf(ws.path), path, "read"), ToolError);
    assertEquals(error.code, "permission_denied", path);
  }
  const granted = contextOf(ws.path, [ws.path, other.path]);
  const { path } = await admitParPath(granted, other.at("x.txt"), "read");
  assertEquals(showParPath(granted, path), other.at("x.txt"));
  assertEquals([showParPath(granted, ws.path), showParPath(granted, ws.at("a"))], [".", "a"]);
});
