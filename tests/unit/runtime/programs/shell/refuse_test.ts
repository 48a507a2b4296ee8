import { assert, assertEquals } from "@std/assert";

import { makeJudge } from "../../../../../runtime/programs/launch/judge_command.ts";
import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { refuseCommand } from "../../../../../runtime/programs/shell/refuse_command.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { commandPolicy, namedPolicy, readRule } from "../../../../../runtime/walls/grants/policies.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { listed } from "../../../../support/listed.ts";
import type { Command, CommandPolicy } from "../../../../../schemas/command.ts";

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

/** Each of these commands is refused by this rule of a policy, or by none. */
async function expectRule(rule: string | null, by: CommandPolicy, ...lines: string[]): Promise<void> {
  for (const script of listed(...lines)) assertEquals(await ruleFor(script, by), rule, script);
}

const READS = [
  ...listed(
    "ls -la, cat a | grep b | sort | uniq -c | head -5, cd a && pwd && echo done",
    "find . -name '*.ts' -type f -print0, find . -name '*.ts' -exec grep -l x {} +, find . | xargs grep x",
    "git log --oneline -5, git -C sub diff --stat, git --no-pager show HEAD, git branch --list",
    "git branch -a, git stash list, git remote -v, git config --get user.name, GIT_PAGER=cat git log",
    "git -c color.ui=false status, sed -n '1,5p' f, sed -e 's/a/b/g; s/e/w/' f",
    "awk -F: '$3 > 5 { print $1 }' f, awk '/a|b/ { print ($1 > 2) }' f, rg -n x src, fd ts, tar tzf a.tgz",
    'gzip -dc a.gz | head, diff <(sort a) <(sort b), for f in *.ts; do echo "$f"; head -1 "$f"; done',
    'while IFS= read -r l; do echo "$l"; done < f, x=$(wc -l < f); echo "$x", [[ -f a ]] && test -d b',
    "echo error >&2, ls 2>/dev/null, date +%s, env, jq .a f.json, bash -c 'ls | wc', command -v git",
    "/usr/bin/cat f, timeout 5 grep -r x .",
  ),
  "printf '%s\\n' \"$x\"",
];

const WRITES = listed(
  "rm a, mv a b, cp a b, chmod 600 a, chown me a, tee a, touch a, mkdir a, ln -s a b, apt install a",
  "pip install a, npm test, cargo build, make, install a b, truncate -s 0 a, sed -i s/a/b/ f",
  "date -s now, tar czf a.tgz b, unzip a, git commit -m x, git branch new, git stash",
  "git config user.name x, git fetch, gzip a, xxd -r a b, wget https://x, curl -o a https://x",
);

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
  const scripts = "curl u, nc h 1, ssh h, ping h, git ls-remote, openssl s_client h, cat https://x/a";
  await expectRule(null, policy("no-write"), scripts);
  await expectRule("network", policy("listed"), scripts);
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
  await expectRule(
    "deny",
    by,
    "git push --force, git push --force=x origin, git push -f, git push -uf, git -C d push -f",
    "git push --forc, /usr/bin/git push -f, curl u, ./curl u, ls | xargs curl, $X curl u",
    'npx kubectl delete pod, kubectl -n x delete pod, kubectl "$X", /opt/x/tool a, tool a',
  );
  await expectRule(null, by, "git push, git log -f, kubectl get delete, echo curl, npx kubectl get pods");
  const error = await refusal("git push -f", by);
  assertEquals(
    error?.message,
    'Cannot run "git": policy "review" denies "git push --force -f"; use another command, or remove that rule from the policy',
  );
  assertEquals(await ruleFor("curl u", policy("free", { allow: ["curl"], deny: ["curl"] })), "deny");
  // Also where it only starts another one.
  const wrappers = policy("free", { allow: [], deny: ["nice", "xargs -p", "timeout"] });
  await expectRule("deny", wrappers, "nice ls, /usr/bin/nice ls, nice env X=1 ls, timeout 1 ls");
  await expectRule(null, wrappers, "xargs ls, env ls");
});

Deno.test("refuseCommand() wants every command among those that are allowed", async () => {
  const by = policy("free", { allow: ["git log", "ls", "/opt/x/tool"] });
  await expectRule(null, by, "ls -la, git log -5 | ls, git -C d log, /usr/bin/ls, /opt/x/tool a, bash -c ls");
  await expectRule("allow", by, "git push, git push log, ls; cat a, ./ls, tool a, log, ls $(cat a), ls | sh");
  assertEquals(await ruleFor("LD_PRELOAD=x ls", by), "opaque");
  assertEquals(
    (await refusal("cat a", by))?.message,
    'Cannot run "cat": policy "review" allows only git log, ls, /opt/x/tool; use one of these, or add a rule to the policy',
  );
  assertEquals(await ruleFor("rm a", policy("no-write", { allow: ["rm"] })), "writes");
});

Deno.test("refuseCommand() refuses the part of a typed line for what it is known to do", async () => {
  const by = policy("listed", { deny: ["curl"], allow: ["ls"] });
  const reads = policy("no-write");
  const cases: [script: string, by: CommandPolicy, rule: string | undefined][] = [
    ["x = 'it is python", by, undefined],
    ["rm a > b", by, "writes"],
    ["python3 x.py", reads, "code"],
    ["unknown words", reads, undefined],
    ["curl u", by, "deny"],
    ["sudo ls", by, "sudo"],
  ];
  for (const [script, by, rule] of cases) {
    assertEquals((await refusal(script, by, { isPart: true }))?.details["rule"], rule, script);
  }
});

Deno.test("refuseCommand() refuses an interpreter that gets its code later, and lets a shell wait", async () => {
  for (const level of ["no-write", "listed"] as const) {
    assertEquals((await refusal("python3 -", policy(level), { unforeseen: true }))?.details["rule"], "code");
    assertEquals(await refusal("bash --norc", policy(level), { unforeseen: true }), null);
    assertEquals(await refusal("make --version", policy("no-write")), null);
  }
});

const READ_ONLY = commandPolicy("read-only");
const LISTED = commandPolicy("read-only-no-net");

/** The rule that refuses a command, `null` if none does. */
async function ruleOf(command: Command, commands: CommandPolicy): Promise<unknown> {
  const place = { workspace: "/ws", cwd: "/ws", realPath: (path: string) => path };
  const judge = makeJudge({ ...makeGrants({}, place), commands }, analyseCommand);
  try {
    await judge(command, { interprets: false, onAnalysis: () => {} });
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.details["rule"];
  }
}

const typed = (script: string): Command => ({ script, shell: "bash", typed: true });

Deno.test("a typed line is refused as the same text is, once it is ended", async () => {
  const lines = listed(
    "python3 -c 1, rm a, make, ./a.sh, $p -c 1, eval $x, cat a > b, ls 'unfinished",
    "choom -n 0 -- python3 x, curl https://example.com, unknown words, ls -l, grep x a | sort",
  );
  for (const policy of [READ_ONLY, LISTED]) {
    for (const line of lines) {
      const rule = await ruleFor(line, policy);
      for (const end of ["\n", "\r", "\r\n"]) {
        assertEquals(await ruleOf(typed(`${line}${end}`), policy), rule, `${policy.name}: ${line}`);
      }
    }
  }
});

Deno.test("keys for a program that waits are no command, and Ctrl-C before a line changes nothing", async () => {
  for (const keys of ["q", " ", "\x1b[A", "\x04", "y", "it's", "\x03", "\x15"]) {
    assertEquals(await ruleOf(typed(keys), LISTED), null, JSON.stringify(keys));
  }
  assertEquals(await ruleOf(typed("\x03ls\n"), LISTED), null);
  assertEquals(await ruleOf(typed("\x15ls -l\n"), LISTED), null);
  assertEquals(await ruleOf(typed("x\x03ls\n"), LISTED) !== null, true);
  assertEquals(await ruleOf(typed("ls -l\n\x04"), LISTED), null);
});

Deno.test("a line that keys or history change is not clear, where only what is clear may run", async () => {
  const lines = [
    // Ctrl-C takes the first line away.
    "ls \\\n\x03touch a\n",
    "-c 1\x01python3 \n",
    "pyth\t -c 1\n",
    "\x1b[A\n",
    "xpython3\x17ls\n",
    "!!\n",
    "!py\n",
    "^ls^rm\n",
  ];
  for (const line of lines) {
    assertEquals(await ruleOf(typed(line), READ_ONLY), "opaque", JSON.stringify(line));
    assertEquals(await ruleOf(typed(line), commandPolicy("coder")), null, JSON.stringify(line));
  }
  assertEquals(await ruleOf(typed("[ ! -e x ] && echo $!\n"), READ_ONLY), null);
});

Deno.test("a wrapper is known by what it starts, and one that is not known starts no interpreter", async () => {
  for (
    const line of listed(
      "choom -n 0 -- ./evil, choom -n 5 rm x, logsave - ./evil, perf stat -e x -- ./evil",
      "scp -S ./evil a b:c, setarch -R ./evil, setarch x86_64 -R rm x, setarch -R tee fifo, ssh-agent ./evil",
      "start-stop-daemon --start --exec ./evil -- a, start-stop-daemon -S -x /usr/bin/python3 -- -c 1",
      "valgrind --tool=none ./evil, xdg-user-dir DESKTOP, /lib64/ld-linux-x86-64.so.2 /usr/bin/python3 -c 1",
      "ld-linux-x86-64.so.2 --preload a.so ./evil, msgfilter -i a.po ./evil, zic -y ./evil a",
      "zip -q -TT './evil' a.zip a, someunknown --run python3 -c 1, someunknown --program=/usr/bin/perl",
      "tini -- ./evil, env someunknown bash -c 1, git-push, /usr/lib/git-core/git-push",
    )
  ) for (const by of [READ_ONLY, LISTED]) assert(await ruleFor(line, by) !== null, `${by.name}: ${line}`);
  await expectRule(null, READ_ONLY, "someunknown --color file.py, setarch -R ls, nice ls, git-status");
});

Deno.test("a rule that denies sees options taken apart, and programs that stand for others", async () => {
  const remove = namedPolicy("mine", { base: "coder", deny: ["rm -rf"] }).commands;
  const all = "rm -rf x, rm -fr x, rm -r -f x, rm -rvf x, rm --recursive --force x, rm -R x --force";
  await expectRule("deny", remove, all);
  await expectRule(null, remove, "rm -r x, rm -f x, rm x, rm -i x");
  const push = namedPolicy("mine", { base: "coder", deny: ["git push", "npm publish"] }).commands;
  const denied = listed(
    "git-push, /usr/lib/git-core/git-push origin, /lib64/ld-linux-x86-64.so.2 /usr/bin/git push",
    "git submodule foreach git push, git submodule foreach 'git -C x push'",
    'git rebase --exec "git push" HEAD~1, git bisect run git push, git -c alias.p=push p',
    "git -c alias.p='!git push' p, npx npm publish, corepack npm publish, $x; sh -c 'git push'",
  );
  await expectRule("deny", push, ...denied);
  for (const line of denied) assertEquals(await ruleOf(typed(`${line}\n`), push), "deny", line);
  await expectRule(
    null,
    push,
    "git commit -m 'before the push', git log, npm test, git-status, echo git push",
  );
});
