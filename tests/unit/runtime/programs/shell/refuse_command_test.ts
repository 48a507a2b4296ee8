import { assertEquals } from "@std/assert";

import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { refuseCommand } from "../../../../../runtime/programs/shell/refuse_command.ts";
import { readRule } from "../../../../../runtime/walls/grants/policies.ts";
import type { CommandPolicy } from "../../../../../schemas/command.ts";

type Level = CommandPolicy["level"];

function policy(level: Level, rules: { allow?: string[]; deny?: string[] } = {}): CommandPolicy {
  const { allow = [], deny = [] } = rules;
  return { name: "review", level, allow: allow.map(readRule), deny: deny.map(readRule) };
}

async function refusal(
  script: string,
  by: CommandPolicy,
  options: { isPart?: boolean; unforeseen?: boolean } = {},
) {
  const analysis = await analyseCommand({ script, shell: "bash", ...options });
  return refuseCommand(analysis, by, options);
}

async function ruleFor(script: string, by: CommandPolicy): Promise<unknown> {
  return (await refusal(script, by))?.details["rule"] ?? null;
}

const READS = [
  "ls -la",
  "cat a | grep b | sort | uniq -c | head -5",
  "cd a && pwd && echo done",
  "find . -name '*.ts' -type f -print0",
  "find . -name '*.ts' -exec grep -l x {} +",
  "find . | xargs grep x",
  "git log --oneline -5",
  "git -C sub diff --stat",
  "git --no-pager show HEAD",
  "git branch --list",
  "git branch -a",
  "git stash list",
  "git remote -v",
  "git config --get user.name",
  "GIT_PAGER=cat git log",
  "git -c color.ui=false status",
  "sed -n '1,5p' f",
  "sed -e 's/a/b/g; s/e/w/' f",
  "awk -F: '$3 > 5 { print $1 }' f",
  "awk '/a|b/ { print ($1 > 2) }' f",
  "rg -n x src",
  "fd ts",
  "tar tzf a.tgz",
  "gzip -dc a.gz | head",
  "diff <(sort a) <(sort b)",
  'for f in *.ts; do echo "$f"; head -1 "$f"; done',
  'while IFS= read -r l; do echo "$l"; done < f',
  'x=$(wc -l < f); echo "$x"',
  "[[ -f a ]] && test -d b",
  "echo error >&2",
  "ls 2>/dev/null",
  "date +%s",
  "env",
  "jq .a f.json",
  "bash -c 'ls | wc'",
  "command -v git",
  "printf '%s\\n' \"$x\"",
  "/usr/bin/cat f",
  "timeout 5 grep -r x .",
];

const WRITES = [
  "rm a",
  "mv a b",
  "cp a b",
  "chmod 600 a",
  "chown me a",
  "tee a",
  "touch a",
  "mkdir a",
  "ln -s a b",
  "apt install a",
  "pip install a",
  "npm test",
  "cargo build",
  "make",
  "install a b",
  "truncate -s 0 a",
  "sed -i s/a/b/ f",
  "date -s now",
  "tar czf a.tgz b",
  "unzip a",
  "git commit -m x",
  "git branch new",
  "git stash",
  "git config user.name x",
  "git fetch",
  "gzip a",
  "xxd -r a b",
  "wget https://x",
  "curl -o a https://x",
];

Deno.test("refuseCommand() lets reading pass on every level", async () => {
  for (const level of ["free", "no-write", "listed"] as const) {
    for (const script of READS) {
      assertEquals(await ruleFor(script, policy(level)), null, `${level}: ${script}`);
    }
  }
});

Deno.test("refuseCommand() holds writing back where commands may only read", async () => {
  for (const script of WRITES) {
    assertEquals(await ruleFor(script, policy("free")), null, script);
    assertEquals(await ruleFor(script, policy("no-write")), "writes", script);
    assertEquals((await refusal(script, policy("listed")))?.code, "denied_by_policy", script);
  }
});

Deno.test("refuseCommand() holds the network back where only listed programs may run", async () => {
  const scripts = [
    "curl u",
    "nc h 1",
    "ssh h",
    "ping h",
    "git ls-remote",
    "openssl s_client h",
    "cat https://x/a",
  ];
  for (const script of scripts) {
    assertEquals(await ruleFor(script, policy("no-write")), null, script);
    assertEquals(await ruleFor(script, policy("listed")), "network", script);
  }
});

Deno.test("refuseCommand() names what stands in the way", async () => {
  const cases: [script: string, level: Level, rule: string, message: string][] = [
    [
      "rm -rf /",
      "free",
      "rm-rf-root",
      "Cannot run this command: rule rm-rf-root forbids it under every policy; do it another way, or leave it to the user",
    ],
    [
      "$(which python3) --version",
      "free",
      "dollar-paren",
      "Cannot run this command: what it runs is known only when it runs, which rule dollar-paren forbids under every " +
      "policy; first find that out with a command of its own, then write out what shall run",
    ],
    [
      "rm a",
      "no-write",
      "writes",
      'Cannot run "rm": it changes files or the system, and policy "review" allows only reading; ' +
      "pass --policy=coder to allow it",
    ],
    [
      "echo a > b",
      "no-write",
      "writes",
      'Cannot run "echo": its output is redirected to "b", and policy "review" allows only reading; ' +
      "pass --policy=coder to allow it",
    ],
    [
      "node a.js",
      "no-write",
      "code",
      'Cannot run "node": it runs code that is not known, and policy "review" allows only reading; ' +
      "pass --policy=coder to allow it",
    ],
    [
      "$X",
      "no-write",
      "opaque",
      'Cannot run this command: which program "$X" is, is decided when it runs, and policy "review" allows ' +
      "only what is clear before it runs; write the command out plainly",
    ],
    [
      "mytool",
      "listed",
      "not-listed",
      'Cannot run "mytool": policy "review" allows only programs that are known to read; ' +
      "do it with a command that only reads",
    ],
    [
      "curl u",
      "listed",
      "network",
      'Cannot run "curl": it uses the network, and policy "review" does not allow that; ' +
      "pass --policy=coder to allow it",
    ],
  ];
  for (const [script, level, rule, message] of cases) {
    const error = await refusal(script, policy(level));
    assertEquals(error?.message, message);
    assertEquals(error?.details["rule"], rule);
    assertEquals(error?.details["policy"], "review");
  }
});

Deno.test("refuseCommand() tells programs what was found", async () => {
  assertEquals((await refusal("sudo rm -rf /", policy("free")))?.details, {
    policy: "review",
    rule: "rm-rf-root",
    rules: ["rm-rf-root", "sudo"],
    risk: "critical",
  });
  assertEquals((await refusal("ls; rm a", policy("listed")))?.details, {
    policy: "review",
    rule: "writes",
    rules: [],
    program: "rm",
    flags: ["--policy=coder"],
    risk: "high",
  });
});

Deno.test("refuseCommand() lets denying rules win", async () => {
  const by = policy("free", {
    deny: ["git push --force -f", "curl", "kubectl delete", "/opt/x/tool"],
    allow: [],
  });
  const denied = [
    "git push --force",
    "git push --force=x origin",
    "git push -f",
    "git push -uf",
    "git -C d push -f",
    "git push --forc",
    "/usr/bin/git push -f",
    "curl u",
    "./curl u",
    "ls | xargs curl",
    "kubectl -n x delete pod",
    'kubectl "$X"',
    "/opt/x/tool a",
    "tool a",
  ];
  for (const script of denied) assertEquals(await ruleFor(script, by), "deny", script);
  for (const script of ["git push", "git log -f", "kubectl get delete", "echo curl"]) {
    assertEquals(await ruleFor(script, by), null, script);
  }
  const error = await refusal("git push -f", by);
  assertEquals(
    error?.message,
    'Cannot run "git": policy "review" denies "git push --force -f"; use another command, or remove that rule from the policy',
  );
  assertEquals(await ruleFor("curl u", policy("free", { allow: ["curl"], deny: ["curl"] })), "deny");
});

Deno.test("refuseCommand() wants every command among those that are allowed", async () => {
  const by = policy("free", { allow: ["git log", "ls", "/opt/x/tool"] });
  for (
    const script of [
      "ls -la",
      "git log -5 | ls",
      "git -C d log",
      "/usr/bin/ls",
      "/opt/x/tool a",
      "bash -c ls",
    ]
  ) {
    assertEquals(await ruleFor(script, by), null, script);
  }
  for (const script of ["git push", "ls; cat a", "./ls", "tool a", "log", "ls $(cat a)", "ls | sh"]) {
    assertEquals(await ruleFor(script, by), "allow", script);
  }
  assertEquals(await ruleFor("LD_PRELOAD=x ls", by), "opaque");
  assertEquals(
    (await refusal("cat a", by))?.message,
    'Cannot run "cat": policy "review" allows only git log, ls, /opt/x/tool; use one of these, or add a rule to the policy',
  );
  assertEquals(await ruleFor("rm a", policy("no-write", { allow: ["rm"] })), "writes");
});

Deno.test("refuseCommand() refuses the part of a typed line for what it is known to do", async () => {
  const by = policy("listed", { deny: ["curl"], allow: ["ls"] });
  assertEquals(await refusal("x = 'it is python", by, { isPart: true }), null);
  assertEquals((await refusal("rm a > b", by, { isPart: true }))?.details["rule"], "writes");
  assertEquals(
    (await refusal("python3 x.py", policy("no-write"), { isPart: true }))?.details["rule"],
    "code",
  );
  assertEquals(await refusal("unknown words", policy("no-write"), { isPart: true }), null);
  assertEquals((await refusal("curl u", by, { isPart: true }))?.details["rule"], "deny");
  assertEquals((await refusal("sudo ls", by, { isPart: true }))?.details["rule"], "sudo");
});

Deno.test("refuseCommand() refuses an interpreter that gets its code later, and lets a shell wait", async () => {
  for (const level of ["no-write", "listed"] as const) {
    assertEquals((await refusal("python3 -", policy(level), { unforeseen: true }))?.details["rule"], "code");
    assertEquals(await refusal("bash --norc", policy(level), { unforeseen: true }), null);
    assertEquals(await refusal("make --version", policy("no-write")), null);
  }
});
