import { assertEquals, assertRejects, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import {
  makeFolders,
  removeThroughRename,
  writeThroughRename,
} from "../../../../../runtime/walls/files/replace_file.ts";

const BYTES = new TextEncoder().encode("new");

function makeTree(): Disposable & { at(name: string): string; names(name: string): string[] } {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  for (const name of ["folder", "hooks"]) Deno.mkdirSync(`${root}/${name}`);
  return {
    at: (name) => `${root}/${name}`,
    names: (name) => [...Deno.readDirSync(`${root}/${name}`)].map((entry) => entry.name).sort(),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

/** Calls a function when the writer has cleaned its folder, right before it opens its file there. */
class Swept extends Set<string> {
  constructor(readonly swap: () => void) {
    super();
  }
  override add(folder: string): this {
    this.swap();
    return super.add(folder);
  }
}

Deno.test("writeThroughRename() leaves nothing behind a link that has replaced its folder", async () => {
  for (const mustNotExist of [false, true]) {
    using tree = makeTree();
    const swap = () => {
      Deno.renameSync(tree.at("folder"), tree.at("kept"));
      Deno.symlinkSync("hooks", tree.at("folder"));
    };
    const options = { token: "t", swept: new Swept(swap), mode: 0o755, mustNotExist };
    const error = await assertRejects(
      () => writeThroughRename(tree.at("folder/pre-commit"), BYTES, options),
      ToolError,
    );
    assertEquals([error.code, tree.names("hooks"), tree.names("kept")], ["conflict", [], []]);
  }
});

Deno.test("writeThroughRename() tells if what has the name in the end is not what was written", async () => {
  using tree = makeTree();
  const options = {
    ...{ token: "t", swept: new Set([tree.at("folder")]), mustNotExist: false },
    // It is asked for right before the rename: then another file gets the name of the temporary one.
    get mode() {
      const [temporary] = tree.names("folder");
      Deno.renameSync(tree.at("folder"), tree.at("kept"));
      Deno.symlinkSync("hooks", tree.at("folder"));
      Deno.writeTextFileSync(tree.at(`hooks/${temporary}`), "planted");
      return 0o755;
    },
  };
  const write = () => writeThroughRename(tree.at("folder/pre-commit"), BYTES, options);
  assertEquals((await assertRejects(write, ToolError)).code, "conflict");
});

Deno.test("writeThroughRename() removes what a writer left that was killed just before the rename", async () => {
  using tree = makeTree();
  const left = ".bulkhead-killed-00000000.tmp";
  await writeThroughRename(tree.at("folder/a"), BYTES, {
    ...{ token: "killed", swept: new Set<string>(), mustNotExist: false },
    // It is asked for right before the rename: a second name of the file stands for what a kill then leaves.
    get mode() {
      const [temporary] = tree.names("folder");
      Deno.linkSync(tree.at(`folder/${temporary}`), tree.at(`folder/${left}`));
      return 0o644;
    },
  });
  assertEquals(tree.names("folder"), [left, "a"]);
  const next = { token: "next", swept: new Set<string>(), mode: null, mustNotExist: false };
  await writeThroughRename(tree.at("folder/b"), BYTES, next);
  assertEquals(tree.names("folder"), ["a", "b"]);
});

/** Writes a file in a thread of its own, and returns the errors. */
async function writeAside(path: string, token: string): Promise<string[]> {
  const worker = new Worker(new URL("../../../../fixtures/replacing_writer.ts", import.meta.url), {
    type: "module",
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ path, token, times: 200 });
    });
  } finally {
    worker.terminate();
  }
}

Deno.test("writeThroughRename() loses no write when writers at work take each other's files for leftovers", async () => {
  using tree = makeTree();
  const names = ["a", "b", "c", "d"];
  const errors = await Promise.all(names.map((name) => writeAside(tree.at(`folder/${name}`), name)));
  assertEquals(errors, [[], [], [], []]);
  assertEquals(tree.names("folder"), names);
});

Deno.test("removeThroughRename() removes the file that it was asked for, and no other", () => {
  using tree = makeTree();
  for (const name of ["folder/a", "hooks/a"]) Deno.writeFileSync(tree.at(name), BYTES);
  const info = Deno.lstatSync(tree.at("folder/a"));
  Deno.renameSync(tree.at("folder"), tree.at("kept"));
  Deno.symlinkSync("hooks", tree.at("folder"));
  const error = assertThrows(() => removeThroughRename(tree.at("folder/a"), info), ToolError);
  assertEquals([error.code, tree.names("hooks"), tree.names("kept")], ["conflict", ["a"], ["a"]]);
  removeThroughRename(tree.at("kept/a"), info);
  assertEquals(tree.names("kept"), []);
  // Another file has the name now.
  Deno.writeFileSync(tree.at("kept/a"), BYTES);
  Deno.writeFileSync(tree.at("kept/b"), BYTES);
  const other = Deno.lstatSync(tree.at("kept/b"));
  assertThrows(() => removeThroughRename(tree.at("kept/a"), other), ToolError);
  assertEquals(tree.names("kept"), ["a", "b"]);
});

Deno.test("makeFolders() makes no folder behind a link", () => {
  using tree = makeTree();
  makeFolders(tree.at("folder/a/b/c"));
  makeFolders(tree.at("folder/a/b/c"));
  assertEquals(tree.names("folder/a/b"), ["c"]);
  Deno.symlinkSync("hooks", tree.at("link"));
  const error = assertThrows(() => makeFolders(tree.at("link/a/b")), ToolError);
  assertEquals([error.code, tree.names("hooks")], ["conflict", []]);
});
