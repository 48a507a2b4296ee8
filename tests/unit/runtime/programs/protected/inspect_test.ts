import { assertEquals, assertStringIncludes } from "@std/assert";

import { isHarmlessConfig, isHarmlessRebase } from "../../../../../runtime/programs/git/harmless_settings.ts";
import { isHarmless, newRepository } from "../../../../../runtime/programs/protected/git_files.ts";
import { makeInspector } from "../../../../../runtime/programs/protected/inspector.ts";
import type { Finding } from "../../../../../runtime/programs/protected/scan_folder.ts";
import { baselineOf, setAside } from "../../../../../runtime/programs/protected/set_aside.ts";
import { boxTest } from "../../../../support/box.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { fileGrants } from "../../../../support/walls/file_grants.ts";

const PURE = { permissions: "none" } as const;

/** Runs a script in the box and returns the names of what was put aside, with the lines that say so. */
async function left(scene: ReturnType<typeof launchScene>, script: string) {
  const launch = await scene.prepare({ argv: ["bash", "-c", script] });
  const { stderr } = await start(launch);
  const lines = await launch.inspect();
  return { names: scene.aside(), lines, stderr, inspect: launch.inspect };
}

boxTest("inspect() moves new files that other programs would execute out of the tree", async () => {
  using scene = launchScene({ "ws/.git/HEAD": "", "ws/a": "", "ws/.gitignore": "" });
  const { names, lines, inspect } = await left(
    scene,
    `mkdir -p .git/hooks .vscode deep/er; echo x > .git/hooks/post-checkout; echo x > .vscode/tasks.json
    echo x > deep/er/.mcp.json; echo x > .envrc; echo '* diff=x' > .git/info/attributes || mkdir .git/info &&
    echo '* diff=x' > .git/info/attributes; printf '[core]\\n\\tfsmonitor = x\\n' > .git/config; echo y > a; echo y > b`,
  );
  assertEquals(names, [".envrc", ".mcp.json", ".vscode", "attributes", "config", "post-checkout"]);
  assertEquals(lines.length, 6);
  const line = lines.find((text) => text.includes(".mcp.json"))!;
  assertStringIncludes(line, `Moved "${scene.at("ws/deep/er/.mcp.json")}" to ${scene.at("aside")}/`);
  assertStringIncludes(line, `pass --allow-write=${scene.at("ws/deep/er/.mcp.json")} to keep it`);
  assertEquals([scene.read("ws/a"), scene.read("ws/b"), scene.exists("ws/.vscode")], ["y\n", "y\n", false]);
  assertEquals(await inspect(), []);
});

boxTest("inspect() leaves what the user names with --allow-write", async () => {
  using scene = launchScene({ "ws/a": "" }, { flags: { allow: { write: ["ws", "ws/.vscode"] } } });
  Deno.mkdirSync(scene.at("ws/.vscode"));
  const { names } = await left(scene, "echo x > .vscode/tasks.json; echo x > .mcp.json");
  assertEquals(names, [".mcp.json"]);
  assertEquals(scene.read("ws/.vscode/tasks.json"), "x\n");
});

boxTest("inspect() leaves new repositories, clones, working trees and submodules whole", async () => {
  using scene = launchScene({});
  const { names, lines } = await left(
    scene,
    `set -e; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
    git init -q one; cd one; echo a > a; git add a; git commit -qm a; cd ..
    git clone -q one two; cd two; git worktree add -q ../three; git checkout -q -b other --track origin/HEAD
    git -c protocol.file.allow=always submodule --quiet add ../one sub; git commit -qm sub`,
  );
  assertEquals([names, lines], [[], []]);
  for (const folder of ["one", "two", "three", "two/sub"]) {
    const { stdout } = await scene.sh("git status --short && echo clean", { cwd: folder });
    assertEquals(stdout, "clean\n", folder);
  }
});

boxTest("a stopped rebase goes on in the next program, unless it would start programs", async () => {
  using scene = launchScene({});
  const env =
    "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a GIT_EDITOR=true";
  const first = await left(
    scene,
    `${env}; git init -q -b main .; echo a > a; git add a; git commit -qm a; git checkout -q -b side; echo s > a
    git commit -qam s; git checkout -q main; echo m > a; git commit -qam m; git rebase -q side`,
  );
  assertStringIncludes(first.stderr, "could not apply");
  assertEquals(first.names, []);
  const goOn = "echo both > a; git add a; git rebase --continue && test ! -e .git/rebase-merge";
  const second = await left(scene, `${env}; ${goOn}`);
  assertEquals([second.names, scene.exists("ws/.git/rebase-merge")], [[], false]);
  const todo = ".git/rebase-merge/git-rebase-todo";
  const third = await left(scene, `mkdir .git/rebase-merge; echo 'exec evil' > ${todo}`);
  assertEquals(third.names, ["rebase-merge"]);
  scene.write(`ws/${todo}`, "pick abc\n");
  assertEquals((await left(scene, `echo 'exec evil' > ${todo}`)).names, ["rebase-merge", "rebase-merge"]);
  scene.write(`ws/${todo}`, "exec own\n");
  await left(scene, `echo 'exec evil' > ${todo}; rm -rf .git/rebase-merge`);
  assertEquals(scene.read(`ws/${todo}`), "exec own\n");
});

boxTest("inspect() leaves what the user's own programs change in files that the box holds", async () => {
  using scene = launchScene({
    "ws/.git/config": "[core]\n",
    "ws/.vscode/tasks.json": "old",
    "ws/.envrc": "old",
  });
  const launch = await scene.prepare({ argv: ["true"] });
  scene.write("ws/new", "x");
  scene.write("ws/.vscode/more.json", "x");
  scene.write("ws/.envrc", "changed");
  Deno.renameSync(scene.at("ws/new"), scene.at("ws/.git/config"));
  await start(launch);
  assertEquals(await launch.inspect(), []);
});

boxTest("inspect() puts aside what was made where writing is denied", async () => {
  using scene = launchScene({ "ws/kept/a": "" }, { flags: { deny: { write: ["ws/dist", "ws/kept"] } } });
  const { names } = await left(scene, "mkdir dist; echo x > dist/a; echo x > kept/a");
  assertEquals([names, scene.read("ws/kept/a")], [["dist"], ""]);
});

boxTest("inspect() names twenty files and counts the rest", async () => {
  using scene = launchScene({});
  const { lines } = await left(scene, "for n in $(seq 25); do mkdir $n; echo x > $n/.mcp.json; done");
  assertEquals(lines.length, 21);
  assertEquals(lines[20], `Moved 5 more such files to ${scene.at("aside")}`);
});

Deno.test("inspect() without a box puts changed files aside too", async () => {
  const flags = { allow: { run: true } } as const;
  const files = { "ws/.vscode/tasks.json": "old", "ws/.vscode/same.json": "old", "ws/.mcp.json": "old" };
  using scene = launchScene(files, { boxed: false, flags });
  const { names } = await left(scene, "echo evil > .vscode/tasks.json; echo evil > .mcp.json");
  assertEquals(names, [".mcp.json", "tasks.json"]);
  assertEquals(scene.read("ws/.vscode/same.json"), "old");
});

boxTest("inspect() under a read-only policy has nothing to look for", async () => {
  using scene = launchScene({ "ws/a": "" }, { flags: { policy: "read-only" } });
  const launch = await scene.prepare({ argv: ["true"] });
  scene.write("ws/.mcp.json", "the user's own");
  assertEquals([await launch.inspect(), scene.exists("ws/.mcp.json")], [[], true]);
});

Deno.test("isHarmlessConfig() knows the settings of clones, and takes no other", PURE, () => {
  const mayWorkIn = (folder: string) => folder === "../../../sub";
  const harmless = [
    "",
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n; comment\n# comment\n",
    '[remote "origin"]\n\turl = https://example.test/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[remote "o"]\n\turl = git@example.test:a/b.git\n[branch "main"]\n\tremote = o\n\tmerge = refs/heads/main\n',
    '[remote "o"] url = ../other\n[submodule "x"]\n\turl = /srv/x\n\tactive = true\n',
    "[core]\n\tworktree = ../../../sub\n",
    "[Core]\n\tBare\n[user]\n\tname = A B\n\temail = a@b\n",
  ];
  const harmful = [
    "[core]\n\tfsmonitor = evil\n",
    "[core]\n\thooksPath = x\n",
    "[core]\n\tworktree = /home/u\n",
    '[remote "o"]\n\turl = ext::sh -c evil\n',
    '[remote "o"]\n\turl = --upload-pack=evil\n',
    '[remote "o"]\n\turl = ssh://-oProxyCommand=evil/x\n',
    '[remote "o"]\n\turl = "ext::evil"\n',
    '[remote "o"]\n\tuploadpack = evil\n',
    "[include]\n\tpath = x\n",
    '[includeIf "gitdir:/"]\n\tpath = x\n',
    "[alias]\n\tx = !evil\n",
    '[filter "x"]\n\tsmudge = evil\n',
    "[user]\n\tname = a\\\n[core]\n",
    "[remote.o]\n\tvcs = evil\n",
    '[url "ext::x"]\n\tinsteadOf = https://\n',
    "garbage line\n",
    "\0",
  ];
  for (const text of harmless) assertEquals(isHarmlessConfig(text, { mayWorkIn }), true, text);
  for (const text of harmful) assertEquals(isHarmlessConfig(text, { mayWorkIn }), false, text);
});

Deno.test("isHarmlessRebase() takes steps that move commits, and none that starts a program", PURE, () => {
  assertEquals(
    isHarmlessRebase("pick abc one\nf def two\nupdate-ref refs/heads/x\n\n# comment\nnoop\n"),
    true,
  );
  for (const step of ["exec evil", "x evil", "  exec evil", "pickx a"]) {
    assertEquals(isHarmlessRebase(`pick abc one\n${step}\n`), false, step);
  }
});

boxTest("inspect() opens what a program closed, and finds what it left there", async () => {
  using scene = launchScene({ "ws/own/a.txt": "" });
  Deno.mkdirSync(scene.at("ws/before"));
  Deno.chmodSync(scene.at("ws/before"), 0o311);
  const { names, lines, inspect } = await left(
    scene,
    `mkdir -p sub/deep; for at in . own sub/deep; do echo x > $at/.envrc; done; chmod 000 sub/deep; chmod 444 sub
    chmod 311 own; chmod 311 .`,
  );
  const { mode } = Deno.statSync(scene.at("ws/before"));
  Deno.chmodSync(scene.at("ws/before"), 0o755);
  assertEquals(names, [".envrc", ".envrc", ".envrc"]);
  assertEquals(
    lines.filter((line) => line.startsWith("Made ")),
    ["ws", "ws/own", "ws/sub", "ws/sub/deep"].map((name) =>
      `Made "${scene.at(name)}" readable again: a program closed it`
    ),
  );
  assertEquals(lines.length, 7);
  assertEquals((mode ?? 0) & 0o777, 0o311);
  assertEquals(await inspect(), []);
});

boxTest("inspect() puts a folder with very many hooks aside as a whole", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" });
  const { lines, names } = await left(scene, "mkdir .git/hooks; cd .git/hooks; touch $(seq 300)");
  assertEquals([lines.length, names], [1, ["hooks"]]);
});

boxTest("inspect() tells what agents follow, and leaves it", async () => {
  using scene = launchScene({ "ws/CLAUDE.md": "" });
  const { lines, names } = await left(scene, "echo x > AGENTS.md; cat CLAUDE.md");
  const path = scene.at("ws/AGENTS.md");
  const told = `"${path}" was made or changed: agents follow what it says, so read it before`;
  assertEquals([lines, names], [[told], []]);
});

boxTest("inspect() leaves the user's bare repository, and moves what makes a new one dangerous", async () => {
  using scene = launchScene({
    "ws/bare/HEAD": "ref: refs/heads/main\n",
    "ws/bare/objects/": "",
    "ws/bare/refs/": "",
    "ws/bare/hooks/pre-receive": "#!/bin/sh\n",
    "ws/main.ts": "",
  });
  const make = "mkdir -p b/objects b/refs; cp bare/HEAD b; ln -s ../other b/info";
  // The user's file does not become one that git runs, although a new hook leads to it.
  const link = "git init -q n; ln -s ../../../main.ts n/.git/hooks/pre-commit; echo x > main.ts";
  assertEquals((await left(scene, `${make}; ${link}`)).names, ["HEAD", "pre-commit"]);
  assertEquals([scene.exists("ws/bare/HEAD"), scene.read("ws/main.ts")], [true, "x\n"]);
});

const NOTHING = { reasons: {}, folders: [], tops: [] } as never;

/** A workspace, what a scan finds of it, and where files are put aside. */
function scene(files: Record<string, string>) {
  const ws = workspace({
    "ws/.keep": "",
    ...Object.fromEntries(Object.entries(files).map(([at, text]) => [`ws/${at}`, text])),
  });
  const [root, aside] = [ws.at("ws"), `${ws.path}/aside`];
  const found = (kind: Finding["kind"], ...names: string[]) =>
    names.map((name): Finding => ({
      kind,
      path: `${root}/${name}`,
      info: Deno.lstatSync(`${root}/${name}`),
    }));
  const asideFolder = async () => {
    await Deno.mkdir(aside, { recursive: true });
    return aside;
  };
  const options = { files: fileGrants(root), writable: [root], asideFolder };
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${root}/${name}`, text);
  return {
    root,
    found,
    options,
    write,
    baseline,
    [Symbol.dispose]: () => ws[Symbol.dispose](),
  };

  function baseline(findings: readonly Finding[], masks?: Parameters<typeof baselineOf>[1]) {
    return baselineOf(
      { findings: [...findings], executed: { ...NOTHING as object, folders: [] } as never },
      masks,
      [root],
    );
  }
}

Deno.test("isHarmless() knows what git makes itself, and takes nothing else for it", () => {
  using at = scene({
    ".git/config": "[core]\n\tbare = false\n",
    ".git/worktrees/a/commondir": "../..\n",
    ".git/worktrees/b/commondir": "../../../evil\n",
    ".git/worktrees/a/gitdir": "WS/tree/.git\n",
    ".git/hooks/a.sample": "",
    ".git/hooks/a.sample.sh": "",
    "other/config": "[core]\n\tbare = false\n",
  });
  at.write(".git/worktrees/a/gitdir", `${at.root}/tree/.git\n`);
  const isPlain = (name: string) => isHarmless(at.found("protected", name)[0]!, [at.root]);
  const plain = [
    ".git/config",
    ".git/worktrees/a/commondir",
    ".git/worktrees/a/gitdir",
    ".git/hooks/a.sample",
  ];
  assertEquals(plain.map(isPlain), [true, true, true, true]);
  assertEquals([".git/worktrees/b/commondir", ".git/hooks/a.sample.sh", "other/config"].map(isPlain), [
    false,
    false,
    false,
  ]);
  at.write(".git/worktrees/a/gitdir", "/elsewhere/.git\n");
  // Whoever reads a part of it does not know the rest.
  at.write(".git/config", `[core]\n\tbare = false\n${"#".repeat(64 * 1024)}\n`);
  assertEquals([".git/worktrees/a/gitdir", ".git/config"].map(isPlain), [false, false]);
});

Deno.test("newRepository() takes the head off a folder that git would obey, and leaves a plain one", () => {
  const parts = { "plain/HEAD": "ref", "plain/objects/a": "", "plain/refs/a": "" };
  const evil = Object.fromEntries(
    Object.entries(parts).map(([at, text]) => [at.replace("plain", "evil"), text]),
  );
  using at = scene({
    ...{ ...parts, ...evil, "plain/config": "[core]\n\tbare = true\n" },
    "evil/config": "[core]\n\tfsmonitor = x\n",
  });
  const heads = (name: string, known = new Set<string>()) =>
    newRepository(at.found("repository", name)[0]!, { known, roots: [at.root] }).map(({ path }) =>
      path.slice(at.root.length)
    );
  assertEquals([heads("plain"), heads("evil")], [[], ["/evil/HEAD"]]);
  const { dev, ino } = Deno.lstatSync(`${at.root}/evil`);
  assertEquals(heads("evil", new Set([`${dev}:${ino}`])), []);
  Deno.removeSync(`${at.root}/plain/HEAD`);
  Deno.symlinkSync("/etc/hostname", `${at.root}/plain/HEAD`);
  assertEquals(heads("plain"), ["/plain/HEAD"]);
});

Deno.test("setAside() moves what was made or changed since, also by a second name or by another end of a link", async () => {
  using at = scene({ ".envrc": "mine", ".vscode/tasks.json": "mine", "a": "", "b": "" });
  Deno.symlinkSync("a", `${at.root}/.mcp.json`);
  const look = () => at.found("protected", ".envrc", ".vscode", ".mcp.json");
  const before = at.baseline(look());
  assertEquals(await setAside(look(), before, at.options), []);
  at.write(".vscode/tasks.json", "changed");
  Deno.removeSync(`${at.root}/.mcp.json`);
  Deno.symlinkSync("b", `${at.root}/.mcp.json`);
  const lines = await setAside(look(), before, at.options);
  assertEquals(lines.map((line) => /Moved "(.*?)" to/.exec(line)?.[1]?.slice(at.root.length + 1)), [
    ".vscode/tasks.json",
    ".mcp.json",
  ]);
  // What the box kept from being changed may have a second name elsewhere.
  Deno.linkSync(`${at.root}/.envrc`, `${at.root}/c`);
  const frozen = at.baseline(at.found("protected", ".envrc"), {
    frozen: [`${at.root}/.envrc`],
    hidden: [],
    pinned: [],
  });
  assertEquals(await setAside(at.found("protected", ".envrc"), frozen, at.options), []);
  at.write("c", "changed by it");
  assertEquals((await setAside(at.found("protected", ".envrc"), frozen, at.options)).length, 1);
});

Deno.test("setAside() takes the bits away by which others become a file's owner", async () => {
  using at = scene({ tool: "" });
  Deno.chmodSync(`${at.root}/tool`, 0o4755);
  const [line = ""] = await setAside(at.found("set-id", "tool"), at.baseline([]), at.options);
  assertStringIncludes(line, `${at.root}/tool`);
  assertEquals(Deno.statSync(`${at.root}/tool`).mode! & 0o7777, 0o755);
});

Deno.test("makeInspector() waits for a second look while a program runs, and not where another one begins", async () => {
  for (const [running, looks] of [["everywhere", 1], ["at once", 0]] as const) {
    using at = scene({ ".envrc": "made" });
    const look = () => Promise.resolve(at.found("protected", ".envrc"));
    const inspect = makeInspector({ ...at.options, baseline: at.baseline([]), look });
    for (let n = 0; n < looks; n++) assertEquals(await inspect({ running }), [], running);
    assertEquals((await inspect({ running })).length, 1, running);
  }
});
