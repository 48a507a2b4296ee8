import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { makeLauncher } from "../../../../../runtime/programs/launch/launcher.ts";
import { checkStart, deniedFiles } from "../../../../../runtime/programs/launch/may_start.ts";
import { resourceBounds, withLargestFile } from "../../../../../runtime/programs/launch/resource_bounds.ts";
import { realDisk } from "../../../../../runtime/walls/box/disk_view.ts";
import { findProgram } from "../../../../../runtime/walls/files/find_program.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { PROGRAM_LIMITS, type ProgramLimits } from "../../../../../schemas/config.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { boxTest, boxWorks } from "../../../../support/box.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";

async function refused(run: () => Promise<unknown>): Promise<ToolError> {
  return await assertRejects(run, ToolError);
}

const ANY = { boxed: false, flags: { allow: { run: true } } } as const;
const BY_FILE = "pass them by a file or stdin";

Deno.test("prepare() refuses words that cannot be a command", async () => {
  using scene = launchScene({}, ANY);
  const long = "x".repeat(128 * 1024);
  const cases: [string[], string][] = [
    [[], "it is empty"],
    [[""], "its first word, the program, is empty"],
    [["ls", "a\0b"], "word 2 holds a null byte"],
    [Array(4097).fill("x"), "it has 4097 words, more than 4096"],
    [["ls", long], "word 2 has 131072 bytes, more than 131071; pass it by a file or stdin"],
    [Array(17).fill(long.slice(2)), `its words have 2228207 bytes, more than 2097152; ${BY_FILE}`],
  ];
  for (const [argv, why] of cases) {
    const { code, message } = await refused(() => scene.prepare({ argv }));
    assertEquals([code, message], ["invalid_input", `Cannot run this command: ${why}`]);
  }
});

Deno.test("prepare() starts in a granted folder only", async () => {
  using scene = launchScene({ "ws/sub/a": "", "other/": "", "ws/out": "-> ../other" }, ANY);
  const cwdOf = async (cwd?: string) => (await scene.prepare({ argv: ["true"], ...(cwd && { cwd }) })).cwd;
  assertEquals(await cwdOf(), scene.at("ws"));
  assertEquals(await cwdOf("sub"), scene.at("ws/sub"));
  assertEquals(await cwdOf(scene.at("ws/sub")), scene.at("ws/sub"));
  for (
    const [cwd, code, why] of [["none", "not_found", "no such folder"], [
      "sub/a",
      "invalid_input",
      "it is not a directory",
    ]]
  ) {
    const error = await refused(() => cwdOf(cwd));
    assertEquals([error.code, error.message], [code, `Cannot run "true" in "${cwd}": ${why}`]);
  }
  for (const cwd of ["..", "out", scene.at("other"), "/proc/self"]) {
    assertEquals((await refused(() => cwdOf(cwd))).code, "permission_denied", cwd);
  }
});

Deno.test("prepare() names a program that is missing or cannot be executed", async () => {
  using scene = launchScene({ "ws/text": "", "ws/folder/": "" }, ANY);
  const path = Deno.env.get("PATH");
  const cases: [string, string][] = [
    ["no-such-program", `no program of this name is in ${path}`],
    ["./none", "no such file"],
    ["./text", "it is not executable"],
    ["./folder", "it is a folder"],
  ];
  for (const [program, why] of cases) {
    const { code, message } = await refused(() => scene.prepare({ argv: [program] }));
    assertEquals([code, message], ["not_found", `Cannot run "${program}": ${why}`]);
  }
});

boxTest("prepare() tells which folder to show for a program that the box does not", async () => {
  using scene = launchScene({ "tools/bin/hello": "#!/bin/sh\n" });
  using far = launchScene({}, { searchPath: `${scene.at("tools/bin")}:/usr/bin` });
  const { message } = await refused(() => far.prepare({ argv: ["hello"] }));
  const why = `${scene.at("tools/bin/hello")} is outside what the sandbox shows`;
  assertEquals(
    message,
    `Cannot run "hello": ${why}, pass --sandbox-show=${scene.at("tools")} to show its folder`,
  );
});

boxTest("prepare() starts a program of the workspace by its path, with its links as they are", async () => {
  using scene = launchScene({ "ws/real.sh": '#!/bin/sh\necho "$0 $1"', "ws/sub/link": "-> ../real.sh" });
  const { stdout } = await start(await scene.prepare({ argv: ["./link", "-x"], cwd: "sub" }));
  assertEquals(stdout, `${scene.at("ws/sub/link")} -x\n`);
});

const STARTS: { flags: GrantFlags; boxed: boolean; argv0?: string; flag: string | null }[] = [
  { flags: {}, boxed: true, flag: null },
  { flags: {}, boxed: false, flag: "--allow-run=bash" },
  { flags: { allow: { run: ["bash"] } }, boxed: false, flag: null },
  { flags: { policy: "read-only", allow: { run: true } }, boxed: false, flag: "--policy=coder" },
  { flags: { allow: { run: ["git"] } }, boxed: true, flag: null },
  { flags: { deny: { run: true } }, boxed: true, flag: "--deny-run" },
  { flags: { deny: { run: ["/bin/bash"] } }, boxed: true, flag: "--deny-run" },
  // A file of the workspace that is named like a program is another program.
  { flags: { allow: { run: ["git"] } }, boxed: false, argv0: "./git", flag: "--allow-run=WS/git" },
];
for (const { flags, boxed, argv0 = "bash", flag } of STARTS) {
  const name =
    `prepare() ${flag === null ? "starts" : "refuses"} ${argv0} ${boxed ? "in" : "without"} a box with ` +
    `${JSON.stringify(flags)}`;
  (boxed ? boxTest : Deno.test)(name, async () => {
    using scene = launchScene({ "ws/git": "#!/bin/sh\n" }, { flags, boxed });
    const prepare = () => scene.prepare({ argv: [argv0, "-c", "true"] });
    if (flag === null) return assertEquals((await prepare()).boxed, boxed);
    const { code, details } = await refused(prepare);
    const { kind, target, pass = details.flag } = details;
    const expected = flag.replace("WS", scene.at("ws"));
    assertEquals([code, kind, target, pass], ["permission_denied", "run", argv0, expected]);
  });
}

Deno.test("prepare() says why a program is refused, and what would let it start", async () => {
  using none = launchScene({}, { boxed: false });
  const { message } = await refused(() => none.prepare({ argv: ["/bin/sh"] }));
  assertEquals(
    message,
    'Cannot run "/bin/sh": there is no sandbox (none in this test), and without one only programs that --allow-run ' +
      "names, pass --allow-run=/bin/sh to grant it",
  );
  using reader = launchScene({}, { boxed: false, flags: { policy: "read-only" } });
  assertStringIncludes(
    (await refused(() => reader.prepare({ argv: ["sh"] }))).message,
    "there is no sandbox (none in this test), and without one no program runs under policy read-only, " +
      "pass --policy=coder --allow-run=sh to grant it",
  );
});

Deno.test("prepare() says once that a program ran without a box, and leaves it in its folder", async () => {
  using scene = launchScene({}, { boxed: false, flags: { allow: { run: ["sh"] } } });
  const launch = await scene.prepare({ argv: ["sh", "-c", "pwd; env"] });
  assertEquals(launch.warnings, [
    '"sh" ran without a sandbox (none in this test): it could read and write all that you can, and reach the network',
  ]);
  Deno.env.set("SECRET_TOKEN", "PLANTED");
  const { stdout } = await start(launch);
  Deno.env.delete("SECRET_TOKEN");
  assertStringIncludes(stdout, `${scene.at("ws")}\n`);
  assertStringIncludes(stdout, `HOME=${scene.at("home")}\n`);
  assertEquals(stdout.includes("PLANTED"), false);
});

boxTest("prepare() warns of a granted folder that is missing, and shows not the one above", async () => {
  using scene = launchScene({ "other/a": "A" }, { flags: { allow: { write: ["ws", "other/new/out"] } } });
  const launch = await scene.prepare({ argv: ["sh", "-c", `cat ${scene.at("other/a")}`] });
  assertEquals(launch.warnings, [
    `Programs cannot write "${scene.at("other/new/out")}": a sandbox shows only what is there, make it first`,
  ]);
  assertEquals((await start(launch)).stdout, "");
});

boxTest("prepare() gives a terminal's program its session and terminal type", async () => {
  using scene = launchScene({}, { env: { TERM: "screen" } });
  const argv = ["sh"];
  const made = async (terminal: boolean) => {
    const { argv: words, env } = await scene.prepare({ argv }, { terminal });
    return [words.includes("--new-session"), env.TERM];
  };
  assertEquals([await made(true), await made(false)], [[false, "screen"], [true, "dumb"]]);
});

const NETWORKS: Record<string, (env: Record<string, string>) => boolean> = {
  proxy: (env) => [env.http_proxy, env.HTTP_PROXY].every((url) => url === "http://127.0.0.1:3128"),
  direct: (env) => env.no_proxy === "localhost,127.0.0.1,::1",
  offline: (env) => env.npm_config_offline === "true",
};

boxTest("prepare() gives named hosts a way out, and never the network of this machine", async () => {
  const prepared = async (flags: GrantFlags) => {
    using scene = launchScene({}, { flags, env: { HTTP_PROXY: "http://proxy.example" } });
    const { argv, env, box } = await scene.prepare({ argv: ["true"] });
    const words = argv.join(" ");
    return [
      box?.who,
      ...words.includes("--share-net") ? ["shared"] : [],
      ...Object.entries(NETWORKS).flatMap(([name, kept]) => kept(env) ? name : []),
    ];
  };
  const net = ["example.org"];
  assertEquals(await prepared({ allow: { net } }), ["true", "proxy", "direct"]);
  assertEquals(await prepared({ policy: "read-only", allow: { net: true } }), ["true", "proxy", "direct"]);
  assertEquals(await prepared({ allow: { net }, allowPrivateNet: ["127.0.0.1:80"] }), ["true", "proxy"]);
  assertEquals(await prepared({}), [undefined, "offline"]);
  assertEquals(await prepared({ allow: { net }, deny: { net: true } }), [undefined, "offline"]);
  assertEquals(await prepared({ allow: { net }, shareNet: true }), [undefined, "shared"]);
});

boxTest("prepare() says that hosts bind no program with the network of this machine", async () => {
  const warnings = async (flags: GrantFlags) => {
    using scene = launchScene({}, { flags });
    return (await scene.prepare({ argv: ["true"] })).warnings;
  };
  const said = [
    "--share-net gives programs the network of this machine, whatever --allow-net and --deny-net say",
  ];
  assertEquals(await warnings({ shareNet: true }), []);
  assertEquals(await warnings({ shareNet: true, allow: { net: ["example.org"] } }), said);
  assertEquals(await warnings({ shareNet: true, deny: { net: ["example.org"] } }), said);
});

Deno.test("prepare() says that hosts bind no program without a sandbox", async () => {
  using scene = launchScene({}, { boxed: false, flags: { allow: { net: ["example.org"], run: ["true"] } } });
  const { warnings, box } = await scene.prepare({ argv: ["true"] });
  assertStringIncludes(warnings[0]!, "and reach the network, whatever --allow-net and --deny-net say");
  assertEquals(box, undefined);
});

Deno.test("warm() asks before the first program, and leaves a failure to it", async () => {
  const workspace = Deno.makeTempDirSync();
  try {
    const asked = Promise.withResolvers<void>();
    const launcher = makeLauncher({
      grants: makeGrants({}, { workspace, cwd: workspace, realPath: Deno.realPathSync }),
      ...{ home: "", searchPath: "/usr/bin:/bin", env: {}, limits: PROGRAM_LIMITS },
      box: {
        isUsed() {
          asked.resolve();
          return Promise.reject(new ToolError("configuration", "no sandbox here"));
        },
        state: () => Promise.resolve({ works: false, reason: "none in this test", advice: "" }),
      },
      asideFolder: () => Promise.reject(new Error("nothing is put aside")),
    });
    launcher.warm?.();
    await asked.promise;
    const error = await refused(() => launcher.prepare({ argv: ["true"] }, { terminal: false }));
    assertEquals(error.message, "no sandbox here");
  } finally {
    Deno.removeSync(workspace);
  }
});

const REAL: Record<string, string> = {
  node: "/opt/n/node",
  "/usr/bin/node": "/opt/n/node",
  sh: "/bin/busybox",
  ls: "/bin/busybox",
};
const GIT = { asked: "git", path: "/usr/bin/git", real: "/usr/lib/git", onPath: true };

/** What the refusal of a program says of flags, `null` if it may start. */
function refusal(program: Partial<typeof GIT>, flags: GrantFlags, noBox: string | null = null) {
  const grants = makeGrants(flags, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const found = { ...GIT, ...program };
  try {
    checkStart(found, grants, { noBox, realOrNull: (name) => REAL[name] ?? null });
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    assertEquals(error.code, "permission_denied");
    return error.details.flags;
  }
}

Deno.test("checkStart() starts no program that is denied, by whatever name", { permissions: "none" }, () => {
  assertEquals(refusal({}, {}), null);
  assertEquals(refusal({}, { deny: { run: true } }), []);
  assertEquals(refusal({}, { deny: { run: ["ls"] } }), null);
  for (const name of ["git", "/usr/bin/git", "/usr/lib/git"]) {
    assertEquals(refusal({}, { deny: { run: [name] } }), [], name);
  }
  const tool = { asked: "t", path: "/ws/t", real: "/opt/n/node", onPath: false };
  assertEquals(refusal(tool, { deny: { run: ["node"] } }), []);
  assertEquals(refusal({ ...tool, real: "/ws/git" }, { deny: { run: ["git"] } }), []);
  assertEquals(
    refusal({ path: "/ws/x", real: "/ws/x", asked: "./x" }, { deny: { run: ["/usr/bin/git"] } }),
    null,
  );
  // One file that is many programs is not denied with one of its names.
  const list = { asked: "ls", path: "/bin/ls", real: "/bin/busybox" };
  assertEquals(refusal(list, { deny: { run: ["sh"] } }), null);
  assertEquals(refusal(list, { deny: { run: ["ls"] } }), []);
  assertEquals(refusal({}, { allow: { run: true }, deny: { run: ["git"] } }, "none"), []);
});

Deno.test("checkStart() starts without a box what the user named, under the widest policy alone", {
  permissions: "none",
}, () => {
  const without = (flags: GrantFlags, program: Partial<typeof GIT> = {}) =>
    refusal(program, flags, "no bubblewrap");
  assertEquals(without({}), ["--allow-run=git"]);
  assertEquals(without({ allow: { run: ["git"] } }), null);
  assertEquals(without({ allow: { run: true } }), null);
  assertEquals(without({ allow: { run: ["/usr/bin/git"] } }), null);
  const other = { path: "/ws/git", real: "/ws/git", onPath: false, asked: "./git" };
  assertEquals(without({ allow: { run: ["git"] } }, other), ["--allow-run=/ws/git"]);
  assertEquals(without({ allow: { run: ["/ws/git"] } }, other), null);
  assertEquals(without({ policy: "read-only", allow: { run: true } }), ["--policy=coder"]);
  assertEquals(without({ policy: "read-only" }), ["--policy=coder", "--allow-run=git"]);
});

Deno.test("deniedFiles() finds a denied program in all folders, and takes none of the others away", {
  permissions: "none",
}, () => {
  const real = (path: string) =>
    ({ "/a/x": "/real/x", "/b/x": "/real/x", "/b/ls": "/bin/busybox" })[path] ?? null;
  assertEquals([deniedFiles("x", real, ["/a", "/b", "/c"]), deniedFiles("/b/x", real, [])], [["/real/x"], [
    "/real/x",
  ]]);
  assertEquals(deniedFiles("ls", real, ["/a", "/b"]), []);
});

const LIMITS: ProgramLimits = {
  ...{ processes: 99, memory_mb: 512, file_mb: 64, tmp_mb: 16, free_disk_mb: 0, cpu_seconds: 30 },
};
const prlimit = findProgram("prlimit", "/usr/bin:/bin");
const BOUNDS = ["--cpu=30", `--data=${512 * 1024 ** 2}`, `--fsize=${64 * 1024 ** 2}`, "--core=0"];

Deno.test({
  name: "resourceBounds() bounds what the configuration bounds",
  ignore: prlimit === null,
  async fn() {
    const made = { prlimit, setpriv: null, bwrap: null, disk: realDisk };
    const bounds = await resourceBounds(LIMITS, made);
    assertEquals(bounds.words, [prlimit!, ...BOUNDS, "--"]);
    assertEquals((await resourceBounds(LIMITS, { ...made, prlimit: null })).words, []);
    const full = { ...bounds, largestFile: () => 3 * 1024 ** 2 };
    assertEquals(withLargestFile(full, LIMITS, ["/"])[3], `--fsize=${3 * 1024 ** 2}`);
    const over = { ...bounds, largestFile: () => -1 };
    assertEquals(withLargestFile(over, LIMITS, ["/"])[3], `--fsize=${1024 ** 2}`);
  },
});

Deno.test({
  name: "resourceBounds() bounds the processes of a box as well",
  ignore: prlimit === null || !boxWorks,
  async fn() {
    const bwrap = findProgram("bwrap", "/usr/bin:/bin");
    const { words } = await resourceBounds(LIMITS, { prlimit, setpriv: null, bwrap, disk: realDisk });
    assertEquals(words, [prlimit!, ...BOUNDS, "--nproc=99", "--"]);
  },
});
