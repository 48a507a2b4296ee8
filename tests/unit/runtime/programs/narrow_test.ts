import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { isInside } from "../../../../runtime/walls/grants/inside.ts";
import { ownProgram } from "../../../../runtime/programs/narrow/own_program.ts";
import {
  narrowToNeeds,
  type ProgramNeeds,
  ungrantedFlags,
} from "../../../../runtime/programs/narrow/program_needs.ts";
import { type GrantFlags, makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { boxTest } from "../../../support/box.ts";
import { programCall } from "../../../support/program_scene.ts";
import { workspace } from "../../../support/run_tool.ts";
import { sourceHost } from "../../../support/sources/source_host.ts";
import type { NarrowPrograms } from "../../../../runtime/programs/narrow/narrow_programs.ts";
import type { PipedProgram } from "../../../../runtime/programs/narrow/piped_program.ts";

const FILES = { "a.txt": "in the workspace\n", "sub/b.txt": "below\n", "sub/.env": "KEY=1\n" };

async function sh(programs: NarrowPrograms, script: string) {
  const { exitCode, stdout, stderr } = await programs.run({ argv: ["sh", "-c", script] }, programCall());
  return { exitCode, stdout: stdout.head, stderr: stderr.head };
}

async function send(program: PipedProgram, text: string): Promise<void> {
  await program.write(new TextEncoder().encode(text));
}

/** Reads so many lines. */
async function lines(program: PipedProgram, count: number): Promise<string[]> {
  const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (text.split("\n").length <= count) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  return text.split("\n").slice(0, count);
}

boxTest("a program that needs nothing sees no file of the user, and starts in an empty home", async () => {
  await using ws = workspace(FILES);
  const env = { ...Deno.env.toObject(), ONE_TOKEN: "1", OTHER_TOKEN: "2" };
  await using opened = await sourceHost(ws.path, { grants: { toolchains: "off" }, env });
  const { host } = opened;
  const { stdout } = await sh(host.programsFor({ env: ["ONE_TOKEN"] }), "env");
  assertEquals([stdout.includes("ONE_TOKEN=1\n"), stdout.includes("OTHER_TOKEN")], [true, false]);
  const outside = await sh(host.programsFor({}), `pwd; ls -A; cat ${ws.path}/a.txt`);
  assertEquals([outside.stdout, outside.exitCode], [`${Deno.env.get("HOME")}\n`, 1]);
  assertStringIncludes(outside.stderr, "No such file");
  const below = host.programsFor({ read: [`${ws.path}/sub`] });
  const inside = await sh(below, `cat ${ws.path}/sub/b.txt; cat ${ws.path}/sub/.env ${ws.path}/a.txt`);
  assertEquals([inside.stdout, inside.exitCode], ["below\n", 1]);
  const writing = await sh(below, `echo new > ${ws.path}/sub/b.txt`);
  assertStringIncludes(writing.stderr, "Read-only file system");
  await sh(host.programsFor({ write: [`${ws.path}/sub`] }), `echo new > ${ws.path}/sub/b.txt`);
  assertEquals(Deno.readTextFileSync(`${ws.path}/sub/b.txt`), "new\n");
});

boxTest("a program reaches the hosts that it needs through the gate, and no others", async () => {
  await using ws = workspace();
  const serve = (text: string) =>
    Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => new Response(text));
  await using one = serve("one\n");
  await using other = serve("other\n");
  const both = [one, other].map(({ addr: { port } }) => `127.0.0.1:${port}`);
  await using opened = await sourceHost(ws.path, { grants: { allowPrivateNet: both } });
  const get = both.map((at) => `curl -sS http://${at}`).join("; ");
  const needing = await sh(opened.host.programsFor({ net: [both[0]!] }), get);
  assertStringIncludes(needing.stdout, "one\n");
  assertStringIncludes(needing.stdout, `Cannot reach ${both[1]}`);
  const none = await sh(opened.host.programsFor({}), get);
  assertEquals([none.stdout, none.exitCode], ["", 7]);
});

for (const sandbox of ["auto", "off"] as const) {
  const test = sandbox === "auto" ? boxTest : Deno.test;
  const grants = sandbox === "off" ? { allow: { run: ["sh", "cat"] } } : {};

  test(`a program with pipes talks until its input is closed, sandbox ${sandbox}`, async () => {
    await using ws = workspace();
    await using opened = await sourceHost(ws.path, { grants, sandbox });
    const program = await opened.host.programsFor({}).pipe({
      argv: ["sh", "-c", "read a; echo got $a; echo note >&2; exec cat"],
    });
    await send(program, "1\n2\n3\n");
    assertEquals(await lines(program, 3), ["got 1", "2", "3"]);
    assertEquals(program.audited().exit_code, null);
    assertEquals(program.audited().boxed, sandbox === "auto");
    const { exitCode, reason } = await program.close();
    assertEquals([exitCode, reason, program.stderr], [0, "exited", "note\n"]);
    await assertRejects(() => send(program, "more"));
  });

  test(`a program that ends by itself says how, sandbox ${sandbox}`, async () => {
    await using ws = workspace();
    await using opened = await sourceHost(ws.path, { grants, sandbox });
    const pipe = (script: string) => opened.host.programsFor({}).pipe({ argv: ["sh", "-c", script] });
    const program = await pipe("head -c 100000 /dev/zero; head -c 20000 /dev/zero | tr '\\0' x >&2; exit 7");
    const size = (await new Response(program.stdout).bytes()).length;
    assertEquals([size, program.stderr.length], [100_000, 8_000]);
    assertEquals((await program.ended).exitCode, 7);
    // Nobody reads: what it wrote last still waits in its pipe.
    const unread = await pipe("head -c 300000 /dev/zero");
    assertEquals((await unread.ended).exitCode, 0);
    const held = await pipe("head -c 9000000 /dev/zero");
    assertEquals((await held.close({ graceMs: 1 })).reason, "cancelled");
  });

  test(`a program that does not end is killed with all that it started, sandbox ${sandbox}`, async () => {
    await using ws = workspace();
    await using opened = await sourceHost(ws.path, { grants, sandbox });
    const programs = opened.host.programsFor({});
    const script = `trap '' TERM; (trap '' TERM; echo ready; exec sleep 1000) & while :; do sleep 1; done`;
    const stays = await programs.pipe({ argv: ["sh", "-c", script] });
    await lines(stays, 1);
    const { reason, exitCode } = await stays.close({ graceMs: 10 });
    assertEquals([reason, exitCode], ["cancelled", 137]);
    const signal = new AbortController();
    const aborted = await programs.pipe({ argv: ["sh", "-c", script] }, { signal: signal.signal });
    await lines(aborted, 1);
    signal.abort();
    assertEquals((await aborted.ended).reason, "cancelled");
  });
}

boxTest("under a read-only policy only what the user named runs what nobody can judge", async () => {
  await using ws = workspace({ "server.sh": "echo ready; touch made" });
  await using opened = await sourceHost(ws.path, { grants: { policy: "read-only" } });
  const programs = opened.host.programsFor({ read: [ws.path], write: [ws.path] });
  const server = { argv: ["bash", "server.sh"], cwd: ws.path };
  assertEquals((await assertRejects(() => programs.pipe(server), ToolError)).code, "denied_by_policy");
  const program = await programs.pipe(server, { isNamed: true });
  assertEquals(await lines(program, 1), ["ready"]);
  assertEquals((await program.ended).exitCode, 1);
  assertStringIncludes(program.stderr, "Read-only file system");
});

boxTest("programs with pipes end with their host", async () => {
  await using ws = workspace();
  await using opened = await sourceHost(ws.path);
  const program = await opened.host.programsFor({ write: [ws.path] }).pipe({
    argv: ["sh", "-c", `trap '' TERM; echo $$ > ${ws.path}/pid; echo ready; while :; do sleep 1; done`],
  });
  await lines(program, 1);
  await opened[Symbol.asyncDispose]();
  assertEquals((await program.ended).reason, "cancelled");
});

boxTest("what the box of a staying program closes is closed to tools as well", async () => {
  await using ws = workspace(FILES);
  await using opened = await sourceHost(ws.path);
  const program = await opened.host.programsFor({ write: [ws.path] }).pipe({ argv: ["cat"] });
  const { programs } = opened.host;
  assert(programs.closed().hidden.includes(`${ws.path}/sub/.env`));
  await program.close();
  assertEquals(programs.closed().hidden, []);
});

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

Deno.test("ownProgram() takes no word for the file of an interpreter that may be given code", () => {
  using ws = workspace({ "other/package.json": "{}", "other/index.js": "" });
  const file = `${ws.path}/other/index.js`;
  const of = (line: string) =>
    ownProgram([...line.split(" "), file], { env: { PATH: "/usr/bin:/bin" }, home: "/nowhere", cwd: ws.path })
      .show;
  const given = [
    ...[
      "python3 -cCODE",
      "python3 -c CODE",
      "python3 -Bc CODE",
      "python3 -m json.tool",
      "python3 -mjson.tool",
    ],
    ...["python3 -W ignore::x.Y", "python3 -Wignore::x.Y", "python3 -i", "python3.12 -cCODE", "pypy3 -c X"],
    ...[
      "node -e CODE",
      "node -eCODE",
      "node --eval=CODE",
      "node --eval CODE",
      "node -p CODE",
      "node -pe CODE",
    ],
    ...["node --print=CODE", "node -r ./x", "node --require=./x", "node --import=data:,x", "node --import x"],
    ...[
      "node --loader=x",
      "node --experimental-loader x",
      "node --env-file=x",
      "node --run x",
      "node --test",
    ],
    ...["node --experimental-default-config-file", "node -", "node --", "tsx -e CODE", "ts-node -pe CODE"],
    ...[
      "deno eval CODE",
      "deno run --import-map=data:,x",
      "deno run --preload=x",
      "deno run -c x",
      "deno repl",
    ],
    ...[
      "deno run --ext=ts -",
      "bun -e CODE",
      "bun --preload=x",
      "bun run -r x",
      "uv run --with x",
      "uv run -m x",
    ],
    ...["perl -eCODE", "perl -E CODE", "perl -Mx", "perl -I. -Mx", "perl -we CODE", "perl -ne CODE"],
    ...["ruby -e CODE", "ruby -rx", "ruby -ne CODE", "php -r CODE", "php -d x=y", "php -B CODE"],
    ...[
      "lua -e CODE",
      "lua -lx",
      "luajit -jx",
      "luajit -e CODE",
      "Rscript -e CODE",
      "sh -c CODE",
      "sh -cCODE",
    ],
    ...["bash -ec CODE", "bash -lc CODE", "bash --rcfile x", "bash --init-file x", "bash -s", "zsh -c CODE"],
    ...["java -cp x Main", "java -javaagent:x -jar", "java -Dx=y -jar", "java", "julia -e CODE", "julia"],
    ...["awk -f", "sed -f", "env python3", "timeout 5 node", "make -f", "unknown", "node -unknown"],
  ];
  assertEquals(given.filter((line) => of(line).length > 0), []);
  const plain = [
    ...["python3", "python3.12 -u", "python3 -Wignore", "node --no-warnings --enable-source-maps", "sh -e"],
    ...[
      "deno run -A",
      "deno --quiet --allow-read=/x",
      "bun run",
      "uv run --quiet",
      "java -Xmx1g -jar",
      "perl -w",
    ],
    ...["ruby -w", "php", "lua", "Rscript --vanilla", "tsx", "ts-node --esm", "/usr/bin/python3"],
  ];
  assertEquals(plain.filter((line) => of(line)[0] !== `${ws.path}/other`), []);
});

Deno.test("ownProgram() shows nothing beyond what its words speak for, and says what would", () => {
  using ws = workspace({
    ...{ "package.json": "{}", "clone/a/b.js": "", "other/index.js": "", "other/run.sh": "" },
    "other/node_modules/x/index.js": "",
  });
  Deno.symlinkSync("../other/index.js", `${ws.path}/clone/link.js`);
  const at = { env: { PATH: "/usr/bin:/bin" }, home: "/nowhere", cwd: `${ws.path}/clone` };
  const mayShow = (path: string) => isInside(`${ws.path}/clone`, path);
  const of = (...words: string[]) => ownProgram(words, { ...at, mayShow });
  // The package around it holds more than the folder does.
  assertEquals(of("node", "a/b.js").show, [`${ws.path}/clone/a/b.js`]);
  for (const words of [["node", "../other/index.js"], ["node", "link.js"], [`${ws.path}/other/index.js`]]) {
    const { show, packages, advice } = of(...words);
    assertEquals([show, packages], [[], []]);
    assertStringIncludes(advice!, `pass --sandbox-show=${ws.path}/other`);
  }
  assertEquals(of("node", "../other/node_modules/x/index.js").packages, [`${ws.path}/other/node_modules`]);
  assertEquals(ownProgram(["node", "../other/index.js"], at).show, [ws.path]);
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

const place = { workspace: "/ws", cwd: "/ws", realPath: (path: string) => path };
const FLAGS: GrantFlags = {
  allow: { read: ["/data"], write: ["/ws/.envrc"], net: ["example.com", "*.example.org:443"] },
  deny: { read: ["/ws/closed"] },
  allowSecrets: ["/ws/a/.env"],
  allowPrivateNet: ["127.0.0.1:80"],
  sandboxShow: ["/opt/sdk"],
  shareNet: true,
};

function narrow(needs: ProgramNeeds, flags: GrantFlags = FLAGS) {
  return narrowToNeeds(makeGrants(flags, place), needs);
}

Deno.test("narrowToNeeds() leaves nothing to a program that needs nothing, and no way past the gate", () => {
  const less = narrow({});
  assertEquals([less.allow.read, less.allow.write, less.netNamed, less.privateNet], [[], [], [], []]);
  assertEquals([less.secrets, less.writeNamed, less.shareNet], [[], [], false]);
  assertEquals(less.deny.read, ["/ws/closed"]);
  assertEquals(less.sandboxShow, ["/opt/sdk"]);
});

Deno.test("narrowToNeeds() leaves what is both needed and granted, of each kind", () => {
  const cases: [ProgramNeeds, read: unknown, write: unknown][] = [
    [{ read: ["/ws/a", "/etc"] }, ["/ws/a"], []],
    [{ read: ["/"] }, ["/ws", "/data"], []],
    [{ read: true }, ["/ws", "/data"], []],
    [{ write: ["/ws/a", "/data"] }, ["/ws/a", "/data"], ["/ws/a"]],
    [{ write: true }, ["/ws", "/data"], ["/ws", "/ws/.envrc"]],
    [{ read: ["/wsx"], write: ["/datas"] }, [], []],
  ];
  for (const [needs, read, write] of cases) {
    const { allow } = narrow(needs);
    assertEquals([allow.read, allow.write], [read, write], JSON.stringify(needs));
  }
  assertEquals(narrow({ write: ["/etc/x"] }, { allowAll: true }).allow.write, ["/etc/x"]);
  assertEquals(narrow({ read: ["/ws/a"] }).secrets, ["/ws/a/.env"]);
  assertEquals(narrow({ read: ["/ws/b"] }).secrets, []);
  assertEquals(narrow({ write: ["/ws"] }).writeNamed, ["/ws/.envrc"]);
  assertEquals(narrow({ read: ["/ws"] }).writeNamed, []);
});

Deno.test("ungrantedFlags() names the flags for what is needed, not granted, and not denied", () => {
  const cases: [ProgramNeeds, flags: string[], policy?: "read-only"][] = [
    [{}, []],
    [{ read: ["/ws/a", "/data"], write: ["/ws/b"] }, []],
    [{ read: true, write: ["/"] }, []],
    [{ read: ["/ws/closed/a"] }, []],
    [{ read: ["/wsx", "/etc,d"], write: ["/data/b"] }, [
      "--allow-read=/wsx,/etc,,d",
      "--allow-write=/data/b",
    ]],
    [{ read: ["/wsx"], write: ["/data/b"] }, ["--allow-read=/wsx"], "read-only"],
  ];
  for (const [needs, flags, policy = "coder"] of cases) {
    const grants = makeGrants({ ...FLAGS, policy }, place);
    assertEquals(ungrantedFlags(grants, needs), flags, JSON.stringify(needs));
  }
  assertEquals(ungrantedFlags(makeGrants({ allowAll: true }, place), { write: ["/etc/x"] }), []);
});

Deno.test("narrowToNeeds() grants hosts as a tool's, and private ones only by the flag for them", () => {
  const named: GrantFlags = { ...FLAGS, policy: "read-only-no-net" };
  assertEquals(narrow({ net: ["example.com:443", "other.example"] }, named).netNamed, ["example.com:443"]);
  assertEquals(narrow({ net: ["a.example.org"] }, named).netNamed, ["a.example.org:443"]);
  assertEquals(narrow({ net: true }, named).netNamed, ["example.com", "*.example.org:443"]);
  assertEquals(narrow({ net: ["other.example"] }, {}).netNamed, ["other.example"]);
  assertEquals(narrow({ net: ["10.0.0.1", "127.0.0.1"] }).privateNet, ["127.0.0.1:80"]);
  assertEquals(narrow({ net: ["10.0.0.1"] }, {}).privateNet, []);
});

Deno.test("narrowToNeeds() shows what a program consists of, by its real path", () => {
  using ws = workspace({ "real/a": "" });
  Deno.symlinkSync("real", ws.at("link"));
  const { sandboxShow, allow } = narrow({ show: [ws.at("link"), ws.at("link/none")], read: [ws.path] });
  assertEquals([sandboxShow, allow.read], [["/opt/sdk", ws.at("real"), ws.at("real/none")], []]);
});
