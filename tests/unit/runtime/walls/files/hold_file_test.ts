import { assert, assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { expectLanded, expectNamed, holdFile } from "../../../../../runtime/walls/files/hold_file.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("holdFile() waits for the holder before, and then holds what the path names", async () => {
  using ws = workspace({ "a.txt": "old" });
  const first = await holdFile(ws.at("a.txt"));
  assert(first);
  let isHeld = false;
  const second = holdFile(ws.at("a.txt")).then((held) => {
    isHeld = true;
    return held;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(isHeld, false);
  Deno.writeTextFileSync(ws.at("b.txt"), "new");
  Deno.renameSync(ws.at("b.txt"), ws.at("a.txt"));
  first[Symbol.dispose]();
  using held = await second;
  assertEquals(["new", "old", "ne", "news"].map((text) => held?.holds(new TextEncoder().encode(text))), [
    true,
    false,
    false,
    false,
  ]);
});

Deno.test("holdFile() gives nothing for a file that is not there", async () => {
  using ws = workspace();
  assertEquals(await holdFile(ws.at("none")), null);
});

function makeTree(): Disposable & { at(name: string): string } {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  for (const name of ["folder", "hooks"]) Deno.mkdirSync(`${root}/${name}`);
  Deno.symlinkSync("hooks", `${root}/link`);
  return {
    at: (name) => `${root}/${name}`,
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

Deno.test("expectNamed() takes a file by its real path alone", () => {
  using tree = makeTree();
  using file = Deno.createSync(tree.at("hooks/a"));
  const told = { asked: "a", access: "read" } as const;
  assertEquals(expectNamed(file, tree.at("hooks/a"), told).ino, file.statSync().ino);
  assertThrows(() => expectNamed(file, tree.at("link/a"), told), ToolError);
  Deno.createSync(tree.at("folder/a")).close();
  assertThrows(() => expectNamed(file, tree.at("folder/a"), told), ToolError);
});

Deno.test("expectLanded() takes away what a link led elsewhere", () => {
  using tree = makeTree();
  using file = Deno.createSync(tree.at("hooks/a"));
  expectLanded(file, tree.at("hooks/a"));
  assertThrows(() => expectLanded(file, tree.at("link/a")), ToolError);
  assertEquals([...Deno.readDirSync(tree.at("hooks"))], []);
});

Deno.test("expectLanded() does not mind that another writer was later", () => {
  using tree = makeTree();
  using file = Deno.createSync(tree.at("folder/a"));
  Deno.createSync(tree.at("folder/b")).close();
  Deno.renameSync(tree.at("folder/b"), tree.at("folder/a"));
  expectLanded(file, tree.at("folder/a"));
  assertEquals([...Deno.readDirSync(tree.at("folder"))].length, 1);
});
