import { assertEquals } from "@std/assert";
import { dirname, join, relative } from "@std/path";

import { ExecutedFiles } from "../../../../runtime/programs/git/executed_files.ts";
import { findPlaces, placesAbove } from "../../../../runtime/programs/git/find_places.ts";
import { gitIdentity } from "../../../../runtime/programs/git/git_identity.ts";
import { readGitSettings } from "../../../../runtime/programs/git/read_settings.ts";
import { GIT_PARTS } from "../../../../runtime/walls/git/git_folder.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { workspace } from "../../../support/run_tool.ts";
import { emptyFiles, listed } from "../../../support/listed.ts";

/** What of a tree is executed, without git's own parts. `->` makes a link. */
async function executedIn(
  files: Record<string, string>,
  { top = ".", home = "home", env = {} }: { top?: string; home?: string; env?: Record<string, string> } = {},
) {
  using ws = workspace();
  for (const [name, text] of Object.entries(files)) {
    const path = join(ws.path, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (text.startsWith("-> ")) Deno.symlinkSync(text.slice(3).replaceAll("WS", ws.path), path);
    else Deno.writeTextFileSync(path, text.replaceAll("WS", ws.path));
  }
  const root = join(ws.path, top);
  const found = new ExecutedFiles({ workspace: root, write: [root], home: join(ws.path, home), env });
  const places = await findPlaces(found.tops);
  const repositories = [...new Set([...placesAbove(found.tops), ...places.repositories])];
  const { reasons } = found.find({ ...places, repositories });
  return Object.keys(reasons).map((path) => relative(ws.path, path))
    .filter((path) => !/(^|\/)\.git\//.test(path) && !GIT_PARTS.some((part) => path.endsWith(`/${part}`)))
    .sort();
}

const HEAD = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": "" };

Deno.test("ExecutedFiles finds what settings of a repository name", async () => {
  const cases: [config: string, files: Record<string, string>, found: string[]][] = [
    ["[core]\n\thooksPath = .githooks", {}, [".githooks"]],
    ['[core]\n\tHOOKSPATH = "./a b"', {}, ["a b"]],
    ["[core]\n\thooksPath = WS/abs", {}, ["abs"]],
    ["[core]\n\thooksPath = .githooks", { ".githooks/pre-push": "-> ../bin/push.sh" }, [
      ".githooks",
      ".githooks/pre-push",
      "bin/push.sh",
    ]],
    ["[core]\n\tfsmonitor = ./watch.sh", {}, ["watch.sh"]],
    ["[core]\n\tfsmonitor = true\n\tautocrlf = input", { true: "", input: "" }, []],
    ['[filter "x"]\n\tclean = python3 tools/clean.py %f', {}, ["tools/clean.py"]],
    ['[filter "x"]\n\tclean = "sh -c \'cd tools && ./clean.sh\'"', { "tools/clean.sh": "" }, [
      "cd tools && ./clean.sh",
      "clean.sh",
      "tools/clean.sh",
    ]],
    ['[diff "x"]\n\ttextconv = $(git rev-parse --show-toplevel)/text.sh', {}, ["text.sh"]],
    ['[alias]\n\tx = !"$HOME/run.sh"', {}, []],
    ["[alias]\n\tx = !lint.sh || sh lint.sh", { "lint.sh": "" }, []],
    ["[alias]\n\tx = !sh lint.sh", { "lint.sh": "" }, ["lint.sh"]],
    ["[alias]\n\tx = !python3 -m tools.lint && node bin/fix", { "tools/lint.py": "", "bin/fix.js": "" }, [
      "bin/fix",
      "bin/fix.js",
      "tools/lint.py",
    ]],
    ["[alias]\n\tlog1 = log --oneline", { oneline: "", log: "" }, []],
    ["[alias]\n\ttest = !npm test", { "test/a.ts": "" }, []],
    ["[core]\n\tsshCommand = ssh -F conf/ssh", {}, ["conf/ssh"]],
    ["[gpg]\n\tprogram = ./sign", {}, ["sign"]],
    ["[core]\n\tattributesFile = attr", {}, ["attr"]],
    ["[include]\n\tpath = ../one", { one: "[include]\npath=two", two: "[core]\npager=./page" }, [
      "one",
      "page",
      "two",
    ]],
    ['[includeIf "gitdir:/never/"]\n\tpath = ../one', { one: "[core]\npager=./page" }, ["one", "page"]],
    ["[include]\n\tpath = ../link", { link: "-> other/real" }, ["link", "other/real"]],
    ['[user]\n\tname = docs\n[branch "m"]\n\tremote = src\n[remote "o"]\n\turl = ../up', {
      docs: "",
      "src/a": "",
      "up/a": "",
    }, []],
    ["[core]\n\teditor = .", { a: "" }, []],
    ["[core]\n\thooksPath = ..\n[core]\n\thooksPath = .", { a: "" }, []],
  ];
  for (const [config, files, found] of cases) {
    const there = Object.fromEntries(Object.entries(files).map(([name, text]) => [`ws/${name}`, text]));
    const git = Object.fromEntries(Object.entries(HEAD).map(([name, text]) => [`ws/${name}`, text]));
    const text = config.replaceAll("WS", "WS/ws");
    assertEquals(
      await executedIn({ ...git, ...there, "ws/.git/config": text }, { top: "ws" }),
      found.map((path) => `ws/${path}`),
      config,
    );
  }
});

Deno.test("ExecutedFiles follows where git finds its folder", async () => {
  const bad = "[core]\n\tpager = ./page";
  const repository = (folder: string) => ({
    ...emptyFiles(`${folder}/HEAD, ${folder}/objects/x, ${folder}/refs/x`),
    [`${folder}/config`]: bad,
  });
  const cases: [files: Record<string, string>, found: string[]][] = [
    [{ ".git": "gitdir: ./.bare\n", ...repository(".bare") }, [".bare/page", "page"]],
    [{ ".git": "-> real", ...repository("real") }, ["page", "real/page"]],
    [{ ".git": "gitdir: via/real", "via": "-> far", ...repository("far/real") }, [
      "far/real/page",
      "page",
      "via",
    ]],
    [{ ".git": "gitdir: one", one: "gitdir: two", ...repository("two") }, ["page", "two/page"]],
    [{ "sub/.git": "gitdir: WS/store\n", ...repository("store") }, ["store/page", "sub/page"]],
    [{
      "wt/.git": "gitdir: ../main.git/worktrees/wt",
      "main.git/worktrees/wt/HEAD": "",
      "main.git/worktrees/wt/commondir": "../..\n",
      "main.git/worktrees/wt/gitdir": "WS/wt/.git\n",
      ...repository("main.git"),
    }, ["main.git/page", "main.git/worktrees/wt/page", "wt/page"]],
    [repository("bare"), ["bare/page"]],
  ];
  for (const [files, found] of cases) assertEquals(await executedIn(files), found, JSON.stringify(files));
});

Deno.test("ExecutedFiles names the parts of git folders with other names", () => {
  using ws = workspace({ ".git": "gitdir: data" });
  const found = new ExecutedFiles({ workspace: ws.path, write: [ws.path], home: "", env: {} });
  const { reasons } = found.find({ repositories: [join(ws.path, ".git")], links: [] });
  assertEquals(Object.keys(reasons), GIT_PARTS.map((part) => join(ws.path, "data", part)));
});

Deno.test("ExecutedFiles finds what the user's own settings and links lead to", async () => {
  const git = Object.fromEntries(Object.entries(HEAD).map(([name, text]) => [`ws/${name}`, text]));
  const files = {
    ...git,
    "home/.gitconfig": "[core]\n\thooksPath = hooks2\n[include]\n\tpath = ~/more",
    "home/more": "[core]\n\tpager = WS/ws/page",
    "home/.config/git/config": "-> WS/ws/dot/git",
    "home/.bashrc": "-> ../ws/dot/bashrc",
    "ws/dot/git": "[init]\n\ttemplateDir = WS/ws/tpl",
    "ws/.vscode": "-> conf",
  };
  const found = listed("ws/conf, ws/dot/bashrc, ws/dot/git, ws/hooks2, ws/page, ws/tpl");
  assertEquals(await executedIn(files, { top: "ws" }), found);
});

Deno.test("ExecutedFiles looks upwards from the workspace", async () => {
  const files = { ...HEAD, ".git/config": "[core]\n\thooksPath = sub/hooks1", "sub/a": "" };
  assertEquals(await executedIn(files, { top: "sub" }), ["sub/hooks1"]);
});

Deno.test("ExecutedFiles believes only unchanged settings, if it is told which", async () => {
  using ws = workspace({ ".git/config": "[core]\n\tpager = ./one", ".git/HEAD": "" });
  const found = new ExecutedFiles({ workspace: ws.path, write: [ws.path], home: "", env: {} });
  const places = await findPlaces(found.tops);
  const before = found.find(places);
  Deno.writeTextFileSync(join(ws.path, ".git/config"), "[core]\n\tpager = ./other");
  const after = found.find(places, { before });
  assertEquals(Object.keys(before.reasons).includes(join(ws.path, "one")), true);
  assertEquals(Object.keys(after.reasons).includes(join(ws.path, "other")), false);
});

const list = (text: string) =>
  readGitSettings(text).map(({ section, subsection, name, value }) =>
    [section, ...subsection === null ? [] : [subsection], name].join(".") +
    (value === null ? "" : `\n${value}`)
  );

Deno.test("readGitSettings() goes on after a line that git would not understand", () => {
  assertEquals(list('[core\n[user] name = "x\n=\n1\n[user]\n\tname = y\n'), ["user.name\ny"]);
});

programTest("readGitSettings() reads what git reads", ["git"], async () => {
  const folder = Deno.makeTempDirSync();
  try {
    let compared = 0;
    for (let turn = 0; turn < 60; turn++) {
      const text = randomSettings();
      const file = join(folder, "config");
      Deno.writeTextFileSync(file, text);
      const { success, stdout } = await new Deno.Command("git", {
        args: ["config", "--file", file, "--no-includes", "--list", "-z"],
        clearEnv: true,
        stderr: "null",
      }).output();
      if (!success) continue;
      compared++;
      // Some versions of git make blanks of tabs.
      const plain = (line: string) => line.replaceAll("\t", " ");
      const theirs = new TextDecoder().decode(stdout).split("\0").slice(0, -1)
        // What stands before the first section counts for nothing.
        .filter((line) => line.split("\n")[0]!.includes("."));
      assertEquals(list(text).map(plain), theirs.map(plain), JSON.stringify(text));
    }
    assertEquals(compared > 12, true, `git understood ${compared}`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function randomSettings(): string {
  const any = <T>(...of: T[]): T => of[Math.floor(Math.random() * of.length)]!;
  const some = (most: number, make: () => string) =>
    Array.from({ length: Math.floor(Math.random() * most) }, make).join("");
  const piece = () =>
    any(
      ...["a", "Z", " ", "  ", "\t", "=", "'", "/x", "~", "$", ".", "!", "[", "]", "é"],
      ...["\\\\", '\\"', "\\n", "\\\n"],
    );
  const value = () =>
    some(6, () => any(piece(), piece(), `"${some(3, () => any(piece(), ";", "#"))}"`)) +
    any("", "", " ; c", "# \\", " ");
  const head = () =>
    any("[core]", "[Core]", '[a "b"]', '[a\t"B \\"\\c"]', "[a.B]", "[a-1.c.D] ", '[x "]"]', '[x ""]') +
    any("", " ", "\t");
  const line = () =>
    any(
      () => head(),
      () => `${head()}k = ${value()}`,
      () => `${some(3, () => any(" ", "\t"))}${any("key", "K-2", "z")}${any("", " ", "\t ")}=${value()}`,
      () => any("name", "  Name ", "n ; no", "", "; c = d \\", "# [x]", "\r"),
    )();
  return any("", "\uFEFF") +
    Array.from({ length: 1 + Math.floor(Math.random() * 8) }, () => line() + any("\n", "\n", "\r\n")).join(
      "",
    ) +
    any("", "[e]\n\tk = v");
}

const USER = '[user]\n\tname = "Ann \\"A\\" Lee"  # me\n\temail = ann@a.test ; mine\n';
const identity = (name: string, email: string) =>
  `[user]\n\tname = "${name}"\n[user]\n\temail = "${email}"\n`;

Deno.test("gitIdentity() takes what decides whether git works, and nothing that names a program", () => {
  using ws = workspace({
    "home/.gitconfig": [
      "[safe]\n directory = /old\n directory =\n directory = *\n directory = ~/x\n bareRepository = explicit",
      "[core]\n autocrlf = input\n fsmonitor = ./x\n sshCommand = ./x\n excludesFile = /x\n[init]\n defaultBranch = main",
      '[protocol "file"]\n allow = always\n[protocol "ext"]\n allow = always\n[filter "lfs"]\n clean = git-lfs clean',
      '[pull]\n ff = only; rm\n rebase\n[url "ext::x"]\n insteadOf = y\n[push]\n default = "a b"',
    ].join("\n"),
    "ws/a": "",
  });
  const line = (section: string, name: string, value: string) => `[${section}]\n\t${name} = "${value}"\n`;
  const env = { GIT_CONFIG_COUNT: "2", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "/env" };
  const more = { GIT_CONFIG_KEY_1: "core.hooksPath", GIT_CONFIG_VALUE_1: "/evil" };
  assertEquals(
    gitIdentity({ home: ws.at("home"), workspace: ws.at("ws"), env: { ...env, ...more } }),
    [
      line("safe", "barerepository", "explicit"),
      line("core", "autocrlf", "input"),
      line("init", "defaultbranch", "main"),
      line('protocol "file"', "allow", "always"),
      line("pull", "ff", "only"),
      line("pull", "rebase", "true"),
      ...["*", ws.at("home/x"), "/env"].map((folder) => line("safe", "directory", folder)),
    ].join(""),
  );
});

Deno.test("gitIdentity() takes the user's name and address and no other setting", () => {
  using ws = workspace({
    "home/.gitconfig":
      `[credential]\n helper = "!evil"\n[core]\n hooksPath = /x\n[alias]\n co = "!sh"\n${USER}[user] signingKey = K\n`,
    "ws/a": "",
  });
  const places = { home: ws.at("home"), workspace: ws.at("ws"), env: {} };
  assertEquals(gitIdentity(places), identity('Ann \\"A\\" Lee', "ann@a.test"));
});

Deno.test("gitIdentity() reads the usual files in git's order, and those that they include", () => {
  using ws = workspace({
    "home/.config/git/config": '[user]\nname = Xdg\nemail = xdg@a.test\n[include]\npath = "more"\n',
    "home/.config/git/more": "[user]\n  name = More\n[include]\n path = more\n",
    "home/.gitconfig": "[include]\n path = ~/mail\n path = none\n",
    "home/mail": "[User]\n\tEmail = included@a.test\n",
    "home/other": "[user]\n\tname = Other\n",
    "xdg/git/config": "[user]\n\tname = Elsewhere\n",
    "ws/a": "",
  });
  const of = (env: Record<string, string>) =>
    gitIdentity({ home: ws.at("home"), workspace: ws.at("ws"), env });
  assertEquals(of({}), identity("More", "included@a.test"));
  assertEquals(of({ XDG_CONFIG_HOME: ws.at("xdg") }), identity("Elsewhere", "included@a.test"));
  assertEquals(of({ GIT_CONFIG_GLOBAL: ws.at("home/other") }), '[user]\n\tname = "Other"\n');
  const none = { GIT_CONFIG_GLOBAL: "/dev/null" };
  assertEquals(of(none), "");
  const env = { ...none, GIT_AUTHOR_NAME: "Env\n[core]\nx", EMAIL: "e@a.test" };
  assertEquals(of(env), identity("Env [core] x", "e@a.test"));
});

Deno.test("gitIdentity() follows conditions about the folder of the repository", () => {
  using ws = workspace({
    "home/.gitconfig": [
      "[user]\n\tname = Ann\n\temail = ann@home.test",
      '[includeIf "gitdir:~/work/"]\n\tpath = .gitconfig.work',
      '[includeIf "gitdir:other/"]\n\tpath = other',
      '[includeIf "hasconfig:remote.*.url:x"]\n\tpath = other\n',
    ].join("\n"),
    "home/.gitconfig.work": "[user]\n\temail = ann@work.test\n",
    "home/other": "[user]\n\temail = ann@other.test\n",
    "home/work/shop/.git/HEAD": "",
    "home/work/shop/src/a": "",
    "home/x/other/.git/HEAD": "",
    "home/play/.git/HEAD": "",
  });
  const mail = (folder: string) =>
    /email = "(.*)"/.exec(gitIdentity({ home: ws.at("home"), workspace: ws.at(folder), env: {} }))![1];
  assertEquals(mail("home/work/shop/src"), "ann@work.test");
  assertEquals(mail("home/x/other"), "ann@other.test");
  assertEquals(mail("home/play"), "ann@home.test");
});
