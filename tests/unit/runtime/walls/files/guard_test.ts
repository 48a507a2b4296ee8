import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";

import { createGuard } from "../../../../../runtime/walls/files/guard.ts";
import { expectLanded, expectNamed, holdFile } from "../../../../../runtime/walls/files/hold_file.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { listed } from "../../../../support/listed.ts";
import { fileGrants } from "../../../../support/walls/file_grants.ts";

/** A workspace `ws` beside a folder `out` with a secret, both removed at the end. */
function place() {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-guard-" }));
  const ws = join(root, "ws");
  for (const folder of ["ws/sub", "ws-evil", "out"]) Deno.mkdirSync(join(root, folder), { recursive: true });
  Deno.writeTextFileSync(join(ws, "a.txt"), "inside");
  Deno.writeTextFileSync(join(root, "out/secret.txt"), "outside");
  Deno.writeTextFileSync(join(root, "ws-evil/x"), "outside");
  const link = (target: string, name: string) => Deno.symlinkSync(target, join(ws, name));
  link("../out/secret.txt", "file-link");
  link("../out", "dir-link");
  link("chain2", "chain1");
  link("dir-link", "chain2");
  link("../out/new.txt", "dangling");
  link("a.txt", "fine");
  link("sub", "fine-dir");
  link("nowhere.txt", "fine-dangling");
  link("loop2", "loop1");
  link("loop1", "loop2");
  link("/proc/self/root/etc/passwd", "proc");
  return {
    root,
    ws,
    grants: fileGrants(ws),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

async function refused(work: Promise<unknown>, code: string, reason?: string) {
  const error = await assertRejects(() => work, ToolError);
  assertEquals(error.code, code, error.message);
  if (reason) assertEquals(error.details.reason, reason, error.message);
}

Deno.test("createGuard() refuses every way out of the workspace", async () => {
  using at = place();
  const files = createGuard(at.grants, "t");
  const ways = [
    ...listed(
      "../out/secret.txt, ../ws-evil/x, sub/../../out/secret.txt, file-link, dir-link/secret.txt",
      "chain1/secret.txt, dir-link/missing.txt, dangling, fine-dir/../../out/secret.txt",
      "/proc/self/root/etc/passwd, /proc/self/fd/0, proc, /etc/passwd, /, ..",
    ),
    join(at.root, "out/secret.txt"),
    join(at.root, "ws-evil/x"),
  ];
  for (const way of ways) {
    await refused(files.open(way), "permission_denied", "outside");
    await refused(files.write(way, new Uint8Array([1])), "permission_denied", "outside");
    await refused(files.remove(way), "permission_denied", "outside");
  }
  assertEquals(Deno.readTextFileSync(join(at.root, "out/secret.txt")), "outside");
  assertEquals([...Deno.readDirSync(join(at.root, "out"))].map((entry) => entry.name), ["secret.txt"]);
});

Deno.test("createGuard() follows links that stay inside", async () => {
  using at = place();
  const files = createGuard(at.grants, "t");
  using open = await files.open("fine");
  assertEquals(open.real, join(at.ws, "a.txt"));
  assertEquals(open.path, join(at.ws, "fine"));
  await files.write("fine-dangling", new TextEncoder().encode("made"));
  assertEquals(Deno.readTextFileSync(join(at.ws, "nowhere.txt")), "made");
  assert(Deno.lstatSync(join(at.ws, "fine-dangling")).isSymlink);
});

Deno.test("createGuard() says what is wrong with a path", async () => {
  using at = place();
  const files = createGuard(at.grants, "t");
  await refused(files.open("a\0b"), "invalid_input");
  await refused(files.open("loop1"), "invalid_input");
  await refused(files.open("sub"), "invalid_input");
  await refused(files.open("none.txt"), "not_found");
  await refused(files.open("a.txt/x"), "not_found");
  await refused(files.write("sub", new Uint8Array()), "invalid_input");
  await refused(files.write("no/such/x", new Uint8Array()), "not_found");
  await refused(files.write("a.txt", new Uint8Array(), { mustNotExist: true }), "conflict");
  await refused(files.write("x".repeat(300), new Uint8Array()), "invalid_input");
});

Deno.test("createGuard() keeps secrets and protected files until they are named", async () => {
  using at = place();
  for (const name of [".env", ".git/hooks/pre-commit", ".git/config"]) {
    Deno.mkdirSync(join(at.ws, name, ".."), { recursive: true });
    Deno.writeTextFileSync(join(at.ws, name), "x");
  }
  Deno.symlinkSync(".env", join(at.ws, "innocent"));
  const files = createGuard(at.grants, "t");
  await refused(files.open(".env"), "permission_denied", "secret");
  await refused(files.open("innocent"), "permission_denied", "secret");
  await refused(files.write(".git/config", new Uint8Array()), "permission_denied", "protected");
  await refused(files.write(".git/hooks/new", new Uint8Array()), "permission_denied", "protected");
  using hook = await files.open(".git/hooks/pre-commit");
  assertEquals(hook.info.size, 1);
  assertEquals(files.mayRead(join(at.ws, ".env")), false);

  const secrets = createGuard({ ...at.grants, secrets: [join(at.ws, ".env")] }, "t");
  using env = await secrets.open(".env");
  assertEquals(env.info.size, 1);
  const named = createGuard({ ...at.grants, writeNamed: [join(at.ws, ".git/config")] }, "t");
  await named.write(".git/config", new TextEncoder().encode("[core]"));
  const broad = createGuard({ ...at.grants, writeNamed: [at.ws] }, "t");
  await refused(broad.write(".git/config", new Uint8Array()), "permission_denied", "protected");
});

Deno.test("createGuard() lets deny win over allow", async () => {
  using at = place();
  Deno.writeTextFileSync(join(at.ws, "sub/b.txt"), "b");
  const files = createGuard({ ...at.grants, denyRead: [join(at.ws, "sub")], denyWrite: true }, "t");
  await refused(files.open("sub/b.txt"), "permission_denied", "denied");
  await refused(files.open("fine-dir/b.txt"), "permission_denied", "denied");
  await refused(files.write("a.txt", new Uint8Array()), "permission_denied", "denied");
  assertEquals(files.mayRead(join(at.ws, "sub")), false);
});

Deno.test("createGuard() advises no flag for several targets of which one is denied", () => {
  using at = place();
  const files = createGuard({ ...at.grants, denyRead: [join(at.ws, "sub")] }, "t");
  const denied = { kind: "read", value: "sub/b.txt" } as const;
  const outside = { kind: "read", value: join(at.root, "out/secret.txt") } as const;
  for (const targets of [[denied, outside], [outside, denied]]) {
    const { code, details } = assertThrows(() => files.check(targets), ToolError);
    assertEquals([code, details.reason, details.flags], ["permission_denied", "denied", []]);
  }
  const both = () => files.check([outside, { ...outside, value: "/etc/passwd" }]);
  const { details } = assertThrows(both, ToolError);
  assertEquals(details.flags, [`--allow-read=${outside.value},/etc/passwd`]);
});

Deno.test("createGuard() understands the user's own spelling of a granted folder", async () => {
  using at = place();
  const spelled = join(at.root, "short");
  Deno.symlinkSync("ws", spelled);
  const files = createGuard({ ...at.grants, aliases: [[spelled, at.ws]] }, "t");
  using open = await files.open(join(spelled, "a.txt"));
  assertEquals(open.real, join(at.ws, "a.txt"));
  Deno.mkdirSync(join(at.ws, "sub/deep"));
  Deno.writeTextFileSync(join(at.ws, "sub/a.txt"), "the link's parent");
  Deno.symlinkSync("sub/deep", join(at.ws, "deep"));
  using above = await files.open(`${spelled}/deep/../a.txt`);
  assertEquals(above.real, join(at.ws, "sub/a.txt"));
});

Deno.test("createGuard() writes whole files, keeps their mode, and makes folders on request", async () => {
  using at = place();
  const files = createGuard(at.grants, "t");
  Deno.chmodSync(join(at.ws, "a.txt"), 0o640);
  const before = Deno.lstatSync(join(at.ws, "a.txt")).ino;
  await files.write("a.txt", new TextEncoder().encode("changed"));
  const after = Deno.lstatSync(join(at.ws, "a.txt"));
  assertEquals(Deno.readTextFileSync(join(at.ws, "a.txt")), "changed");
  assertEquals((after.mode ?? 0) & 0o777, 0o640);
  assert(after.ino !== before);
  Deno.chmodSync(join(at.ws, "a.txt"), 0o4755);
  await files.write("a.txt", new TextEncoder().encode("model's"));
  assertEquals((Deno.lstatSync(join(at.ws, "a.txt")).mode ?? 0) & 0o7777, 0o755);
  await files.write("new/deep/b.txt", new TextEncoder().encode("b"), { createDirs: true });
  assertEquals(Deno.readTextFileSync(join(at.ws, "new/deep/b.txt")), "b");
});

Deno.test("createGuard() clears the temporary files of killed writers, and no file that only has such a name", async () => {
  using at = place();
  const put = (name: string, mode: number) => {
    Deno.writeTextFileSync(join(at.ws, name), "half");
    Deno.chmodSync(join(at.ws, name), mode);
  };
  put(".bulkhead-dead-00000000.tmp", 0o1600);
  // Whole, but without its name yet.
  put(".bulkhead-dead-00000001.tmp", 0o644);
  Deno.utimeSync(join(at.ws, ".bulkhead-dead-00000001.tmp"), 1_000_000, 1_086_400.123);
  // Of this writer, of somebody else, and of somebody who chose another name.
  put(".bulkhead-t-00000000.tmp", 0o1600);
  put(".bulkhead-mine-00000000.tmp", 0o600);
  put(".bulkhead-notes.tmp", 0o1600);
  const files = createGuard(at.grants, "t");
  assertEquals(files.mayRead(join(at.ws, ".bulkhead-notes.tmp")), true);
  await files.write("b.txt", new TextEncoder().encode("b"));
  const names = [...Deno.readDirSync(at.ws)].map(({ name }) => name).filter((name) =>
    name.startsWith(".bulkhead")
  );
  const left = [".bulkhead-mine-00000000.tmp", ".bulkhead-notes.tmp", ".bulkhead-t-00000000.tmp"];
  assertEquals(names.sort(), left);
});

Deno.test("createGuard() writes in place where only the file is granted", async () => {
  using at = place();
  const file = join(at.ws, "a.txt");
  const files = createGuard({ ...at.grants, write: [file] }, "t");
  await files.write("a.txt", new TextEncoder().encode("short"));
  assertEquals(Deno.readTextFileSync(file), "short");
  const inode = Deno.lstatSync(file).ino;
  await files.write("a.txt", new TextEncoder().encode("longer than before"));
  assertEquals([Deno.readTextFileSync(file), Deno.lstatSync(file).ino], ["longer than before", inode]);
  Deno.removeSync(file);
  await files.write("a.txt", new TextEncoder().encode("new"));
  assertEquals(Deno.readTextFileSync(file), "new");
  await refused(files.write("b.txt", new Uint8Array()), "permission_denied", "outside");
});

Deno.test("createGuard() does not replace what somebody else has changed", async () => {
  using at = place();
  const files = createGuard(at.grants, "t");
  const encode = (text: string) => new TextEncoder().encode(text);
  await files.write("a.txt", encode("first"), { replaces: encode("inside") });
  for (const replaces of ["inside", "firs", "first!", ""]) {
    const write = () => files.write("a.txt", encode("second"), { replaces: encode(replaces) });
    const error = await assertRejects(write, ToolError);
    assertEquals([error.code, error.retryable], ["conflict", true], replaces);
  }
  await refused(files.write("gone.txt", encode("x"), { replaces: encode("") }), "conflict");
  assertEquals(Deno.readTextFileSync(join(at.ws, "a.txt")), "first");
  const single = { ...at.grants, write: [join(at.ws, "a.txt")] };
  const write = createGuard(single, "s").write("a.txt", encode("x"), { replaces: encode("old") });
  await refused(write, "conflict");
  assertEquals(Deno.readTextFileSync(join(at.ws, "a.txt")), "first");
});

Deno.test("createGuard() makes a new file once, whoever else makes it", async () => {
  using at = place();
  const write = (_: unknown, n: number) =>
    createGuard(at.grants, `t${n}`).write("new.txt", new TextEncoder().encode(`${n}`), {
      mustNotExist: true,
    });
  const made = await Promise.allSettled(Array.from({ length: 10 }, write));
  const first = made.findIndex(({ status }) => status === "fulfilled");
  assertEquals(made.filter(({ status }) => status === "fulfilled").length, 1);
  assertEquals(Deno.readTextFileSync(join(at.ws, "new.txt")), `${first}`);
  assertEquals([...Deno.readDirSync(at.ws)].filter(({ name }) => name.endsWith(".tmp")), []);
});

Deno.test("createGuard() touches only what a call was allowed for, whatever its links have become", async () => {
  using at = place();
  const files = createGuard({ ...at.grants, judged: [join(at.ws, "sub"), join(at.ws, "new.txt")] }, "t");
  await files.write("sub/x/y.txt", new Uint8Array(), { createDirs: true });
  await files.write("fine-dir/z.txt", new Uint8Array());
  await files.write("new.txt", new Uint8Array());
  Deno.removeSync(join(at.ws, "new.txt"));
  Deno.symlinkSync("a.txt", join(at.ws, "new.txt"));
  await refused(files.write("new.txt", new Uint8Array()), "conflict");
  await refused(files.remove("a.txt"), "conflict");
  await refused(files.open("fine"), "conflict");
  assertEquals(await Deno.readTextFile(join(at.ws, "a.txt")), "inside");
  assertThrows(() => files.check([{ kind: "read", value: "a.txt" }]), ToolError, "was replaced");
});

Deno.test("holdFile() waits for the holder before, and then holds what the path names", async () => {
  using ws = workspace({ "a.txt": "old" });
  const first = await holdFile(ws.at("a.txt"));
  assert(first);
  const order: string[] = [];
  const second = holdFile(ws.at("a.txt")).then((held) => (order.push("second"), held));
  // Who did not wait would hold it before the disk has done this.
  await Deno.writeTextFile(ws.at("b.txt"), "new");
  await Deno.rename(ws.at("b.txt"), ws.at("a.txt"));
  order.push("first is over");
  first[Symbol.dispose]();
  using held = await second;
  assertEquals(order, ["first is over", "second"]);
  const matching = ["new", "old", "ne", "news"].filter((text) => held?.holds(new TextEncoder().encode(text)));
  assertEquals(matching, ["new"]);
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
