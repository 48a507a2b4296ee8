import { assert, assertEquals } from "@std/assert";

import { makeTreeScan } from "../../../../runtime/programs/protected/tree_scan.ts";
import { RememberedFolders } from "../../../../runtime/programs/protected/remembered_folders.ts";
import { boxTest } from "../../../support/box.ts";
import { launchScene } from "../../../support/launch_scene.ts";
import { workspace } from "../../../support/run_tool.ts";
import type { ScannedFolder } from "../../../../runtime/programs/protected/scan_folder.ts";

const SYSTEM = "/usr/bin:/bin";
const HOME = {
  "home/.nvm/versions/node/v20/bin/node": '#!/bin/sh\necho "node 20 $NVM_DIR"',
  "home/.nvm/versions/node/v20/lib/node_modules/x/.npmrc": "TOKEN",
  "home/.nvm/versions/node/v20/etc/npmrc": "TOKEN",
  "home/.nvm/versions/node/v18/bin/node": "#!/bin/sh\necho node 18",
  "home/.cargo/bin/cargo":
    '#!/bin/sh\nls "$RUSTUP_HOME/update-hashes" && exec "$RUSTUP_HOME/toolchains/stable/bin/cargo"',
  "home/.cargo/credentials.toml": "TOKEN",
  "home/.rustup/toolchains/stable/bin/cargo": "#!/bin/sh\necho cargo of rustup",
  "home/.rustup/update-hashes/": "",
  "home/.local/bin/tool": "-> ../share/uv/tools/tool/bin/tool",
  "home/.local/bin/leak": "-> ~/secret",
  "home/.local/bin/folder": "-> ~/.local/share",
  "home/.local/share/uv/tools/tool/bin/tool": "#!/bin/sh\necho tool of uv",
  "home/.local/share/uv/tools/tool/uv-receipt.toml": "TOKEN",
  "home/.local/share/uv/credentials/c": "TOKEN",
  "home/.local/share/keyrings/login": "KEYS",
  "home/.pyenv/versions/3.12/bin/python3": '#!/bin/sh\necho "python 3.12 $@"',
  "home/.bash_history": "HISTORY",
  "home/secret": "SECRET",
};
const ALL = "~/.nvm/versions/node/v20/bin:~/.cargo/bin:~/.local/bin";

boxTest("toolchains of the home on PATH are shown and work, and nothing else of the home is", async () => {
  using scene = launchScene(HOME, { searchPath: `${ALL}:${SYSTEM}`, toolchains: {} });
  const home = scene.at("home");
  const { stdout } = await scene.sh("node; cargo; tool; echo $PATH; echo $CARGO_HOME");
  const path = ALL.replaceAll("~", home);
  const all = `${path}:${SYSTEM}:/usr/local/bin:/usr/local/sbin:/usr/sbin:/sbin`;
  assertEquals(stdout, `node 20 ${home}/.nvm\ncargo of rustup\ntool of uv\n${all}\n${home}/.cargo\n`);
  const { stdout: seen } = await scene.sh(
    `cd ${home}; find . -type f -size +0 | sort; cat .local/bin/leak secret .bash_history .cargo/credentials.toml
    cat .nvm/versions/node/v20/lib/node_modules/x/.npmrc .nvm/versions/node/v20/etc/npmrc .local/share/keyrings/login`,
  );
  assertEquals(seen.split("\n"), [
    "./.cargo/bin/cargo",
    "./.local/share/uv/tools/tool/bin/tool",
    "./.nvm/versions/node/v20/bin/node",
    "./.rustup/toolchains/stable/bin/cargo",
    "",
  ]);
});

boxTest("nothing of a toolchain can be written, and no link leads out of it", async () => {
  using scene = launchScene(HOME, { searchPath: `${ALL}:${SYSTEM}`, toolchains: {}, dir: "/var/tmp" });
  const { stdout } = await scene.sh(`cd ${scene.at("home")}
    for at in .nvm/versions/node/v20/bin .cargo/bin .local/bin .local .rustup/toolchains .local/share/uv/tools .; do
      (echo x > $at/new) 2>/dev/null && echo "wrote $at"
    done
    (echo x > .nvm/versions/node/v20/bin/node) 2>/dev/null && echo wrote node
    ls .local/bin/folder/ 2>/dev/null; cat .local/bin/folder/keyrings/login 2>/dev/null; echo end`);
  assertEquals(stdout, "uv\nend\n");
});

boxTest("a virtual environment of the workspace has its Python of the home", async () => {
  const files = { ...HOME, "ws/.venv/bin/python": "-> ~/.pyenv/versions/3.12/bin/python3" };
  using scene = launchScene(files, { searchPath: SYSTEM, toolchains: {} });
  assertEquals((await scene.sh(".venv/bin/python -V")).stdout, "python 3.12 -V\n");
  const leak = { ...HOME, "ws/.venv/bin/python": "-> ~/secret" };
  using evil = launchScene(leak, { searchPath: SYSTEM, toolchains: {} });
  assertEquals((await evil.sh("cat .venv/bin/python")).stdout, "");
});

Deno.test("findToolchains() shows no folder that leads elsewhere, that others may write, or that holds the home", async () => {
  const files = {
    "home/private/diary": "D",
    "home/.deno/bin": "-> ~/private",
    "home/.volta/bin/node": "#!/bin/sh",
    "home/.bun/bin/bun": "#!/bin/sh",
    "home/.ssh/id": "KEY",
    "home/.gem/bin": "-> ~/.ssh",
    "home/a": "#!/bin/sh",
  };
  const searchPath = `~/.deno/bin:~/.volta/bin:~/.bun/bin:~/.gem/bin:~:${SYSTEM}`;
  using scene = launchScene(files, { searchPath, toolchains: {} });
  Deno.chmodSync(scene.at("home/.volta/bin"), 0o777);
  const { shown, refused, found } = await scene.toolchains!();
  assertEquals(shown, [scene.at("home/.bun/bin")]);
  assertEquals(found, [{ name: "bun", folder: scene.at("home/.bun/bin") }]);
  assertEquals(refused, [
    { folder: scene.at("home/.deno/bin"), why: `it is a link to ${scene.at("home/private")}` },
    { folder: scene.at("home/.volta/bin"), why: `other users may write ${scene.at("home/.volta/bin")}` },
    { folder: scene.at("home/.gem/bin"), why: `it is a link to ${scene.at("home/.ssh")}` },
  ]);
  using strange = launchScene(files, { searchPath: `~:${SYSTEM}`, toolchains: { PNPM_HOME: "/nowhere" } });
  const home = strange.at("home");
  using named = launchScene({}, { searchPath: `${home}:${home}/private`, toolchains: { PNPM_HOME: home } });
  assertEquals((await named.toolchains!()).shown, [`${home}/a`]);
});

Deno.test("findToolchains() follows a toolchain that lies elsewhere, and takes the variable's folder first", async () => {
  const files = {
    "data/nvm/versions/node/v20/bin/node": "#!/bin/sh\necho elsewhere",
    "home/.nvm": "-> ../data/nvm",
    "home/rust/toolchains/stable/bin/cargo": "#!/bin/sh",
    "home/.rustup/toolchains/stable/bin/cargo": "#!/bin/sh",
    "home/.cargo/bin/cargo": "#!/bin/sh",
  };
  const searchPath = `~/.nvm/versions/node/v20/bin:~/.cargo/bin:${SYSTEM}`;
  using scene = launchScene(files, { searchPath, toolchains: {} });
  using named = launchScene(files, { searchPath, toolchains: { RUSTUP_HOME: scene.at("home/rust") } });
  const { shown, links, env } = await scene.toolchains!();
  const nvm = scene.at("data/nvm");
  assert(shown.includes(`${nvm}/versions/node/v20`), shown.join());
  assertEquals(links, [{ at: scene.at("home/.nvm"), to: nvm }]);
  assertEquals(env.NVM_DIR, nvm);
  assertEquals((await named.toolchains!()).env.RUSTUP_HOME, scene.at("home/rust"));
});

boxTest("a toolchain behind a link is found by both of its names", async () => {
  const files = {
    "data/pyenv/shims/python": "#!/bin/sh\nexec ~home/.pyenv/versions/3/bin/python",
    "data/pyenv/versions/3/bin/python": "#!/bin/sh\necho behind",
    "home/.pyenv": "-> ../data/pyenv",
  };
  using scene = launchScene(files, { searchPath: `~/.pyenv/shims:${SYSTEM}`, toolchains: {} });
  const shim = scene.at("data/pyenv/shims/python");
  Deno.writeTextFileSync(shim, `#!/bin/sh\nexec ${scene.at("home/.pyenv/versions/3/bin/python")}`);
  assertEquals((await scene.sh("python; echo $PYENV_ROOT")).stdout, `behind\n${scene.at("data/pyenv")}\n`);
});

const FOLDERS = Array.from({ length: 40 }, (_, n) => `/toolchain/${n}`);
const FOUND: ScannedFolder = {
  ...{ stamp: "1", count: 1, folders: [], found: [{ name: ".env", kind: "secret" }], isClosed: false },
};

function keep(file: string, folders: readonly string[]): void {
  const memory = new RememberedFolders(file);
  for (const path of folders) memory.set(path, FOUND);
  memory.keep();
}

Deno.test("folders of toolchains are remembered in a private file, and forgotten when nobody asks for them", () => {
  using ws = workspace();
  const file = ws.at("state/toolchains.json");
  keep(file, FOLDERS);
  const next = new RememberedFolders(file);
  assertEquals(FOLDERS.map((path) => next.get(path)), FOLDERS.map(() => FOUND));
  assertEquals(Deno.statSync(file).mode! & 0o777, 0o600);
  assertEquals(Deno.statSync(ws.at("state")).mode! & 0o777, 0o700);
  const others = FOLDERS.map((path) => `${path}/other`);
  keep(file, others);
  const last = new RememberedFolders(file);
  assertEquals([last.get(FOLDERS[0]!), last.get(others[0]!)], [undefined, FOUND]);
  assertEquals([...Deno.readDirSync(ws.at("state"))].length, 1);
});

Deno.test("what others could have written, or was found by other rules, is not believed; a few folders leave no file", () => {
  using ws = workspace();
  const file = ws.at("toolchains.json");
  keep(file, FOLDERS.slice(0, 10));
  assertEquals([...Deno.readDirSync(ws.path)], []);
  keep(file, FOLDERS);
  Deno.chmodSync(file, 0o620);
  assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), undefined);
  Deno.chmodSync(file, 0o600);
  assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), FOUND);
  Deno.writeTextFileSync(file, JSON.stringify({ ...JSON.parse(Deno.readTextFileSync(file)), rules: "" }));
  assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), undefined);
  Deno.writeTextFileSync(file, "{");
  assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), undefined);
});

Deno.test("a scan reads what has changed since, and nothing else", async () => {
  using ws = workspace();
  const file = ws.at("toolchains.json");
  const scan = async (path: string, depth: number) => {
    const known = new RememberedFolders(file);
    const found = await makeTreeScan({ known })([{ path, depth }]);
    known.keep();
    return found.map((one) => one.path);
  };
  // Folders that nobody has touched for a while.
  const found = await scan("/usr", 3);
  const { ino } = Deno.statSync(file);
  assertEquals([await scan("/usr", 3), Deno.statSync(file).ino], [found, ino]);
  keep(file, [ws.path, ...FOLDERS]);
  Deno.writeTextFileSync(ws.at("id_rsa"), "KEY");
  assertEquals(await scan(ws.path, 1), [ws.at("id_rsa")]);
});

boxTest("a run looks into no folder of the workspace that is as earlier runs saw it", async () => {
  const names = Array.from({ length: 40 }, (_, n) => `ws/${n}`);
  const files = Object.fromEntries(names.map((name) => [`${name}/.env`, "x"]));
  using scene = launchScene(files, { memory: "seen.json" });
  const memory = new RememberedFolders(scene.at("seen.json"));
  for (const name of names) {
    const { ino, mtime, ctime } = Deno.statSync(scene.at(name));
    const stamp = [ino, mtime?.getTime(), ctime?.getTime()].join(":");
    memory.set(scene.at(name), { stamp, count: 1, folders: [], found: [], isClosed: false, odd: [] });
  }
  memory.keep();
  const hidden = async () => (await scene.prepare({ argv: ["true"] })).outlook?.closed.hidden;
  assertEquals(await hidden(), []);
  Deno.writeTextFileSync(scene.at("ws/1/b.txt"), "");
  assertEquals(await hidden(), [scene.at("ws/1/.env")]);
});
