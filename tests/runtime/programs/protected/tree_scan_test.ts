import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";

import { makeTreeScan } from "../../../../runtime/programs/protected/tree_scan.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("scan() finds secrets and protected files at any depth, and does not follow links", async () => {
  using ws = workspace({
    "a.txt": "",
    ".env": "",
    ".env.example": "",
    "venv/certifi/cacert.pem": "",
    "x/y/z/server.pem": "",
    "x/.ssh/id_rsa": "",
    ".git/config": "",
    ".git/HEAD": "",
    ".git/hooks/pre-commit": "",
    ".git/modules/m/config": "",
    "x/.vscode/tasks.json": "",
    "x/.vscode/.env": "",
    "bulkhead.json": "",
  });
  Deno.symlinkSync(ws.path, ws.at("x/loop"));
  Deno.symlinkSync("x", ws.at(".npmrc"));
  const found = await makeTreeScan()([{ path: ws.path }]);
  assertEquals(found.map(({ path, kind }) => `${kind} ${path.slice(ws.path.length + 1)}`), [
    "secret .env",
    "protected .git",
    "protected .git/config",
    "protected .git/hooks",
    "protected .git/modules/m/config",
    "secret .npmrc",
    "protected bulkhead.json",
    "secret x/.ssh",
    "protected x/.vscode",
    "secret x/.vscode/.env",
    "secret x/y/z/server.pem",
  ]);
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
