import { type Attack, attackTests, sampled, write } from "../attack.ts";

// What git resolves to, by tools that write: settings, links, folders by other names.

const HOOK = "#!/bin/sh\ntouch planted\n";
const COMMIT = "git commit -q --allow-empty -m x; test ! -e planted";
const STATUS = "git status >/dev/null; test ! -e planted";
const MONITOR =
  "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch planted; false\n";

/** A user's setup, a file that tools write, and what the user does then. */
function planted(
  id: string,
  title: string,
  [setup, path, after]: readonly [setup: string, path: string, after: string],
  content = HOOK,
): Attack {
  return { id, title, setup, calls: write(`<at>/${path}`, content), after };
}

attackTests(
  1,
  sampled([
    planted("1-20", "the script behind a link in .git/hooks", [
      "git init -q; mkdir scripts; printf '#!/bin/sh\\n' > scripts/a.sh; chmod +x scripts/a.sh; ln -s ../../scripts/a.sh .git/hooks/pre-commit",
      "scripts/a.sh",
      COMMIT,
    ]),
    planted("1-21", "the end of two links from .git/hooks, not there yet", [
      "git init -q; ln -s ../../one .git/hooks/pre-commit; ln -s bin/two one",
      "bin/two",
      `chmod +x bin/two; ${COMMIT}`,
    ]),
    planted("1-22", "a folder of hooks that settings name", [
      "git init -q; mkdir .githooks; git config core.hooksPath .githooks",
      ".githooks/pre-commit",
      `chmod +x .githooks/*; ${COMMIT}`,
    ]),
    planted("1-23", "a folder of hooks that settings name, not there yet, in quotes", [
      "git init -q; printf '[CORE]\\n\\tHooksPath = \"my \\\\\\n hooks\" # mine\\n' >> .git/config",
      "my  hooks/pre-commit",
      `chmod +x my*/*; ${COMMIT}`,
    ]),
    planted("1-24", "a folder of hooks by its absolute path", [
      'git init -q; git config core.hooksPath "$PWD/./x/../hk"; mkdir x',
      "hk/pre-commit",
      `chmod +x hk/*; ${COMMIT}`,
    ]),
    planted("1-25", "a file of settings that others include", [
      "git init -q; git config include.path ../shared; printf '[include]\\n\\tpath = deep/two\\n' > shared; mkdir deep",
      "deep/two",
      STATUS,
    ], MONITOR),
    planted("1-26", "a file of settings that is included on a condition", [
      "git init -q; git config includeIf.onbranch:later.path ../later",
      "later",
      "git symbolic-ref HEAD refs/heads/later; git status >/dev/null; test ! -e planted",
    ], MONITOR),
    planted("1-27", "the program of a filter", [
      "git init -q; mkdir t; echo cat > t/clean.sh; git config filter.x.clean 'cd t && sh ./clean.sh'; echo '*.c filter=x' > .gitattributes; echo 1 > a.c",
      "t/clean.sh",
      "git add a.c; test ! -e planted",
    ], "touch ../planted; cat\n"),
    planted("1-28", "the script of a monitor", [
      "git init -q; git config core.fsmonitor 'sh watch.sh'; echo > watch.sh",
      "watch.sh",
      STATUS,
    ]),
    planted("1-29", "the script of an alias", [
      "git init -q; git config alias.go '!\"$(git rev-parse --show-toplevel)\"/go.sh'",
      "go.sh",
      "chmod +x go.sh; git go; test ! -e planted",
    ]),
    planted("1-30", "the program that shows a kind of file as text", [
      "git init -q; git config diff.x.textconv './text.sh'; echo '*.b diff=x' > .gitattributes; echo 1 > a.b; git add .; echo 2 > a.b",
      "text.sh",
      "chmod +x text.sh; git diff >/dev/null; test ! -e planted",
    ]),
    planted("1-31", "the settings of one working tree", [
      "git init -q; git config extensions.worktreeConfig true; git config --worktree core.hooksPath tree-hooks",
      "tree-hooks/pre-commit",
      `chmod +x tree-hooks/*; ${COMMIT}`,
    ]),
    planted("1-32", "the folder that the file .git names", [
      "git init -q --bare .bare; git --git-dir=.bare config core.bare false; echo 'gitdir: ./.bare' > .git",
      ".bare/hooks/pre-commit",
      `chmod +x .bare/hooks/*; ${COMMIT}`,
    ]),
    planted("1-33", "the settings in the folder that the file .git names", [
      "git init -q --separate-git-dir=data",
      "data/config",
      STATUS,
    ], MONITOR),
    planted("1-34", "the folder that the link .git leads to", [
      "git init -q; mv .git real; ln -s real .git",
      "real/config",
      STATUS,
    ], MONITOR),
    planted("1-35", "a folder that the link .git and another link lead to", [
      "git init -q; mkdir far; mv .git far/real; ln -s far via; ln -s via/real .git",
      "far/real/hooks/pre-commit",
      `chmod +x far/real/hooks/*; ${COMMIT}`,
    ]),
    planted("1-36", "the repository that working trees share", [
      "git init -q a; git -C a commit -q --allow-empty -m x; git clone -q --bare a main.git; git -C main.git worktree add -q ../tree 2>/dev/null; rm -rf a",
      "main.git/hooks/pre-commit",
      "chmod +x main.git/hooks/*; cd tree; git commit -q --allow-empty -m y; test ! -e planted",
    ]),
    planted("1-37", "the settings of a bare repository", [
      "git init -q --bare b.git",
      "b.git/config",
      "cd b.git; git status >/dev/null 2>&1; test ! -e planted",
    ], MONITOR),
    planted("1-38", "a hook of a bare repository", [
      "git init -q --bare b.git; git init -q .; git commit -q --allow-empty -m x",
      "b.git/hooks/pre-receive",
      'chmod +x b.git/hooks/*; git push -q "$PWD/b.git" HEAD:main; test ! -e b.git/planted',
    ]),
    planted("1-39", "a nested repository whose settings name a script outside of it", [
      "git init -q deep/er; git -C deep/er config core.fsmonitor ../../watch.sh",
      "watch.sh",
      "chmod +x watch.sh; cd deep/er; git status >/dev/null; test ! -e planted",
    ]),
    planted("1-40", "the folder behind the link .vscode", [
      "mkdir conf; ln -s conf .vscode",
      "conf/tasks.json",
      "test ! -e conf/tasks.json",
    ]),
    planted("1-41", "the folder behind the link .husky, not there yet", [
      "ln -s hooks .husky",
      "hooks/pre-commit",
      "test ! -e hooks",
    ]),
    {
      id: "1-42",
      title: "settings of the user that name a folder of hooks in each repository",
      alone: true,
      files: { "home/.gitconfig": "[user]\n\tname = u\n\temail = u@x\n[core]\n\thooksPath = own-hooks\n" },
      setup: "git init -q",
      calls: write("own-hooks/pre-commit", HOOK),
      after: `chmod +x own-hooks/* 2>/dev/null; ${COMMIT}`,
    },
    {
      id: "1-43",
      title: "a profile of the user that is a link into the workspace",
      alone: true,
      setup: 'mkdir dot; echo > dot/rc; ln -s "$PWD/dot/rc" "$HOME/.bashrc"',
      calls: write("dot/rc", "touch planted\n"),
      unchanged: ["dot"],
    },
    ...["HEAD", "objects/x", "refs/x", "config"].map((last, at): Attack => {
      const parts = { HEAD: "ref: refs/heads/main\n", "objects/x": "", "refs/x": "", config: MONITOR };
      const others = Object.entries(parts).filter(([name]) => name !== last);
      return {
        id: `1-${44 + at}`,
        title: `a repository in a folder, its ${last} at the end`,
        calls: [...others, [last, parts[last as keyof typeof parts]] as const]
          .flatMap(([name, content]) =>
            write(`<at>/sub/${name}`, content, ["ok", "permission_denied", "conflict"])
          ),
        after: "cd sub; git status >/dev/null 2>&1; test ! -e planted",
      };
    }),
    {
      id: "1-48",
      title: "a repository at the top, after the HEAD of .git was broken",
      alone: true,
      setup: "git init -q",
      calls: [
        ...write(".git/HEAD", "broken"),
        ...write("objects/x", "", "ok"),
        ...write("refs/x", "", "ok"),
        ...write("config", MONITOR, "ok"),
        ...write("HEAD", "ref: refs/heads/main\n"),
      ],
      after: STATUS,
    },
    {
      id: "1-49",
      title: "a repository of HEAD and commondir",
      calls: [
        ...write("<at>/c/config", MONITOR, "ok"),
        ...write("<at>/g/commondir", "../c\n", "ok"),
        ...write("<at>/g/HEAD", "ref: refs/heads/main\n"),
      ],
      after: "cd g; git status >/dev/null 2>&1; test ! -e planted",
    },
  ]),
);
