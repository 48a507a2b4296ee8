import { assert, assertEquals } from "@std/assert";

import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { programsOf } from "../../../../../runtime/programs/shell/programs_of.ts";
import { refuseCommand } from "../../../../../runtime/programs/shell/refuse_command.ts";
import type { Command, CommandPolicy, Risk } from "../../../../../schemas/command.ts";
import { hostileScripts } from "../../../../support/hostile_scripts.ts";
import { listed } from "../../../../support/listed.ts";

type Shown = readonly [program: string, ...args: (string | null)[]];

function script(text: string): Command {
  return { script: text, shell: "bash" };
}

async function commandsOf(command: Command): Promise<Shown[]> {
  const { commands } = await analyseCommand(command);
  return commands.map(({ program, args }) => [program, ...args]);
}

const SCRIPTS: readonly [text: string, commands: readonly Shown[]][] = [
  ["", []],
  ["# only a comment", []],
  ["ls -la", [["ls", "-la"]]],
  ["ls; cat a && rm b || true & wc", [["ls"], ["cat", "a"], ["rm", "b"], ["true"], ["wc"]]],
  ["ls | wc -l", [["ls"], ["wc", "-l"]]],
  ["a\nb", [["a"], ["b"]]],
  ["(ls; { rm x; })", [["ls"], ["rm", "x"]]],
  ["if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]],
  ["while a; do b; done; until c; do d; done", [["a"], ["b"], ["c"], ["d"]]],
  ["for x in $(a); do b; done", [["a"], ["b"]]],
  ["for ((i=$(a);;)); do b; done", [["a"], ["b"]]],
  ["case $(a) in $(b)) c;; esac", [["a"], ["b"], ["c"]]],
  ["select x in $(a); do b; done", [["a"], ["b"]]],
  ["[[ -f $(a) ]]; (( x = $(b) )); echo $(( $(c) + 1 ))", [["a"], ["b"], ["c"], ["echo", null]]],
  ["f() { a; }; f x", [["a"]]],
  ["false && f() { a; }; f", [["false"], ["a"], ["f"]]],
  ["coproc a", [["a"]]],
  ["! a; time b", [["a"], ["b"]]],
  ["echo $(a `b`) <(c) >(d)", [["b"], ["a", null], ["c"], ["d"], ["echo", null, "/dev/fd/63", null]]],
  ["x=$(a) y=(1 $(b)) c", [["a"], ["b"], ["c"]]],
  ["echo ${x:-$(a)} ${y[$(b)]}", [["a"], ["b"], ["echo", null, null]]],
  ["cat <<END\n$(a)\nEND\n", [["a"], ["cat"]]],
  ["cat <<'END'\n$(a)\nEND\n", [["cat"]]],
  ["cat <<< $(a) > $(b)", [["a"], ["b"], ["cat"]]],
  ['r""m \'a b\' "c d" e\\ f', [["rm", "a b", "c d", "e f"]]],
  ["$'\\x72m' $'a\\tb'", [["rm", "a\tb"]]],
  ["echo {a,b}{c,d} {1..3} x{,y} {a..c}", [
    ["echo", "ac", "ad", "bc", "bd", "1", "2", "3", "x", "xy", "a", "b", "c"],
  ]],
  ["echo {a,'b,c',{d,e}}", [["echo", "a", "b,c", "d", "e"]]],
  ["echo {1..1000000}", [["echo", null]]],
  ["cat${IFS}a", [["cat", "a"]]],
  ["X='rm -rf'; $X a", [["rm", "-rf", "a"]]],
  ["X='rm -rf'; \"$X\" a", [["rm -rf", "a"]]],
  ["X=a; X=b; echo $X", [["echo", null]]],
  ["read X; X=a; echo $X", [["read", "X"], ["echo", null]]],
  ["if c; then X=a; fi; echo $X", [["c"], ["echo", null]]],
  ["(X=a); echo $X", [["echo", null]]],
  ["export X=a; echo ${X}b ${X%b}", [["export", "X=a"], ["echo", "ab", null]]],
  ['echo ~ $HOME "${HOME}/x"', [["echo", "~", "~", "~/x"]]],
  ['echo "$@" $1 $?', [["echo", null, null, null]]],
  ["echo *.ts [a-z]", [["echo", "*.ts", "[a-z]"]]],
  ["eval 'a; b'", [["a"], ["b"]]],
  ["bash -c 'a \"$0\"' x", [["a", null]]],
  ["bash -c 'bash -c \"bash -c a\"'", [["a"]]],
  ["echo 'rm x' | sh", [["echo", "rm x"], ["rm", "x"]]],
  ["bash <<'END'\nrm x\nEND\n", [["rm", "x"]]],
  ["trap 'rm x' EXIT", [["rm", "x"], ["trap", "rm x", "EXIT"]]],
];

const ARGV: readonly [argv: readonly string[], commands: readonly Shown[], via: readonly string[]][] = [
  [["/usr/bin/ls", "-l"], [["ls", "-l"]], []],
  [["env", "-i", "-u", "X", "A=1", "ls"], [["ls"]], ["env"]],
  [["env", "-S", "rm -rf", "x"], [["rm", "-rf", "x"]], ["env"]],
  [["nice", "-n", "5", "ls"], [["ls"]], ["nice"]],
  [["nice", "-n5", "ls"], [["ls"]], ["nice"]],
  [["ionice", "-c2", "-n", "0", "ls"], [["ls"]], ["ionice"]],
  [["timeout", "-k", "5", "--signal=KILL", "10", "ls"], [["ls"]], ["timeout"]],
  [["stdbuf", "-oL", "ls"], [["ls"]], ["stdbuf"]],
  [["nohup", "setsid", "ls"], [["ls"]], ["nohup", "setsid"]],
  [["sudo", "-nu", "root", "X=1", "ls"], [["ls"]], ["sudo"]],
  [["chroot", "/x", "ls"], [["ls"]], ["chroot"]],
  [["unshare", "-r", "ls"], [["ls"]], ["unshare"]],
  [["flock", "-w", "3", "lock", "ls"], [["ls"]], ["flock"]],
  [["busybox", "ls"], [["ls"]], ["busybox"]],
  [["busybox", "sh", "-c", "rm x"], [["rm", "x"]], ["busybox", "sh"]],
  [["watch", "-n", "1", "ls", "|", "wc"], [["ls"], ["wc"]], ["watch"]],
  [["xargs", "-0", "-n", "1", "rm", "-f"], [["rm", "-f", null]], ["xargs"]],
  [["xargs", "-I", "@", "mv", "@", "d"], [["mv", null, "d"]], ["xargs"]],
  [["xargs"], [["xargs"]], []],
  [["bash", "-c", "a"], [["a"]], ["bash"]],
  [["/bin/sh", "-ec", "a"], [["a"]], ["sh"]],
  [["bash", "--norc", "-o", "pipefail", "-lc", "a"], [["a"]], ["bash"]],
  [["./bash", "-c", "a"], [["a"]], ["./bash"]],
  [["su", "-c", "a"], [["su", "-c", "a"], ["a"]], ["su"]],
  [["grep", "$(rm x)", "`rm y`"], [["grep", "$(rm x)", "`rm y`"]], []],
];

Deno.test("analyseCommand() finds the commands of a script", async () => {
  for (const [text, commands] of SCRIPTS) assertEquals(await commandsOf(script(text)), [...commands], text);
});

Deno.test("analyseCommand() looks through what starts other programs", async () => {
  for (const [argv, expected, via] of ARGV) {
    const { commands } = await analyseCommand({ argv });
    const found = commands.map(({ program, args }): Shown => [program, ...args]);
    assertEquals(found, [...expected], argv.join(" "));
    assertEquals(commands.at(-1)?.via, via, argv.join(" "));
  }
});

Deno.test("analyseCommand() finds each command that find runs", async () => {
  const argv = ["find", ".", "-exec", "a", "{}", ";", "-o", "-execdir", "b", "{}", "+", "-ok", "c", ";"];
  const found = (await commandsOf({ argv })).slice(1);
  assertEquals(found, [["a", null], ["b", null], ["c"]]);
});

Deno.test("analyseCommand() lists what is set and written", async () => {
  const { commands } = await analyseCommand(
    script("A=1 env B=2 ls > out 2>> err 2>/dev/null >&2 &> $X; { pwd; } >| all"),
  );
  assertEquals(commands.map(({ program, assigns, writes }) => ({ program, assigns, writes })), [
    { program: "ls", assigns: ["A", "B"], writes: ["out", "err", null] },
    { program: ":", assigns: [], writes: ["all"] },
    { program: "pwd", assigns: [], writes: [] },
  ]);
});

Deno.test("analyseCommand() says why parts cannot be told", async () => {
  const reasons: [text: string, opaque: string[]][] = [
    ["echo $X", []],
    ['rm "$X"', []],
    ['sort -- "$X"', []],
    ['sort "$X"', ["sort gets an argument that is decided when it runs"]],
    ["$X a", ['which program "$X" is, is decided when it runs']],
    ["/bin/r? a", ['which program "/bin/r?" is, is decided when it runs']],
    ["sh x.sh", ["sh runs the text of a file"]],
    ["base64 -d f | sh", ["sh reads a text from stdin"]],
    ['bash -c "$X"', ["bash runs a text that is decided when it runs"]],
    [". ./x", [". runs the text of a file"]],
    ["python3 -c x", ["python3 is given code of another language"]],
    ["python3 <<< x", ["python3 reads code of another language from stdin"]],
    ["PATH=. ls", ["PATH is set, which can change what programs do"]],
    ["read PATH", ["PATH is set, which can change what programs do"]],
    ["IFS= read -r x", []],
    ["PAGER=cat GIT_AUTHOR_NAME=x git log", []],
    ["echo 'x", ["it cannot be parsed: unterminated single quote"]],
    ["ssh h ls", ["ssh runs a command on another machine"]],
    ["enable -f ./x.so x", ["enable brings in other code"]],
  ];
  for (const [text, opaque] of reasons) {
    assertEquals((await analyseCommand(script(text))).opaque, opaque, text);
  }
});

Deno.test("analyseCommand() comes to an end whatever the text", async () => {
  for (const text of hostileScripts(1_000)) {
    assert((await analyseCommand(script(text))).commands.length <= 10_000, text.slice(0, 20));
  }
});

Deno.test("analyseCommand() says so where it stops reading", async () => {
  const many = await analyseCommand(script("echo a; ".repeat(20_000)));
  assertEquals(many.opaque, ["it holds more commands than are looked at"]);
  const long = await analyseCommand(script(`echo ${"a".repeat(300_000)}`));
  assertEquals(long.opaque, ["a text for a shell is too long to be read as a whole"]);
  const deep = await analyseCommand(script(`${"( ".repeat(250)}ls${" )".repeat(250)}`));
  assertEquals(deep.opaque, ["it is nested too deep to be read"]);
});

Deno.test("programsOf() names what is started, builtins left out", async () => {
  const cases: [command: Command, programs: string[]][] = [
    [script("cd a && ls | /opt/x/sort; echo b"), ["ls", "/opt/x/sort"]],
    [script("nice sudo bash -c 'rm x; echo y'"), ["nice", "sudo", "bash", "rm"]],
    [script("env echo x"), ["env", "echo"]],
    [script("find . -exec rm {} +"), ["find", "rm"]],
    [script("$X"), []],
    [{ argv: ["./env", "ls"] }, ["./env", "ls"]],
    [{ argv: ["bash", "-c", "a"] }, ["bash", "a"]],
  ];
  for (const [command, programs] of cases) {
    assertEquals(programsOf(await analyseCommand(command)), programs, JSON.stringify(command));
  }
});

const COMMANDS: Record<Risk, readonly string[]> = {
  low: [
    ...listed(
      'ls -la, cat a | sort | uniq -c, git log --oneline, for f in *.ts; do wc -l "$f"; done',
      "rg x 2>/dev/null, cd a && pwd, python3 --version, awk '{ print $1 }' f, sed -n 1,5p f",
    ),
    "",
  ],
  medium: listed(
    "echo x > f, curl u, npm test, echo $(date), python3 a.py, ./gradlew, git commit -m x, mkdir a",
    "tokei-unknown",
  ),
  high: listed(
    "rm a, chmod 600 a, /bin/chown me a, find . -exec rm {} +, python3 -c x, sh a.sh, $X, LD_PRELOAD=x ls",
    "echo 'unfinished, timeout 500 rm a",
  ),
  critical: ["rm -rf /", "sudo ls", "curl u | sh", "mkfs x"],
};

Deno.test("analyseCommand() rates a text of a shell alike, alone and as an argument", async () => {
  for (
    const script of ["echo $(whoami)", "echo `date`", "$(curl u)", "ls", 'eval "$(id)"', 'x=$(pwd); rm "$x"']
  ) {
    const text = await analyseCommand({ script, shell: "bash" });
    const argument = await analyseCommand({ argv: ["bash", "-c", script] });
    assertEquals([argument.risk, argument.rules], [text.risk, text.rules], script);
  }
});

Deno.test("analyseCommand() rates the risk", async () => {
  for (const [risk, scripts] of Object.entries(COMMANDS)) {
    for (const script of scripts) {
      assertEquals((await analyseCommand({ script, shell: "bash" })).risk, risk, script);
    }
  }
});

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
