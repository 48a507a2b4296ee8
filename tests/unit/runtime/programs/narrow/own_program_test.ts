import { assertEquals } from "@std/assert";

import { ownProgram } from "../../../../../runtime/programs/narrow/own_program.ts";
import { workspace } from "../../../../support/run_tool.ts";

const MANIFEST = (bin: unknown) => JSON.stringify({ name: "x", bin });

Deno.test("ownProgram() finds the package around a script, and never a folder that holds more", () => {
  using ws = workspace({
    "home/server/package.json": "{}",
    "home/server/dist/index.js": "",
    "home/package.json": "{}",
    "home/alone.py": "",
    "home/.config/tool/run.js": "",
  });
  const home = `${ws.path}/home`;
  const of = (...words: string[]) =>
    ownProgram(words, { env: { PATH: "/usr/bin:/bin" }, home, cwd: ws.path });
  assertEquals(of("node", `${home}/server/dist/index.js`, "--port", "1").show, [`${home}/server`]);
  assertEquals(of("node", "--no-warnings", "home/server/dist/index.js").show, [`${home}/server`]);
  assertEquals(of("python3", `${home}/alone.py`).show, [`${home}/alone.py`]);
  assertEquals(of("node", `${home}/.config/tool/run.js`).show, [`${home}/.config/tool/run.js`]);
  assertEquals(of("cat", "/etc/passwd").show, []);
  assertEquals(of("/usr/bin/env").show, []);
});

Deno.test("ownProgram() starts a program outside of the system where it really lies, with its package", () => {
  using ws = workspace({ "lib/tool/package.json": "{}", "lib/tool/cli.js": "#!/usr/bin/env node\n" });
  Deno.mkdirSync(`${ws.path}/bin`);
  Deno.symlinkSync("../lib/tool/cli.js", `${ws.path}/bin/tool`);
  const own = ownProgram([`${ws.path}/bin/tool`, "x"], { env: {}, home: "/nowhere", cwd: "/" });
  assertEquals(own.argv, [`${ws.path}/lib/tool/cli.js`, "x"]);
  assertEquals(own.show, [`${ws.path}/lib/tool`]);
});

Deno.test("ownProgram() shows all packages that are installed beside a package of npm", () => {
  using ws = workspace({
    "home/p/node_modules/@s/tool/package.json": "{}",
    "home/p/node_modules/@s/tool/cli.js": "",
  });
  const file = `${ws.path}/home/p/node_modules/@s/tool/cli.js`;
  const own = ownProgram(["node", file], { env: {}, home: `${ws.path}/home`, cwd: "/" });
  assertEquals([own.show, own.packages], [[], [`${ws.path}/home/p/node_modules`]]);
});

Deno.test("ownProgram() starts what npx keeps, and says what to do if it keeps nothing", () => {
  using ws = workspace({
    ".npm/_npx/one/package.json": `{"_npx":{"packages":["@scope/server"]}}`,
    ".npm/_npx/one/node_modules/@scope/server/package.json": MANIFEST({ other: "b.js", server: "dist/a.js" }),
    ".npm/_npx/one/node_modules/@scope/server/dist/a.js": "",
    ".npm/_npx/two/package.json": `{"_npx":{"packages":["plain@1.2.3"]}}`,
    ".npm/_npx/two/node_modules/plain/package.json": MANIFEST("run.js"),
    ".npm/_npx/two/node_modules/plain/run.js": "",
    ".npm/_npx/broken/package.json": "no JSON",
  });
  const of = (...words: string[]) => ownProgram(words, { env: {}, home: ws.path, cwd: "/" });
  const kept = `${ws.path}/.npm/_npx`;
  assertEquals(of("npx", "-y", "@scope/server", "/data"), {
    argv: ["node", `${kept}/one/node_modules/@scope/server/dist/a.js`, "/data"],
    show: [],
    packages: [`${kept}/one`],
    advice: null,
  });
  assertEquals(of("npx", "plain@1.2.3").packages, [`${kept}/two`]);
  const missing = of("npx", "-y", "plain@2.0.0");
  assertEquals([missing.argv, missing.packages], [["npx", "-y", "plain@2.0.0"], []]);
  assertEquals(missing.advice, 'npx keeps no "plain@2.0.0" yet: run "npx -y plain@2.0.0" once yourself');
  assertEquals(of("npx", "-p", "a", "b").argv, ["npx", "-p", "a", "b"]);
});

Deno.test("ownProgram() shows the caches of other package managers, of whatever version their layout is", () => {
  using ws = workspace({
    "home/.cache/uv/archive-v0/x": "",
    "home/.cache/uv/simple-v20/x": "",
    "home/.cache/uv/.lock": "",
    "home/.local/share/pipx/venvs/x": "",
    "home/.cache/pnpm/dlx/x": "",
    "home/.bun/install/cache/x": "",
    "home/.cache/deno/npm/x": "",
  });
  const home = `${ws.path}/home`;
  const of = (command: string, env = {}) =>
    ownProgram([command, "run", "x"], { env: { PATH: "/usr/bin:/bin", ...env }, home, cwd: ws.path })
      .packages.map((path) => path.replace(`${home}/`, ""));
  assertEquals(of("uvx"), [".cache/uv/archive-v0", ".cache/uv/simple-v20"]);
  assertEquals(of("pipx"), [".local/share/pipx/venvs"]);
  assertEquals(of("pnpm"), [".cache/pnpm/dlx"]);
  assertEquals(of("bunx"), [".bun/install/cache"]);
  assertEquals(of("deno"), [".cache/deno/npm"]);
  assertEquals(of("uvx", { UV_CACHE_DIR: `${ws.path}/none` }), []);
});
