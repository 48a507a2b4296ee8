import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";

import { hiddenOwn, stateFolder } from "../../../../../runtime/state/state_folder.ts";
import { chooseBox } from "../../../../../runtime/walls/box/choose_box.ts";
import { createGuard } from "../../../../../runtime/walls/files/guard.ts";
import { refuseFile } from "../../../../../runtime/walls/files/refuse_file.ts";
import {
  makeFolders,
  removeThroughRename,
  writeInPlace,
  writeThroughRename,
} from "../../../../../runtime/walls/files/replace_file.ts";
import { trustedPath, trustedPrograms } from "../../../../../runtime/walls/files/trusted_path.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { FileGrants } from "../../../../../schemas/grants.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { emptyFiles } from "../../../../support/listed.ts";
import { fileGrants } from "../../../../support/walls/file_grants.ts";

/** A workspace `ws` with a file, and a secret beside it, both removed at the end. */
function place() {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-moments-" }));
  const [ws, secret] = [join(root, "ws"), join(root, "secret.txt")];
  Deno.mkdirSync(ws);
  Deno.writeTextFileSync(join(ws, "a.txt"), "inside");
  Deno.writeTextFileSync(secret, "outside");
  return {
    ws,
    secret,
    grants: fileGrants(ws),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

type Asked = "openSync" | "lstatSync";

/** Does something right before a question to the system about a path, as another program can. */
function before(name: Asked, path: string, times: number, act: () => void): Disposable {
  const real = Deno[name] as (...given: unknown[]) => unknown;
  let left = times;
  const first = (...given: unknown[]) => {
    if (given[0] === path && --left === 0) act();
    return real(...given);
  };
  Object.assign(Deno, { [name]: first });
  return { [Symbol.dispose]: () => void Object.assign(Deno, { [name]: real }) };
}

Deno.test("createGuard() opens no file that took another's place after the check", async () => {
  using at = place();
  const path = join(at.ws, "a.txt");
  let swaps = 0;
  const swap = () => {
    swaps++;
    Deno.removeSync(path);
    Deno.symlinkSync(at.secret, path);
  };
  for (const [name, times] of [["openSync", 1], ["lstatSync", 2]] as const) {
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, "inside");
    using _swapped = before(name, path, times, swap);
    const error = await assertRejects(() => createGuard(at.grants, "t").open("a.txt"), ToolError);
    // It was tried again, and then refused for where it leads.
    assertEquals([error.code, error.details.reason], ["permission_denied", "outside"], name);
  }
  assertEquals(swaps, 2);
});

Deno.test("writeInPlace() changes nothing of a file that its check refuses", async () => {
  using at = place();
  const check = () => {
    throw new Error("another one");
  };
  await assertRejects(() => writeInPlace(at.secret, new Uint8Array(), { isNew: false, check }), Error);
  assertEquals(Deno.readTextFileSync(at.secret), "outside");
});

Deno.test("createGuard() lets what is there be kept before anything is changed", async () => {
  using at = place();
  const kept: string[] = [];
  const see = (path: string) => {
    kept.push(`${path.slice(at.ws.length + 1)}: ${Deno.readTextFileSync(join(at.ws, "a.txt"))}`);
    return Promise.resolve();
  };
  const files = createGuard(at.grants, "t", () => {}, see);
  await files.write("a.txt", new TextEncoder().encode("new"));
  await files.write("made/b.txt", new Uint8Array(), { createDirs: true });
  await files.remove("a.txt");
  assertEquals(kept, ["a.txt: inside", "made/b.txt: new", "a.txt: new"]);
  const stopped = createGuard(at.grants, "t", () => {}, () => Promise.reject(new Error("full")));
  const write = () => stopped.write("other/c.txt", new Uint8Array(), { createDirs: true });
  await assertRejects(write, Error, "full");
  assertEquals([...Deno.readDirSync(at.ws)].map(({ name }) => name), ["made"]);
});

Deno.test("createGuard() replaces no pipe by a file", async () => {
  using at = place();
  const path = join(at.ws, "pipe");
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const write = () => createGuard(at.grants, "t").write("pipe", new Uint8Array());
  const { code } = await assertRejects(write, ToolError);
  assertEquals([code, Deno.lstatSync(path).isFifo], ["invalid_input", true]);
});

Deno.test("createGuard() keeps searches out of the kernel's folders, its own, and logins of git", () => {
  using at = place();
  const own = join(at.ws, "state");
  const config = join(at.ws, ".git/config");
  Deno.mkdirSync(join(at.ws, ".git"));
  Deno.writeTextFileSync(config, '[remote "origin"]\n\turl = https://me:geheim123456@example.com/x.git\n');
  const files = createGuard({ ...at.grants, read: true, own: [own] }, "t");
  const paths = ["/proc", "/sys", "/dev", own, join(own, "x"), config, at.ws, join(at.ws, "a.txt")];
  assertEquals(paths.filter((path) => files.mayRead(path)), paths.slice(-2));
  const allowed = createGuard({ ...at.grants, secrets: [config] }, "t");
  assertEquals(allowed.mayRead(config), true);
});

Deno.test("createGuard() makes no folder that is not granted for the file in it", async () => {
  using at = place();
  const single = createGuard({ ...at.grants, write: [join(at.ws, "new/a.txt")] }, "t");
  const write = (files: typeof single, path: string) =>
    assertRejects(() => files.write(path, new Uint8Array(), { createDirs: true }), ToolError);
  assertEquals((await write(single, "new/a.txt")).code, "permission_denied");
  assertEquals((await write(createGuard(at.grants, "t"), "a.txt/b")).code, "invalid_input");
  const { code } = await assertRejects(() => createGuard(at.grants, "t").remove("none.txt"), ToolError);
  assertEquals([code, [...Deno.readDirSync(at.ws)].map(({ name }) => name)], ["not_found", ["a.txt"]]);
});

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
    const write = () => writeThroughRename(tree.at("folder/pre-commit"), BYTES, options);
    const error = await assertRejects(write, ToolError);
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

function scene(files: Record<string, string>) {
  const ws = workspace(files);
  const refuse = (access: "read" | "write", path: string, more: Partial<FileGrants> = {}, real = path) =>
    refuseFile(access, { path: ws.at(path), real: ws.at(real) }, fileGrants(ws.path, more))?.reason ?? null;
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
  using at = scene(emptyFiles("bare/objects/a, bare/refs/a, old/HEAD, old/objects/a, old/refs/a"));
  const named = (...paths: string[]) => ({ writeNamed: paths.map((path) => at.ws.at(path)) });
  assertEquals(at.refuse("write", "bare/HEAD"), "protected");
  assertEquals(at.refuse("write", "old/config"), "protected");
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

Deno.test("trustedPath() leaves out what lies in the workspace, may be written, or starts nowhere", () => {
  using ws = workspace({ "node_modules/.bin/x": "" });
  Deno.symlinkSync(ws.at("node_modules/.bin"), ws.at("link"));
  const allow = { read: [], write: ["/opt/made"], net: [], run: [] };
  const path = ["", ".", "bin", ws.at("node_modules/.bin"), "/opt/made/bin", "/usr/bin", "/bin"].join(":");
  assertEquals(trustedPath(path, { workspace: ws.path, allow }), "/usr/bin:/bin");
  const elsewhere = { workspace: ws.at("node_modules"), allow };
  assertEquals(trustedPath(`${ws.at("link")}:/usr/bin`, elsewhere), "/usr/bin");
});

Deno.test("hiddenOwn() is there before a program could make it", () => {
  using home = workspace({});
  const allow = { read: [home.path], write: [home.path], net: [], run: [] };
  const state = stateFolder(undefined, home.path)!;
  assertEquals(hiddenOwn({ allow, own: [] }, [state]), [home.at(".local/state/bulkhead")]);
  assertEquals(Deno.statSync(state).isDirectory, true);
  using other = workspace({});
  const far = stateFolder(other.at("x"), home.path)!;
  assertEquals(hiddenOwn({ allow, own: [] }, [far]), [other.at("x/bulkhead")]);
  assertEquals([...Deno.readDirSync(other.path)], []);
  assertEquals([stateFolder("relative", ""), hiddenOwn({ allow, own: [] }, [null])], [null, []]);
});

Deno.test("chooseBox() says why it takes no bubblewrap that is there", async () => {
  using ws = workspace({ "bin/bwrap": "" });
  Deno.chmodSync(ws.at("bin/bwrap"), 0o755);
  const grants = { workspace: ws.path, allow: { write: [] } };
  const reasonOf = async (searchPath: string) => {
    const programs = trustedPrograms(searchPath, grants);
    const state = await chooseBox({ mode: "auto", searchPath, programs }).state();
    return state.works ? "" : state.reason;
  };
  const why = `${ws.at("bin/bwrap")} is not used to make one, because calls can write there`;
  assertEquals(await reasonOf(ws.at("bin")), why);
  assertEquals(await reasonOf(ws.at("none")), "bubblewrap (bwrap) is not installed");
});

Deno.test("trustedPrograms() finds no program that calls, or everybody, could have put there, and says why", () => {
  using ws = workspace();
  for (const folder of ["ws/bin", "made/bin", "open", "own", "above/own"]) {
    Deno.mkdirSync(ws.at(folder), { recursive: true });
    Deno.writeTextFileSync(ws.at(`${folder}/tool`), "", { mode: 0o755 });
  }
  Deno.mkdirSync(ws.at("links"));
  Deno.symlinkSync("../ws/bin/tool", ws.at("links/tool"));
  Deno.chmodSync(ws.at("open"), 0o1777);
  Deno.chmodSync(ws.at("above"), 0o777);
  const passed = [
    ["ws/bin", "calls can write there"],
    ["made/bin", "calls can write there"],
    ["links", `it leads to ${ws.at("ws/bin/tool")}, and calls can write there`],
    ["open", "everybody can write there"],
    ["above/own", "everybody can write there"],
  ] as const;
  const searchPath = ["bin", ...passed.map(([folder]) => ws.at(folder)), ws.at("own")].join(":");
  const grants = { workspace: ws.at("ws"), allow: { write: [ws.at("made")] } };
  const programs = trustedPrograms(searchPath, grants);
  assertEquals(programs.find("tool"), ws.at("own/tool"));
  const over = passed.map(([folder, why]) => ({ path: ws.at(`${folder}/tool`), why }));
  assertEquals(programs.passedOver("tool"), over);
  assertEquals([programs.find("none"), programs.passedOver("none")], [null, []]);
  // A run that may write everything takes what the system has.
  const all = trustedPrograms(`${ws.at("own")}:/usr/bin:/bin`, { workspace: null, allow: { write: true } });
  assertEquals([all.find("tool"), all.find("sh")?.endsWith("/sh")], [null, true]);
});
