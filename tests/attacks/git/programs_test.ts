import { type Attack, attackTests, bash } from "../attack.ts";

// What git resolves to, by programs. Without a sandbox a program may change everything, and is looked after.

const COMMIT = "git commit -q --allow-empty -m x; test ! -e planted";
const STATUS = "git status >/dev/null 2>&1; test ! -e planted";
const MONITOR =
  "'[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = \"touch planted; false\"\\n'";

/** For repositories without a working tree. */
const ALIAS =
  "'[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n[alias]\\n\\tst = \"!touch planted\"\\n'";

/** Makes a program that leaves a trace. */
const hook = (path: string) =>
  `mkdir -p "$(dirname ${path})"; printf '#!/bin/sh\\ntouch planted\\n' > ${path}; chmod +x ${path}`;
const bare = (folder: string) =>
  `mkdir -p ${folder}/objects ${folder}/refs; printf ${MONITOR} > ${folder}/config; echo ref: refs/heads/main > ${folder}/HEAD`;

function planted(
  id: string,
  title: string,
  [setup, command, after]: readonly [setup: string, command: string, after: string],
  rest: Partial<Attack> = {},
): Attack {
  return { id, title, setup, calls: [bash(command)], flags: ["--allow-run=bash"], after, ...rest };
}

attackTests(1, [
  planted("1-60", "a repository in a new folder", ["", bare("sub"), `cd sub; ${STATUS}`]),
  planted("1-61", "a repository at the top, after .git was broken", [
    "git init -q",
    `${bare(".")}; rm .git/HEAD`,
    STATUS,
  ], { alone: true }),
  planted("1-62", "a repository whose references are one file, and whose HEAD is a link", [
    "",
    `mkdir -p r/objects; echo 1 > r/refs; chmod +x r/refs; ln -s refs/heads/x r/HEAD; printf ${MONITOR} > r/config`,
    `cd r; ${STATUS}`,
  ]),
  planted("1-63", "a repository of HEAD and commondir", [
    "",
    `mkdir -p c/objects c/refs g; echo ref: refs/heads/main > g/HEAD; echo ../c > g/commondir; printf ${ALIAS} > c/config`,
    "cd g; git st; test ! -e planted",
  ]),
  planted("1-64", "the settings of a repository in the folder of a working tree of it", [
    "",
    `mkdir -p c/objects c/refs c/worktrees/g; echo ref: refs/heads/main > c/worktrees/g/HEAD; echo ../.. > c/worktrees/g/commondir; printf ${ALIAS} > c/config`,
    "cd c/worktrees/g; git st; test ! -e planted",
  ]),
  planted("1-65", "a hook of a new bare repository", [
    "git init -q; git commit -q --allow-empty -m x",
    `git init -q --bare b.git; ${hook("b.git/hooks/pre-receive")}`,
    'git push -q "$PWD/b.git" HEAD:main 2>/dev/null; test ! -e b.git/planted',
  ]),
  planted("1-66", "a hook of a bare repository of the user", [
    "git init -q; git commit -q --allow-empty -m x; git init -q --bare b.git",
    hook("b.git/hooks/pre-receive"),
    'git push -q "$PWD/b.git" HEAD:main 2>/dev/null; test ! -e b.git/planted',
  ]),
  planted("1-67", "a bare repository of the user, moved away, and another one in its place", [
    "git init -q --bare b.git",
    `mv b.git c.git; ${bare("b.git")}`,
    `cd b.git && { ${STATUS}; }`,
  ]),
  planted("1-68", "the folder that the file .git names", [
    "git init -q --separate-git-dir=data",
    `${hook("data/hooks/pre-commit")}; git config --file data/config core.fsmonitor 'touch planted; false'`,
    `git status >/dev/null 2>&1; ${COMMIT}`,
  ]),
  planted("1-69", "the folder that the link .git leads to", [
    "git init -q; mv .git real; ln -s real .git",
    hook("real/hooks/pre-commit"),
    COMMIT,
  ]),
  planted("1-70", "the script behind a link in .git/hooks, written, replaced, and its folder moved", [
    "git init -q; mkdir scripts; printf '#!/bin/sh\\n' > scripts/a.sh; chmod +x scripts/a.sh; ln -s ../../scripts/a.sh .git/hooks/pre-commit",
    `${hook("scripts/a.sh")}; ${hook("scripts/b.sh")}; mv scripts/b.sh scripts/a.sh; mv scripts old; ${
      hook("scripts/a.sh")
    }`,
    COMMIT,
  ]),
  planted("1-71", "a link on the way to the script of a hook", [
    "git init -q; mkdir s; printf '#!/bin/sh\\n' > s/a.sh; chmod +x s/a.sh; ln -s s way; ln -s ../../way/a.sh .git/hooks/pre-commit",
    `${hook("other/a.sh")}; ln -sfn other way`,
    COMMIT,
  ]),
  planted("1-72", "a folder of hooks that settings name, not there yet", [
    "git init -q; git config core.hooksPath .githooks",
    hook(".githooks/pre-commit"),
    COMMIT,
  ]),
  planted("1-73", "a new file in a folder of hooks that settings name", [
    "git init -q; mkdir .githooks; git config core.hooksPath .githooks",
    hook(".githooks/pre-commit"),
    COMMIT,
  ]),
  planted("1-74", "a folder of hooks in a new working tree, by the settings of the repository", [
    "git init -q; git commit -q --allow-empty -m x; git config core.hooksPath own",
    `git worktree add -q tree; ${hook("tree/own/pre-commit")}`,
    `cd tree; ${COMMIT}`,
  ]),
  planted("1-75", "a folder of hooks in a new repository, by the settings of the user", [
    "",
    `git init -q n; ${hook("n/own/pre-commit")}`,
    `cd n; ${COMMIT}`,
  ], {
    alone: true,
    files: { "home/.gitconfig": "[user]\n\tname = u\n\temail = u@x\n[core]\n\thooksPath = own\n" },
  }),
  planted("1-76", "a new file .git that leads to a repository of the user, and hooks beside it", [
    "git init -q --bare b.git; git --git-dir=b.git config core.bare false; git --git-dir=b.git config core.hooksPath own",
    `mkdir sub; echo 'gitdir: ../b.git' > sub/.git; ${hook("sub/own/pre-commit")}`,
    `cd sub; ${COMMIT}`,
  ]),
  planted("1-77", "a file of settings that others include, not there yet", [
    "git init -q; git config include.path ../shared",
    `printf ${MONITOR} > shared`,
    STATUS,
  ]),
  planted("1-78", "the program of a filter, its folder moved", [
    "git init -q; mkdir t; echo cat > t/c.sh; git config filter.x.clean 'sh t/c.sh'; echo '*.c filter=x' > .gitattributes; echo 1 > a.c",
    "echo 'touch planted; cat' > t/c.sh; mv t u; mkdir t; echo 'touch planted; cat' > t/c.sh",
    "git add a.c; test ! -e planted",
  ]),
  planted("1-81", "a repository in a new folder whose name is not UTF-8", [
    "",
    `d=$'o\\xff'; mkdir $d; mkdir -p $d/objects $d/refs; printf ${MONITOR} > $d/config; echo ref: refs/heads/main > $d/HEAD`,
    `cd o* && { ${STATUS}; }`,
  ]),
  planted("1-79", "a repository with a hook, in a folder with a secret's name", [
    "",
    `git init -q .env.d/x; ${hook(".env.d/x/.git/hooks/pre-commit")}; mv .env.d e`,
    `cd e/x && { ${COMMIT}; }`,
  ]),
  {
    id: "1-80",
    title: "what git makes itself stays, and no file of the user is moved for it",
    flags: ["--allow-run=bash"],
    needs: ["sandbox"],
    setup: "mkdir hooks config2; echo 1 > hooks/use.ts; echo 1 > config",
    calls: [
      bash(
        "set -e; git init -q r; cd r; git config user.name x; git config user.email x@x; git commit -q --allow-empty -m x; git checkout -q -b b; " +
          "git commit -q --allow-empty -m y; git rebase -q HEAD~1; git worktree add -q ../tree; git clone -q --bare . ../b.git; git clone -q --mirror . ../m.git; " +
          "git init -q --separate-git-dir=../data ../sep; git -C ../b.git worktree add -q ../tree2; " +
          "git -c protocol.file.allow=always submodule add -q ../m.git sub 2>/dev/null; git commit -q -m s; cd ..; mkdir objects refs; echo x > HEAD",
        "ok",
      ),
    ],
    after:
      "set -e; test -f hooks/use.ts; test -f config; test -f r/sub/.git; cd tree; git commit -q --allow-empty -m z; cd ../tree2; git log -1 >/dev/null; " +
      "cd ../sep; git status >/dev/null; cd ../m.git; git log -1 >/dev/null; cd ../b.git; git log -1 >/dev/null; test ! -e ../HEAD",
  },
]);
