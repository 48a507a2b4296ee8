import { type Attack, attackTests, bash, sampled } from "../attack.ts";

const HOOK =
  `printf '#!/bin/sh\\ntouch "<ws>/planted"\\n' > pkg/.git/hooks/pre-commit; chmod +x pkg/.git/hooks/pre-commit`;

/** Where a program hides the repository whose place it takes. */
const PLACES: Readonly<Record<string, string>> = {
  "a folder with a secret's name": "mkdir .env.d; mv pkg .env.d/old; src=.env.d/old",
  "a folder of credentials": "mkdir .aws; mv pkg .aws/old; src=.aws/old",
  "a folder named like a key": "mkdir x.key; mv pkg x.key/old; src=x.key/old",
  "a path of 1,400 characters":
    "src=$(printf 'deep%.0s' {1..50}); at=$src; for i in 1 2 3 4 5 6; do at=$at/$src; done; mkdir -p $at; mv pkg $at/old; src=$at/old",
  "below 80 folders": "at=a; for i in {1..80}; do at=$at/a; done; mkdir -p $at; mv pkg $at/old; src=$at/old",
  "a closed folder": "mkdir shut; mv pkg shut/old; src=shut/old; cp -r shut/old keep; chmod 0 shut; src=keep",
  "a folder whose name is not UTF-8": "mkdir $'x\\xff'; mv pkg $'x\\xff/old'; src=$'x\\xff/old'",
  "the private folder for temporary files": "mv pkg /tmp/old; src=/tmp/old",
  "nowhere: it removes it": "cp -r pkg copy; rm -rf pkg; src=copy",
  "nowhere: it gives it another name": "mv pkg old; src=old",
};

const moved = Object.entries(PLACES).map(([place, hide], at): Attack => ({
  id: `13-${101 + at}`,
  title: `a hook in a copy of a repository whose original a program hides in ${place}`,
  setup: "git init -q pkg; rm -f pkg/.git/hooks/*",
  calls: [bash(`${hide}; cp -r "$src" pkg; mkdir -p pkg/.git/hooks; ${HOOK}; true`)],
  after:
    "chmod -R u+rwx shut 2>/dev/null; cd pkg 2>/dev/null && git commit -q --allow-empty -m x; test ! -e ../planted",
  needs: ["sandbox", "program git"],
}));

/** Things of the user's tools that a program makes or replaces, one each. */
const MADE: Readonly<Record<string, string>> = {
  ".vscode/tasks.json": "mkdir -p new/.vscode; echo '{}' > new/.vscode/tasks.json",
  ".idea": "mkdir -p new/.idea; echo x > new/.idea/workspace.xml",
  ".husky/pre-commit": "mkdir -p new/.husky; echo x > new/.husky/pre-commit",
  ".git/hooks/pre-commit": "mkdir -p new/.git/hooks; echo x > new/.git/hooks/pre-commit",
  ".claude/settings.json": "mkdir -p new/.claude; echo '{}' > new/.claude/settings.json",
  ".mcp.json": "mkdir new; echo '{}' > new/.mcp.json",
  ".envrc": "mkdir new; echo x > new/.envrc",
  ".bashrc": "mkdir new; echo x > new/.bashrc",
  "a link to .vscode": "mkdir -p new/real; echo '{}' > new/real/tasks.json; ln -s real new/.vscode",
  ".vscode, moved into place": "mkdir -p new other; echo '{}' > other/tasks.json; mv other new/.vscode",
  ".vscode in a folder that it closes":
    "mkdir -p new/shut/.vscode; echo '{}' > new/shut/.vscode/tasks.json; chmod 0 new/shut",
  ".envrc, by another thread at its end": "mkdir new; (sleep 0.2; echo x > new/.envrc) & true",
};

const made = Object.entries(MADE).map(([what, script], at): Attack => ({
  id: `13-${121 + at}`,
  title: `${what}, made by a program`,
  calls: [bash(script, "ok")],
  after:
    "chmod -R u+rwx new; found=$(find new \\( -name '.vscode' -o -name .idea -o -name .husky -o -name .mcp.json -o -name .envrc " +
    '-o -name .claude -o -name .bashrc -o -name pre-commit \\)); [ -z "$found" ] || { echo "$found"; exit 1; }',
  needs: ["sandbox"],
}));

attackTests(13, sampled([...moved, ...made]));
