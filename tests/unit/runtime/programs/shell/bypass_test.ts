import { assert, assertEquals } from "@std/assert";

import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { refuseCommand } from "../../../../../runtime/programs/shell/refuse_command.ts";
import { listed } from "../../../../support/listed.ts";
import type { CommandPolicy } from "../../../../../schemas/command.ts";

/** Spellings by the program that they hide, which is found all the same. */
const HIDING: Readonly<Record<string, readonly string[]>> = {
  rm: [
    ...listed(
      "ls $(rm x), ls `rm x`, echo x | tee >(rm x), cat <(rm x), ls; rm x, ls && rm x, ls || rm x",
      "ls | rm x, ls & rm x, bash -c 'rm x', env rm x, env -S 'rm x', ls | xargs rm, nice rm x",
      "timeout 5 rm x, find . -exec rm {} ;, find . -execdir rm {} +, r''m x, rm${IFS}x, rm$IFS$()x",
      "{rm,x}, X=rm; $X x, X=r; ${X}m x, alias ls='rm x'; ls, ls() { rm x; }; ls",
      "function ls { rm x; }; ls, trap 'rm x' EXIT, git -c alias.x='!rm x' x",
      "git -c core.pager='rm x' log, git -c core.fsmonitor='rm x' status",
      "git -c core.sshCommand='rm x' ls-remote, git -c core.editor='rm x' log, fd -x rm, sh <<< 'rm x'",
      "cd /etc && rm passwd, echo rm x | sh, echo rm x | bash -s, printf 'rm x' | sh, busybox rm x",
      "command rm x, exec rm x, builtin eval 'rm x', parallel rm ::: x, echo $(( $(rm x) ))",
      "[[ -n $(rm x) ]], echo ${x:-$(rm x)}, a[$(rm x)]=1, case x in $(rm x)) ;; esac",
    ),
    ...['ls "$(rm x)"', "ls\nrm x", "ls\r\nrm x", `${"ls; ".repeat(60)}rm x`],
    ...[`${"ls && ".repeat(60)}rm x`, "find . -exec rm {} \\;", "find . -ex\\ec rm {} +"],
    ...['find . "-ex"ec rm {} +', 'r""m x', "\\rm x", "$'\\x72m' x", "$'\\162m' x"],
    ...["sh <<'END'\nrm x\nEND\n"],
  ],
  echo: ["echo x > ~/.bashrc", "echo x >> .profile"],
  "a.sh": ["./a.sh"],
  find: [...listed("find . -delete, find . -fprintf out x, find . -fprint out, find . -fls out")],
  cat: ["./cat f", "./env cat f", "/tmp/cat f"],
  x: [
    ...listed(
      "git grep -O./x y, git grep --open-files-in-pager=./x y, git -ccore.pager=./x log, rg --pre ./x y",
      "rg --pre=./x y, sort --compress-program=./x f, sort --compress-p ./x f",
      "tar tf a --checkpoint=1 --checkpoint-action=exec=./x, tar tf a --to-command=./x, tar tf a -I ./x",
      "man -P ./x ls",
    ),
  ],
  git: [...listed("git diff --output=f, git log --output f, git checkout ., git push, git unknown")],
  sort: ["sort -o f f"],
  tar: ["tar xf a"],
  sed: ["sed -n 'w out' f", "sed 's/a/b/w out' f", "sed -i s/a/b/ f"],
  exec: ["exec 3<>/dev/tcp/h/1"],
  tmux: ["tmux new -d 'rm x'"],
  patch: ["patch < f"],
  yarn: ["yarn install"],
  docker: ["docker run x"],
};
/** Those of which it is said that they are unclear. */
const UNCLEAR: readonly string[] = [
  ...listed(
    "echo cm0gLXJmIC8= | base64 -d | sh, echo rm x > a.sh; sh a.sh, sh a.sh, source a.sh, r[m] x",
    "/bin/r? x, $X x, ${X:-rm} x, ${X:0:1}m x, PAGER=./x git log, GIT_PAGER=./x git log",
    "GIT_SSH_COMMAND=./x git log, GIT_EXTERNAL_DIFF=./x git diff, LD_PRELOAD=./x.so ls, BASH_ENV=./x ls",
    "export LD_PRELOAD=./x.so; ls, env PATH=. ls, PATH=. ls, read PATH < f; ls, git grep -O y",
    "git diff --ext-diff, git --exec-path=. log, tar tIf ./x a, sed '1e rm x' f, sed 's/a/b/e' f",
    "sed 's|a|b|;e' f, sed -f script f, awk -f script f, less '+!rm x' f, vim -c ':!rm x' f",
    "python3 -c 'import os', node -e 'x', perl -e 'x', ruby -e 'x', perl -ne 'x' f, ｒｍ x, сat f",
    "enable -f ./x.so y, mapfile -C 'rm x' -c 1 a < f, complete -C ./x y",
  ),
  ...['eval "$(printf cm0)"', "ls\rrm x", "awk 'BEGIN { system(\"rm x\") }'"],
  ...["awk '{ print | \"sh\" }' f", "awk '{ print > \"out\" }' f"],
  ...["awk '\"rm x\" | getline' f", "awk '/#/ { system(\"rm x\") }' f"],
  ...["gawk -e 'BEGIN { system(\"rm x\") }'", "sh <<END\n$X\nEND\n"],
  ...["cat <<END | sh\nrm x\nEND\n"],
];

function policy(level: "no-write" | "listed"): CommandPolicy {
  return { name: level, level, allow: [], deny: [] };
}

Deno.test("analyseCommand() is not misled by spellings that hide a program", async () => {
  for (const [program, scripts] of Object.entries(HIDING)) {
    for (const script of scripts) {
      const { commands } = await analyseCommand({ script, shell: "bash" });
      assert(commands.some((command) => command.program === program), script);
    }
  }
  for (const script of UNCLEAR) {
    const { opaque } = await analyseCommand({ script, shell: "bash" });
    assert(opaque.length > 0, `${script}: nothing is unclear`);
  }
});

Deno.test("refuseCommand() refuses them wherever commands may only read", async () => {
  for (const level of ["no-write", "listed"] as const) {
    for (const script of [...Object.values(HIDING).flat(), ...UNCLEAR]) {
      const analysis = await analyseCommand({ script, shell: "bash" });
      assertEquals(refuseCommand(analysis, policy(level))?.code, "denied_by_policy", `${level}: ${script}`);
    }
  }
});
