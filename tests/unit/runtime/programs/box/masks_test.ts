import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import {
  interpreterWords,
  onlyMounts,
  onlyPrograms,
} from "../../../../../runtime/programs/box/only_programs.ts";
import { makePlainSettings } from "../../../../../runtime/programs/box/plain_settings.ts";
import { boxStart } from "../../../../../runtime/programs/launch/launch.ts";
import { realDisk } from "../../../../../runtime/walls/box/disk_view.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { boxTest } from "../../../../support/box.ts";
import { launchScene, type SceneOptions, start } from "../../../../support/launch_scene.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** Each moves a folder with something masked to where the next program's box would not find it. */
const MOVES: readonly (SceneOptions & { name: string; file: string; move: string; then: string })[] = [
  {
    name: "a secret that is known with the name of its folder",
    file: ".docker/config.json",
    move: "mv .docker docker",
    then: "cat docker/config.json",
  },
  {
    name: "a folder that is denied",
    file: "a/b/private/x",
    move: "mv a c",
    then: "cat c/b/private/x",
    flags: { deny: { read: ["ws/a/b/private"] } },
  },
  {
    name: "what is bulkhead's own",
    file: "state/bulkhead/x",
    move: "mv state s",
    then: "cat s/bulkhead/x",
    hide: ["ws/state/bulkhead"],
  },
  {
    name: "what a link named like a secret leads to",
    file: "kept/settings",
    move: "mv kept gone",
    then: "cat gone/settings",
  },
];

for (const { name, file, move, then, ...options } of MOVES) {
  boxTest(`no program moves ${name} away for the next one to read`, async () => {
    using scene = launchScene({ [`ws/${file}`]: "TOPSECRET" }, options);
    if (file === "kept/settings") Deno.symlinkSync("kept/settings", scene.at("ws/.npmrc"));
    const first = await scene.sh(move);
    const second = await scene.sh(then);
    assertEquals(`${first.stdout}${second.stdout}`.includes("TOPSECRET"), false, second.stdout);
    assertStringIncludes(first.stderr, "esource busy");
    assertEquals(scene.read(`ws/${file}`), "TOPSECRET");
  });
}

boxTest(
  "a folder of another user, closed to all others, stops no program of root, and shows nothing",
  async () => {
    using scene = launchScene({ "ws/theirs/deep/.env": "TOPSECRET", "ws/theirs/.git/config": "" });
    Deno.chownSync(scene.at("ws/theirs"), 61_001, 61_001);
    Deno.chmodSync(scene.at("ws/theirs"), 0o700);
    const { stdout, stderr } = await scene.sh("cat theirs/deep/.env; chmod 755 theirs; ls theirs; echo end");
    assertEquals(stdout, "end\n", stderr);
    assertStringIncludes(stderr, "Permission denied");
  },
  { asRoot: true },
);

boxTest("a folder that cannot be looked through is hidden, and the user hears of it", async () => {
  for (const mode of ["000", "444", "311"]) {
    using scene = launchScene({ "ws/proj/.env": "TOPSECRET" });
    await scene.sh(`chmod ${mode} proj`);
    const { warnings } = await scene.prepare({ argv: ["true"] });
    assertEquals(warnings, [
      `Programs do not see "${scene.at("ws/proj")}": it could not be looked through for secrets`,
    ]);
    const { stdout } = await scene.sh("chmod 755 proj; cat proj/.env; ls proj");
    Deno.chmodSync(scene.at("ws/proj"), 0o755);
    assertEquals(stdout, "", mode);
  }
});

boxTest("nothing starts in a workspace that cannot be looked through", async () => {
  using scene = launchScene({ "ws/.env": "TOPSECRET" });
  await scene.sh("chmod 311 .");
  const error = await scene.sh("chmod 755 .; cat .env").catch((error) => error);
  Deno.chmodSync(scene.at("ws"), 0o755);
  assertEquals(error instanceof ToolError && error.code, "unavailable");
});

boxTest("a program that stays moves no folder with protected files, and another one may", async () => {
  using scene = launchScene({ "ws/repo/.git/config": "[core]\n", "ws/other/.git/config": "[core]\n" });
  const move = async (name: string, stays: boolean) => {
    const launch = await scene.prepare({ argv: ["mv", name, `${name}-moved`] }, { stays });
    return (await scene.start(launch)).code;
  };
  assertEquals([await move("repo", true), await move("other", false)], [1, 0]);
});

boxTest("prepare() refuses to show secrets in more folders than a box can hold in their places", async () => {
  const files = Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`ws/${n}/.env`, ""]));
  using scene = launchScene(files);
  const error = await scene.prepare({ argv: ["true"] }).catch((error) => error);
  assertEquals(error.code, "limit_exceeded");
  assertStringIncludes(error.message, "301 folders with secrets or protected files lie in the folders");
});

boxTest("a box starts nothing if a link led what it mounts to another folder", async () => {
  using scene = launchScene({
    "outside/.git/config": "[core]\n",
    "ws/a b\\c/.git/config": "[core]\n",
    "ws/a b\\c/deep/.vscode/x": "",
  });
  const launch = await scene.prepare({ argv: ["sh", "-c", "echo ran; echo x > */.git/planted"] });
  assertEquals((await start(launch)).stdout, "ran\n");
  const bind = launch.argv.findIndex((word, at) =>
    word === "--bind" && launch.argv[at + 1]!.endsWith("c/.git")
  );
  // As if the folder above had been a link at the moment when bubblewrap looked for what to mount.
  const moved = launch.argv.with(bind + 1, scene.at("outside/.git"));
  const { code, stdout, stderr } = await start({ ...launch, argv: moved });
  assertEquals([code, stdout], [1, ""]);
  assertEquals(stderr, "bwrap: a folder was moved while the sandbox was made, try again\n");
  assertEquals(scene.exists("outside/.git/planted"), false);
});

boxTest("a box with a denied shell starts what it masks all the same", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" }, { flags: { deny: { run: ["sh"] } } });
  assertEquals((await start(await scene.prepare({ argv: ["echo", "ran"] }))).stdout, "ran\n");
});

boxTest("a box ends with its program's exit code, and says no more than the program said", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" });
  for (
    const [script, code] of [["exit 7", 7], ["kill -SEGV $$", 139], ["kill -TERM $$; sleep 9", 143]] as const
  ) {
    const ended = await scene.sh(`sleep 60 & ${script}`);
    assertEquals([ended.code, ended.stdout, ended.stderr], [code, "", ""]);
  }
});

const SOCKETS = `
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or print "no sockets with a path\\n"'
perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) and print "pairs\\n"'
timeout 1 sh -c 'echo x >pipe' 2>&1
`;

boxTest("where nothing may be written, no pipe and no socket of the workspace is reached", async () => {
  using scene = launchScene({ "ws/a": "" }, { flags: { policy: "read-only" } });
  assertEquals((await new Deno.Command("mkfifo", { args: [scene.at("ws/pipe")] }).output()).code, 0);
  const process = new Deno.Command("cat", { args: [scene.at("ws/pipe")], stdout: "piped" })
    .spawn();
  const launch = await scene.prepare({ argv: ["bash", "-c", SOCKETS] });
  assertEquals(boxStart(launch)?.local, false);
  const { stdout } = await start(launch);
  assertEquals(stdout.includes("pairs"), true, stdout);
  assertEquals(stdout.includes("cannot create pipe") || stdout.includes("Permission denied"), true, stdout);
  process.kill("SIGKILL");
  assertEquals(new TextDecoder().decode((await process.output()).stdout), "");
});

Deno.test("onlyPrograms() empties folders of programs but for the wanted ones, their links and interpreters", () => {
  using ws = workspace({ "bin/cat-1": "x", "bin/other": "x", "bin/lang-2": "x", "more/tool": "x" });
  Deno.writeTextFileSync(ws.at("bin/run"), `#!${ws.at("bin/lang")} -e\n1\n`);
  Deno.symlinkSync("cat-1", ws.at("bin/cat"));
  Deno.symlinkSync(ws.at("bin/lang-2"), ws.at("bin/lang"));
  Deno.symlinkSync(ws.at("more/tool"), ws.at("bin/tool"));
  const wanted = { files: [], path: ws.at("bin") };
  const { folders, files, links } = onlyPrograms({
    ...wanted,
    names: ["cat", "run", "tool"],
    shown: [],
  }, realDisk);
  assert(folders.includes(ws.at("bin")) && !folders.includes(ws.at("more")));
  const own = (path: string) => path.startsWith(ws.path);
  assertEquals(files.filter(own).toSorted(), ["bin/cat-1", "bin/lang-2", "bin/run"].map(ws.at));
  assertEquals(
    links.filter(({ at }) => own(at)).map(({ at }) => at).toSorted(),
    [ws.at("bin/cat"), ws.at("bin/lang"), ws.at("bin/tool")],
  );
  // What the user shows stays: a folder whole, a file in its place.
  const shown = onlyPrograms({ ...wanted, names: [], shown: [ws.path] }, realDisk);
  assert(!shown.folders.includes(ws.at("bin")));
  const file = onlyPrograms({ ...wanted, names: [], shown: [ws.at("bin/other")] }, realDisk);
  assertEquals(file.files.filter(own), [ws.at("bin/other")]);
  const { before, after } = onlyMounts({
    folders: ["/b"],
    files: ["/b/x"],
    links: [{ at: "/b/y", to: "x" }],
  });
  assertEquals(before, ["--tmpfs", "/b", "--symlink", "x", "/b/y", "--ro-bind", "/b/x", "/b/x"]);
  assertEquals(after, ["--remount-ro", "/b"]);
});

Deno.test("interpreterWords() reads the first line of a script", () => {
  using ws = workspace({
    "env": "#!/usr/bin/env -S A=1 node\n",
    "plain": "#! /bin/sh -e\n",
    "elf": "\x7fELF",
    "empty": "",
  });
  const words = (name: string) => interpreterWords(ws.at(name));
  assertEquals(words("env"), ["/usr/bin/env", "node"]);
  assertEquals(words("plain"), ["/bin/sh"]);
  assertEquals([words("elf"), words("empty"), words("missing")], [[], [], []]);
});

Deno.test("plainSettings() copies a text once, and nothing that holds no login or may be shown", async () => {
  const folder = Deno.makeTempDirSync();
  const plain = makePlainSettings(() => Promise.resolve(folder));
  const path = join(folder, "config");
  const find = () => [{ path, kind: "protected" as const, info: Deno.lstatSync(path) }];
  const none = { secrets: [], writeNamed: [] };
  Deno.writeTextFileSync(path, "url = https://git.test/a.git\n");
  assertEquals(await plain(find(), none), []);
  Deno.writeTextFileSync(path, "url = https://me:pass@git.test/a.git\n");
  const [first] = await plain(find(), none);
  assertEquals(Deno.readTextFileSync(first!.copy), "url = https://git.test/a.git\n");
  assertEquals(await plain(find(), none), [first!]);
  assertEquals(await plain(find(), { ...none, secrets: [path] }), []);
  assertEquals(await plain(find(), { ...none, writeNamed: [path] }), []);
  assertEquals([...Deno.readDirSync(folder)].length, 2);
  Deno.removeSync(folder, { recursive: true });
});
