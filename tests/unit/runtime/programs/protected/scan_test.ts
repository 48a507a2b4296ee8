import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";

import {
  byteLength,
  bytesOfPath,
  pathOfBytes,
  showPath,
} from "../../../../../runtime/programs/bytes/odd_names.ts";
import { makeOddReader } from "../../../../../runtime/programs/bytes/odd_reader.ts";
import { moveEntry } from "../../../../../runtime/programs/protected/move_entry.ts";
import { makeTreeScan } from "../../../../../runtime/programs/protected/tree_scan.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { emptyFiles, listed } from "../../../../support/listed.ts";
import type { ScanOptions } from "../../../../../runtime/programs/protected/scan_walk.ts";

const PURE = { permissions: "none" } as const;

Deno.test("scan() finds secrets and protected files at any depth, and does not follow links", async () => {
  using ws = workspace(emptyFiles(
    "a.txt, .env, .env.example, venv/certifi/cacert.pem, x/y/z/server.pem, x/.ssh/id_rsa, .git/config",
    ".git/HEAD, .git/hooks/pre-commit, .git/modules/m/config, x/.vscode/tasks.json, x/.vscode/.env",
    "bulkhead.json",
  ));
  Deno.symlinkSync(ws.path, ws.at("x/loop"));
  Deno.symlinkSync("x", ws.at(".npmrc"));
  Deno.linkSync(ws.at("x/.vscode/tasks.json"), ws.at("x/twin"));
  const found = await makeTreeScan()([{ path: ws.path }]);
  assertEquals(
    found.map(({ path, kind }) => `${kind} ${path.slice(ws.path.length + 1)}`),
    listed(
      "secret .env, protected .git, protected .git/config, protected .git/hooks",
      "protected .git/modules/m/config, secret .npmrc, protected bulkhead.json, secret x/.ssh",
      "protected x/.vscode, secret x/.vscode/.env, protected x/.vscode/tasks.json, secret x/y/z/server.pem",
    ),
  );
});

Deno.test("scan() finds sockets", async () => {
  using ws = workspace({ "a/b.txt": "" });
  using _listener = Deno.listen({ transport: "unix", path: ws.at("a/s") });
  const found = await makeTreeScan()([{ path: ws.path }]);
  assertEquals(found.map(({ path, kind }) => [path, kind]), [[ws.at("a/s"), "socket"]]);
});

Deno.test("scan() sees each change at its next turn, also one that gives a folder its old time back", async () => {
  using ws = workspace({ "a/b/c.txt": "" });
  const scan = makeTreeScan();
  const names = async () =>
    (await scan([{ path: ws.path }])).map(({ path }) => path.slice(ws.path.length + 1));
  assertEquals(await names(), []);
  const { mtime } = Deno.statSync(ws.at("a/b"));
  Deno.writeTextFileSync(ws.at("a/b/.env"), "");
  Deno.utimeSync(ws.at("a/b"), mtime!, mtime!);
  assertEquals(await names(), ["a/b/.env"]);
  Deno.renameSync(ws.at("a/b"), ws.at("a/d"));
  assertEquals(await names(), ["a/d/.env"]);
  Deno.removeSync(ws.at("a/d/.env"));
  assertEquals(await names(), []);
});

Deno.test("scan() passes over git's objects, and after a program not over what it put among them", async () => {
  const inGit = ["HEAD", "objects/ab/1", "objects/cd/2", "objects/ef/deep/.env", "refs/x"].map((name) =>
    `.git/${name}`
  );
  using ws = workspace(emptyFiles([...inGit, "objects/ab/.env"].join(", ")));
  const scan = makeTreeScan();
  const secrets = async (afterwards?: ScanOptions["afterwards"]) =>
    (await scan([{ path: ws.path }], afterwards && { afterwards }))
      .filter(({ kind }) => kind === "secret" || kind === "set-id").map(({ path }) =>
        path.slice(ws.path.length + 1)
      );
  // A folder of this name alone is none of git's.
  const known = [".git/objects/ef/deep/.env", "objects/ab/.env"];
  Deno.writeTextFileSync(ws.at(".git/objects/ab/.env"), "");
  assertEquals(await secrets(), known);
  // Nor is one that a program has made look so.
  for (const name of ["HEAD", "refs"]) Deno.renameSync(ws.at(`.git/${name}`), ws.at(name));
  assertEquals(await secrets(), [".git/objects/ab/.env", ...known]);
  for (const name of ["HEAD", "refs"]) Deno.renameSync(ws.at(name), ws.at(`.git/${name}`));
  await makeTreeScan({ maxEntries: 13 })([{ path: ws.path }]);
  const made = Deno.statSync(ws.path).ctime!.getTime();
  const after = { wasClosed: () => false, open: () => false, tell() {} };
  assertEquals(await secrets({ ...after, since: made + 60_000 }), known);
  Deno.chmodSync(ws.at(".git/objects/cd/2"), 0o4755);
  Deno.writeTextFileSync(ws.at(".git/objects/cd/3"), "");
  assertEquals(await secrets({ ...after, since: made - 60_000 }), [
    ".git/objects/ab/.env",
    ".git/objects/cd/2",
    ...known,
  ]);
});

Deno.test("scan() looks as deep as it is told, and at a folder within another once", async () => {
  using ws = workspace({ ".env": "", "a/.env": "", "a/b/.env": "" });
  const count = async (roots: { path: string; depth?: number }[]) => (await makeTreeScan()(roots)).length;
  assertEquals(await count([{ path: ws.path, depth: 1 }]), 1);
  assertEquals(await count([{ path: ws.path, depth: 2 }]), 2);
  assertEquals(await count([{ path: ws.path }, { path: join(ws.path, "a") }]), 3);
  assertEquals(await count([{ path: ws.path, depth: 1 }, { path: join(ws.path, "a") }]), 3);
  assertEquals(await count([{ path: ws.at(".env") }, { path: ws.at("none") }]), 0);
});

Deno.test("scan() refuses more entries than it may look at", async () => {
  using ws = workspace({ "a": "", "b": "", "c/d": "" });
  assertEquals(await makeTreeScan({ maxEntries: 4 })([{ path: ws.path }]), []);
  const scan = makeTreeScan({ maxEntries: 3 });
  const { code, message } = await assertRejects(() => scan([{ path: ws.path }]), ToolError);
  assertEquals(code, "limit_exceeded");
  assertEquals(
    message,
    "There are more than 3 files in the folders that programs would see, too many to find all secrets among them; " +
      `"${ws.path}" alone has 3: remove files, name a smaller folder with --workspace, --allow-read or --sandbox-show, ` +
      `or pass --deny-read=${ws.path}`,
  );
});

/** What a scan finds, with the kind first. */
async function foundIn(path: string, options: ScanOptions = {}): Promise<string[]> {
  const scan = makeTreeScan({ odd: makeOddReader("") });
  const found = await scan([{ path }], options);
  return found.map((finding) => `${finding.kind} ${showPath(finding.path).slice(path.length + 1)}`);
}

async function bash(folder: string, script: string): Promise<void> {
  const { success } = await new Deno.Command("bash", { args: ["-c", script], cwd: folder }).output();
  assertEquals(success, true);
}

Deno.test("scan() sees names that are no UTF-8, and all below them", async () => {
  using ws = workspace({ "a\ufffd/.env": "" });
  await bash(
    ws.path,
    `mkdir -p $'a\\xff/b' $'\\xe9.key' deep; cd $'a\\xff'; touch .env b/.npmrc $'b/\\xfe.pem' x; git init -q r; mkdir .vscode
    ln -s x $'l\\xfe.pem'; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('s')"; chmod 0 ../deep; mkdir c; chmod 0 c`,
  );
  const found = await foundIn(ws.path);
  Deno.chmodSync(ws.at("deep"), 0o755);
  assertEquals(
    found.filter((line) => !line.includes("/r/.git/")).sort(),
    listed(
      "closed a\\xff/c, closed deep, protected a\\xff/.vscode, protected a\\xff/r/.git, secret \\xe9.key",
      "secret a\ufffd/.env, secret a\\xff/.env, secret a\\xff/b/.npmrc, secret a\\xff/b/\\xfe.pem",
      "secret a\\xff/l\\xfe.pem, socket a\\xff/s",
    ).sort(),
  );
});

Deno.test("scan() measures long paths in bytes, and hides such a folder near the top", async () => {
  using ws = workspace({});
  const name = "語".repeat(80);
  await bash(ws.path, `for i in 1 2 3 4 5 6 7; do mkdir ${name}; cd ${name}; done; touch .env`);
  assertEquals((await foundIn(ws.path)).length, 1);
  await bash(ws.path, "rm -r *; d=$(printf 'd/%.0s' {1..700}); mkdir -p $d; touch $d.env");
  assertEquals(await foundIn(ws.path), [`closed ${Array(24).fill("d").join("/")}`]);
});

Deno.test("a scan after a program goes on past all that fails, and sees any depth", async () => {
  using ws = workspace({});
  await bash(
    ws.path,
    `mkdir .aws a c; touch .aws/.envrc c/.mcp.json; cd a; d=$(printf 'd/%.0s' {1..1200}); mkdir -p $d; touch $d.envrc; chmod 0 ${ws.path}/c`,
  );
  const told: string[] = [];
  const opened: string[] = [];
  const found = await foundIn(ws.path, {
    enters: () => true,
    afterwards: {
      since: 0,
      wasClosed: () => false,
      open: ({ path, info }) => {
        if (info.mode! & 0o700) return false;
        opened.push(path);
        Deno.chmodSync(path, 0o700);
        return true;
      },
      tell: (path) => void told.push(path),
    },
  });
  assertEquals(opened, [ws.at("c")]);
  assertEquals(
    found.map((line) => line.replace(/a\/d.*d\//, "…/")),
    ["secret .aws", "secret .aws/.envrc", "secret …/.envrc", "protected c/.mcp.json"],
  );
  assertEquals(told, []);
  const few = makeTreeScan({ maxEntries: 2 });
  const afterwards = { since: 0, wasClosed: () => false, open: () => false };
  await few([{ path: ws.path }], { afterwards: { ...afterwards, tell: (_, why) => void told.push(why) } });
  assertEquals(told, ["there are more than 2 files"]);
});

Deno.test("moveEntry() moves files, folders and links themselves", async () => {
  using ws = workspace({ "tree/a": "a", "tree/-d e/b": "b" });
  Deno.mkdirSync(ws.at("aside"));
  Deno.symlinkSync("/etc/passwd", ws.at("tree/l"));
  for (const name of ["a", "-d e", "l"]) {
    const path = ws.at(`tree/${name}`);
    const place = ws.at(`aside/${name}`);
    assertEquals(await moveEntry({ path, info: Deno.lstatSync(path) }, [place]), place);
  }
  assertEquals([ws.read("aside/a"), ws.read("aside/-d e/b")], ["a", "b"]);
  assertEquals(Deno.readLinkSync(ws.at("aside/l")), "/etc/passwd");
});

Deno.test("moveEntry() moves nothing that a link above leads to, or that took another's place", async () => {
  using ws = workspace({ "tree/d/x": "own", "tree/f": "own", "tree/g": "other", "outside/x": "kept" });
  Deno.mkdirSync(ws.at("aside"));
  const path = ws.at("tree/d/x");
  const info = Deno.lstatSync(path);
  Deno.renameSync(ws.at("tree/d"), ws.at("tree/e"));
  Deno.symlinkSync(ws.at("outside"), ws.at("tree/d"));
  await assertRejects(() => moveEntry({ path, info }, [ws.at("aside/x")]), Error, "replaced by a link");
  const swapped = { path: ws.at("tree/f"), info: Deno.lstatSync(ws.at("tree/g")) };
  await assertRejects(() => moveEntry(swapped, [ws.at("aside/f")]), Error, "taken its place");
  assertEquals([ws.read("outside/x"), ws.read("tree/f")], ["kept", "own"]);
  assertEquals([...Deno.readDirSync(ws.at("aside"))], []);
});

Deno.test("moveEntry() moves an entry whose name is not UTF-8, and no other that has its name", async () => {
  using ws = workspace({ "tree/a": "own", "tree/b": "own" });
  Deno.mkdirSync(ws.at("aside"));
  const name = Uint8Array.of(...new TextEncoder().encode(ws.at("tree/a")), 0xe9);
  const info = Deno.lstatSync(ws.at("tree/a"));
  new Deno.Command("bash", { args: ["-c", `mv a a$'\\xe9'`], cwd: ws.at("tree") }).outputSync();
  const path = pathOfBytes(name);
  const other = { path, info: Deno.lstatSync(ws.at("tree/b")) };
  await assertRejects(() => moveEntry(other, [ws.at("aside/x")]), Error, "another one has taken its place");
  assertEquals(await moveEntry({ path, info }, [ws.at("aside/x")]), ws.at("aside/x"));
  assertEquals(ws.read("aside/x"), "own");
});

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

Deno.test("pathOfBytes() keeps every byte, and makes the usual text of UTF-8", PURE, () => {
  const names = [
    ...["a/b", "caf\xc3\xa9", "caf\xe9/x", "\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "\xed\xb3\xa9"],
    ...["\xe2\x82", "\xf5\x80\x80\x80", "\xf0\x9f\x92\x80\xff", "\xef\xbf\xbd", "\xef\xbb\xbfx"],
  ];
  for (const name of names) {
    const path = pathOfBytes(bytes(name));
    assertEquals([bytesOfPath(path), byteLength(path)], [bytes(name), name.length], name);
  }
  assertEquals(pathOfBytes(bytes("caf\xc3\xa9")), "café");
  assertEquals(new Set(names.map((name) => pathOfBytes(bytes(name)))).size, names.length);
});

Deno.test("showPath() shows bytes as numbers, and leaves the middle of a long path out", PURE, () => {
  assertEquals(showPath("caf\udce9/\u{1f480}"), "caf\\xe9/\u{1f480}");
  const long = showPath(`${"a".repeat(300)}${"b".repeat(300)}`);
  assertEquals(long, `${"a".repeat(200)}[… 200 characters …]${"b".repeat(200)}`);
});
