import { assertEquals } from "@std/assert";

import { type Attack, attackTests, bash, sampled, SECRET } from "../attack.ts";

// Trees whose git folder lies elsewhere: a `.git` that leads out of what is granted.

const REPOSITORY =
  `git init -q <outside>/m; cd <outside>/m; echo ${SECRET} > f; git add f; git commit -q -m ${SECRET}; cd "$OLDPWD"`;
const LOG = "cd t; git log -p; git cat-file --batch --batch-all-objects; cat <outside>/m/.git/logs/HEAD";

/** A `.git` that somebody planted, and that opens no repository of the user. */
function planted(id: string, title: string, setup: string): Attack {
  return {
    id,
    title,
    needs: ["sandbox", "program git"],
    setup: `${REPOSITORY}; mkdir t; ${setup}`,
    calls: [bash(`${LOG}; git commit --allow-empty -m x; true`)],
    after: "test $(git --git-dir=<outside>/m/.git rev-list --all --count) = 1",
  };
}

attackTests(
  4,
  sampled([
    planted("4-300", "a .git file that names another repository", "echo gitdir: <outside>/m/.git > t/.git"),
    planted("4-301", "a .git that is a link to another repository", "ln -s <outside>/m/.git t/.git"),
    planted(
      "4-302",
      "a .git file that names the folder of another working tree",
      "git -C <outside>/m worktree add -q <outside>/w; cp <outside>/w/.git t/.git",
    ),
    planted(
      "4-303",
      "a .git that is a link to the .git file of another working tree",
      "git -C <outside>/m worktree add -q <outside>/w; ln -s <outside>/w/.git t/.git",
    ),
    planted(
      "4-304",
      "a tree's folder of its own, which shares another repository",
      'mkdir a; echo gitdir: ../a > t/.git; echo "$PWD/t/.git" > a/gitdir; echo <outside>/m/.git > a/commondir; echo ref: refs/heads/x > a/HEAD',
    ),
    planted(
      "4-305",
      "such a folder, with its parts behind links",
      'mkdir -p c/worktrees/a; for p in objects refs HEAD logs; do ln -s <outside>/m/.git/$p c/$p; done; echo gitdir: ../c/worktrees/a > t/.git; echo "$PWD/t/.git" > c/worktrees/a/gitdir; echo ../.. > c/worktrees/a/commondir; echo ref: refs/heads/x > c/worktrees/a/HEAD',
    ),
    planted(
      "4-306",
      "the folder of a submodule of somebody else",
      "git -C <outside>/m config core.worktree ../../other; mkdir <outside>/other; echo gitdir: <outside>/m/.git > t/.git",
    ),
    planted("4-307", "a circle of .git files and links", "echo gitdir: ../u > t/.git; ln -s t/.git u"),
    planted("4-308", "a .git that leads to the root", "echo gitdir: / > t/.git"),
    planted(
      "4-309",
      "a working tree that was moved",
      "git -C <outside>/m worktree add -q <outside>/w; mv <outside>/w t/w; mv t/w/.git t/.git",
    ),
  ], 5),
);

/** A linked working tree of the user's, and what a program does in it. Of its repository, refs and objects may change. */
function inTree(id: string, title: string, command: string, after: string): Attack {
  const repository = `R=<root>/repositories/${id}; C=$R/m/.git; T=$PWD/t`;
  return {
    id,
    title,
    needs: ["sandbox", "program git"],
    setup: `${repository}; mkdir -p $R; git init -q $R/m; cd $R/m; git config user.name me; ` +
      "git config user.email me@host; git commit -q --allow-empty -m 1; git worktree add -q $R/o; " +
      "git worktree add -q $T; git config extensions.worktreeConfig true",
    calls: [bash(`${repository}; cd t; git commit -q --allow-empty -m 2; ${command}; true`, "ok")],
    async after({ wall, bash }) {
      // Behind Landlock git only reads there.
      const commits = wall === "landlock" ? 1 : 2;
      const held = `test $(git -C t rev-list HEAD --count) = ${commits} && { ${after}; }`;
      const { code, stdout, stderr } = await bash(`${repository}; ${held}`);
      assertEquals(code, 0, `${held}\n${stdout}${stderr}`);
    },
  };
}

const MONITOR = "'touch planted; false'";
const STATUS =
  "for d in t $R/m $R/o; do (cd $d; git status >/dev/null; git commit -q --allow-empty -m x; test ! -e planted) || exit 1; done";

attackTests(
  1,
  sampled([
    inTree(
      "1-320",
      "a hook of the repository that a working tree shares",
      "printf '#!/bin/sh\\ntouch planted\\n' > $C/hooks/pre-commit; chmod +x $C/hooks/pre-commit; mv $C/hooks $C/h; mkdir $C/hooks",
      STATUS,
    ),
    inTree(
      "1-321",
      "settings of that repository, and of the tree",
      `git config core.fsmonitor ${MONITOR}; git config --worktree core.fsmonitor ${MONITOR}; printf '[core]\\n\\tfsmonitor = "touch planted; false"\\n' | tee $C/config $C/config.worktree $C/worktrees/*/config.worktree`,
      STATUS,
    ),
    inTree(
      "1-322",
      "another folder that the repository shares, and other pointers",
      `mkdir -p e/objects e/refs; cp $C/HEAD e; printf '[core]\\n\\tfsmonitor = "touch planted; false"\\n' > e/config; for f in $C/commondir $C/worktrees/*/commondir $PWD/.git $C/worktrees/*/gitdir; do echo $PWD/e > $f; done`,
      STATUS,
    ),
    inTree(
      "1-323",
      "a rebase of the main tree that starts a program",
      "mkdir $C/rebase-merge; cd $C/rebase-merge; echo exec touch planted > git-rebase-todo; echo refs/heads/x > head-name; git rev-parse HEAD | tee onto orig-head; touch interactive",
      "cd $R/m; GIT_EDITOR=true git rebase --continue >/dev/null 2>&1; test ! -e planted",
    ),
    inTree(
      "1-324",
      "the index and the branch of other working trees",
      "echo ref: refs/heads/evil | tee $C/HEAD $C/worktrees/o/HEAD; rm -rf $C/index $C/worktrees/o; mv $C/worktrees $C/w; git worktree prune --expire=now",
      "git -C $R/m diff --cached --quiet && git -C $R/m symbolic-ref HEAD && git -C $R/o status >/dev/null",
    ),
  ], 3),
);
