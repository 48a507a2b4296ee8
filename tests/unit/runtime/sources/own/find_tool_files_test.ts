import { assertEquals, assertThrows } from "@std/assert";

import { findToolFiles } from "../../../../../runtime/sources/own/find_tool_files.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("findToolFiles() takes the files of a folder, but for tests, declarations and hidden ones", () => {
  const names = [
    "b.ts",
    "a.js",
    "_shared.ts",
    ".c.ts",
    "a_test.ts",
    "a.test.ts",
    "t.d.ts",
    "data.json",
    "x/y.ts",
  ];
  using ws = workspace(Object.fromEntries(names.map((name) => [`t/${name}`, ""])));
  const found = findToolFiles(ws.at("t"), { home: "" });
  assertEquals(found.map(({ path }) => path), [ws.at("t/a.js"), ws.at("t/b.ts")]);
});

Deno.test("findToolFiles() finds the package, which is never a whole home", () => {
  using ws = workspace({
    "home/a.ts": "",
    "home/package.json": "{}",
    "home/p/deno.json": "{}",
    "home/p/q/b.ts": "",
    "home/r/c.ts": "",
  });
  const root = (path: string) => findToolFiles(ws.at(path), { home: ws.at("home") })[0]?.root;
  assertEquals(root("home/p/q/b.ts"), ws.at("home/p"));
  assertEquals(root("home/r/c.ts"), ws.at("home/r"));
  assertEquals(root("home/a.ts"), ws.at("home/a.ts"));
});

Deno.test("findToolFiles() says why a path has no tools", () => {
  using ws = workspace({ "a.py": "", "empty/x.json": "" });
  for (const path of ["a.py", "empty", "gone"]) {
    assertThrows(() => findToolFiles(ws.at(path), { home: "" }), ToolError, ws.at(path));
  }
});

Deno.test("findToolFiles() leads out of a project neither by a link nor by its package", () => {
  using ws = workspace({ "deno.json": "{}", "shop/tools/a.ts": "", "b.ts": "" });
  Deno.symlinkSync(ws.at("b.ts"), ws.at("shop/b.ts"));
  const project = { home: "", within: ws.at("shop") };
  assertEquals(findToolFiles(ws.at("shop/tools"), project)[0]?.root, ws.at("shop/tools"));
  Deno.writeTextFileSync(ws.at("shop/package.json"), "{}");
  assertEquals(findToolFiles(ws.at("shop/tools"), project)[0]?.root, ws.at("shop"));
  const error = assertThrows(() => findToolFiles(ws.at("shop/b.ts"), project), ToolError);
  assertEquals(error.code, "invalid_input");
});
