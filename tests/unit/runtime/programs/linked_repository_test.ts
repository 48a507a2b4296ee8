import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";

import { describePrograms, showPrograms } from "../../../../runtime/cli/show/show_grants.ts";
import { failureHints } from "../../../../runtime/programs/hints/hints.ts";
import { linkedRepository } from "../../../../runtime/programs/git/linked_repository.ts";
import { boxTest } from "../../../support/box.ts";
import { launchScene } from "../../../support/launch_scene.ts";
import { workspace } from "../../../support/run_tool.ts";

const GIT = { "m/HEAD": "x", "m/objects/": "", "m/refs/": "" };
const ADMIN = { "m/worktrees/t/HEAD": "x", "m/worktrees/t/commondir": "../..\n" };
const TREE = { ...GIT, ...ADMIN, "m/worktrees/t/gitdir": "WS/t/.git\n" };
const MODULE = { "s/HEAD": "x", "s/objects/": "", "s/refs/": "" };

/** Files, `-> ` for links, and what the `.git` of the folder `t` leads to. */
const CASES: readonly [title: string, files: Record<string, string>, expected: string | null][] = [
  ["a working tree", { ...TREE, "t/.git": "gitdir: WS/m/worktrees/t\n" }, "m/worktrees/t in m"],
  ["without a line end", { ...TREE, "t/.git": "gitdir: WS/m/worktrees/t" }, "m/worktrees/t in m"],
  ["by relative paths", {
    ...TREE,
    "m/worktrees/t/gitdir": "../../../t/.git\n",
    "t/.git": "gitdir: ../m/worktrees/t\n",
  }, "m/worktrees/t in m"],
  [
    "behind a link of a folder",
    { ...TREE, "l": "-> m", "t/.git": "gitdir: ../l/worktrees/t\n" },
    "m/worktrees/t in m",
  ],
  [
    "a submodule",
    { ...MODULE, "s/config": "[core]\n\tworktree = ../t\n", "t/.git": "gitdir: ../s\n" },
    "s in s",
  ],
  [
    "a link that is led back",
    { ...MODULE, "s/config": "[core]\n\tworktree = WS/t\n", "t/.git": "-> ../s" },
    "s in s",
  ],
  ["a folder", { "t/.git/HEAD": "" }, null],
  ["a file without a path", { ...TREE, "t/.git": "m/worktrees/t\n" }, null],
  ["two lines", { ...TREE, "t/.git": "gitdir: WS/m/worktrees/t\nx\n" }, null],
  ["no repository", { "m/": "", "t/.git": "gitdir: ../m\n" }, null],
  ["nothing", { "t/.git": "gitdir: ../m\n" }, null],
  ["too long", { ...TREE, "t/.git": `gitdir: ${"./".repeat(3_000)}../m/worktrees/t\n` }, null],
  [
    "a link that is not led back",
    { ...MODULE, "s/config": "", "t/.git": "-> ../s" },
    'its setting "core.worktree"',
  ],
  ["a submodule of another tree", {
    ...MODULE,
    "u/": "",
    "s/config": "[core]\n\tworktree = ../u\n",
    "t/.git": "gitdir: ../s\n",
  }, 'its setting "core.worktree"'],
  ["another tree's folder", {
    ...TREE,
    "m/worktrees/t/gitdir": "WS/u/.git\n",
    "u/": "",
    "t/.git": "gitdir: WS/m/worktrees/t\n",
  }, "another working tree"],
  ["a link to a tree's folder", { ...TREE, "t/.git": "-> ../m/worktrees/t" }, "another working tree"],
  ["a way back that is a link", {
    ...TREE,
    "m/worktrees/t/gitdir": "-> ../../../back",
    "back": "WS/t/.git\n",
    "t/.git": "gitdir: WS/m/worktrees/t\n",
  }, "another working tree"],
  ["a repository elsewhere", {
    ...GIT,
    "a/HEAD": "x",
    "a/commondir": "../m\n",
    "a/gitdir": "WS/t/.git\n",
    "t/.git": "gitdir: ../a\n",
  }, "does not lie in the repository"],
  ["a shared folder that shares another one", {
    ...TREE,
    "m/commondir": "../n",
    "t/.git": "gitdir: WS/m/worktrees/t\n",
  }, "no whole repository"],
  ["a tree deep in its repository", {
    ...GIT,
    ...ADMIN,
    "m/worktrees/t/gitdir": "WS/m/x/t/.git\n",
    "m/x/t/.git": "gitdir: WS/m/worktrees/t\n",
    "t": "-> m/x/t",
  }, "the tree lies inside"],
];

Deno.test("linkedRepository() takes a git folder only if it leads back to the tree", () => {
  for (const [title, files, expected] of CASES) {
    using ws = workspace();
    const root = Deno.realPathSync(ws.path);
    for (const [name, text] of Object.entries(files)) {
      const path = join(root, name);
      Deno.mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
      if (text.startsWith("-> ")) Deno.symlinkSync(text.slice(3), path);
      else if (!name.endsWith("/")) Deno.writeTextFileSync(path, text.replaceAll("WS", root));
    }
    const found = linkedRepository(join(Deno.realPathSync(join(root, "t")), ".git"));
    const shown = found &&
      ("why" in found ? found.why : `${found.own} in ${found.common}`.replaceAll(`${root}/`, ""));
    assertEquals(
      shown === null ? null : expected !== null && shown.includes(expected) ? expected : shown,
      expected,
      title,
    );
  }
});

const IDENTITY = "git config user.name me; git config user.email me@host";
const MAKE =
  `set -e; git init -q m; cd m; ${IDENTITY}; echo 1 > f; git add f; git commit -qm 1; echo 2 > f; ` +
  "git commit -qam 2; cd ..";
/** Ends with "done", if each command worked. */
const WORK = `set -e; ${
  IDENTITY.replaceAll("config", "config --get")
} > /dev/null; git status; git diff; echo 3 > f;
  git stash -q; git stash pop -q; git commit -qam 3; git checkout -q -b side HEAD~1; echo 4 > g; git add g;
  git commit -qm 4; git rebase -q -; git checkout -q -; git merge -q side; git branch -d side; git tag t; git tag -d t;
  git log --oneline | wc -l; ! git config core.pager evil; ! touch "$(git rev-parse --git-path hooks)/pre-push";
  touch "$(git rev-parse --git-common-dir)/commondir"; echo done`;

boxTest("git works in a tree whose git folder lies elsewhere, but for its hooks and settings", async () => {
  const setups: readonly [title: string, setup: string][] = [
    ["a working tree", "git -C m worktree add -q ../ws 2>/dev/null"],
    [
      "beside others in a bare repository",
      "git clone -q --bare m b; mv b ws.git; git -C ws.git config user.name me; git -C ws.git config user.email me@host; git -C ws.git worktree add -q ../ws 2>/dev/null",
    ],
    [
      "a submodule",
      `git init -q .; git -c protocol.file.allow=always submodule --quiet add $PWD/m ws; cd ws; ${IDENTITY}`,
    ],
    [
      "a link",
      `mv m/.git own; rm -r m; mkdir ws; ln -s $PWD/own ws/.git; git -C own config core.worktree $PWD/ws; git -C ws checkout -q .`,
    ],
  ];
  for (const [title, setup] of setups) {
    using scene = launchScene({});
    const made = await new Deno.Command("bash", {
      args: ["-c", `cd ${scene.root}; rmdir ws; ${MAKE}; ${setup}`],
      env: { GIT_CONFIG_GLOBAL: "/dev/null" },
    }).output();
    assertEquals(new TextDecoder().decode(made.stderr), "", title);
    const launch = await scene.prepare({ argv: ["bash", "-c", WORK] });
    const { stdout, stderr } = await scene.start(launch);
    assertStringIncludes(stdout, "4\ndone\n", `${title}: ${stderr}`);
    assertStringIncludes((await launch.inspect()).join(), "/commondir", title);
    const shown = showPrograms(describePrograms(scene.grants, { boxed: true, needs: null }));
    assertEquals(shown.filter((line) => line.includes("git ")).length, 1, title);
  }
});

boxTest("a tree whose .git leads to another repository is told, with the flags that open it", async () => {
  using scene = launchScene({ "m/HEAD": "x", "m/objects/": "", "m/refs/": "", "ws/.git": "-> ../m" });
  const { outlook } = await scene.prepare({ argv: ["git", "status"] });
  const end = { exitCode: 128, reason: "exited", output: "fatal: not a git repository: x" } as const;
  const [hint = ""] = failureHints(null, end, outlook!);
  const at = scene.at("m");
  assertStringIncludes(hint, `its .git leads to "${at}", and its setting "core.worktree" does not name`);
  assertStringIncludes(hint, `pass --allow-read=${at} --allow-write=${at}`);
  assertEquals(failureHints(null, { ...end, output: "" }, outlook!), []);
});
