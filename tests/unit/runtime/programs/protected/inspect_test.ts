import { assertEquals, assertStringIncludes } from "@std/assert";

import { isHarmlessConfig, isHarmlessRebase } from "../../../../../runtime/programs/git/harmless_settings.ts";
import { boxTest } from "../../../../support/box.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";

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
  const second = await left(
    scene,
    `${env}; echo both > a; git add a; git rebase --continue && test ! -e .git/rebase-merge`,
  );
  assertEquals([second.names, scene.exists("ws/.git/rebase-merge")], [[], false]);
  const third = await left(
    scene,
    "mkdir .git/rebase-merge; echo 'exec evil' > .git/rebase-merge/git-rebase-todo",
  );
  assertEquals(third.names, ["rebase-merge"]);
  scene.write("ws/.git/rebase-merge/git-rebase-todo", "pick abc\n");
  const todo = ".git/rebase-merge/git-rebase-todo";
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
  using scene = launchScene({
    "ws/.vscode/tasks.json": "old",
    "ws/.vscode/same.json": "old",
    "ws/.mcp.json": "old",
  }, { boxed: false, flags });
  const launch = await scene.prepare({
    argv: ["sh", "-c", "echo evil > .vscode/tasks.json; echo evil > .mcp.json"],
  });
  await start(launch);
  await launch.inspect();
  assertEquals(scene.aside(), [".mcp.json", "tasks.json"]);
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
  const launch = await scene.prepare({
    argv: [
      "sh",
      "-c",
      "mkdir -p sub/deep; for at in . own sub/deep; do echo x > $at/.envrc; done; chmod 000 sub/deep; chmod 444 sub; " +
      "chmod 311 own; chmod 311 .",
    ],
  });
  await start(launch);
  const lines = await launch.inspect();
  const { mode } = Deno.statSync(scene.at("ws/before"));
  Deno.chmodSync(scene.at("ws/before"), 0o755);
  assertEquals(scene.aside(), [".envrc", ".envrc", ".envrc"]);
  assertEquals(
    lines.filter((line) => line.startsWith("Made ")),
    ["ws", "ws/own", "ws/sub", "ws/sub/deep"].map((name) =>
      `Made "${scene.at(name)}" readable again: a program closed it`
    ),
  );
  assertEquals(lines.length, 7);
  assertEquals((mode ?? 0) & 0o777, 0o311);
  assertEquals(await launch.inspect(), []);
});

boxTest("inspect() puts a folder with very many hooks aside as a whole", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" });
  const launch = await scene.prepare({
    argv: ["sh", "-c", "mkdir .git/hooks; cd .git/hooks; touch $(seq 300)"],
  });
  await start(launch);
  assertEquals([(await launch.inspect()).length, scene.aside()], [1, ["hooks"]]);
});

boxTest("inspect() tells what agents follow, and leaves it", async () => {
  using scene = launchScene({ "ws/CLAUDE.md": "" });
  const launch = await scene.prepare({ argv: ["sh", "-c", "echo x > AGENTS.md; cat CLAUDE.md"] });
  await start(launch);
  const told = `"${
    scene.at("ws/AGENTS.md")
  }" was made or changed: agents follow what it says, so read it before`;
  assertEquals([await launch.inspect(), scene.aside()], [[told], []]);
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
  const launch = await scene.prepare({ argv: ["sh", "-c", `${make}; ${link}`] });
  await start(launch);
  await launch.inspect();
  assertEquals(scene.aside(), ["HEAD", "pre-commit"]);
  assertEquals([scene.exists("ws/bare/HEAD"), scene.read("ws/main.ts")], [true, "x\n"]);
});
