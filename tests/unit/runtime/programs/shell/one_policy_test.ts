import { assertEquals } from "@std/assert";

import { makeJudge } from "../../../../../runtime/programs/launch/judge_command.ts";
import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { commandPolicy, namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Command, CommandPolicy } from "../../../../../schemas/command.ts";

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

const text = (script: string): Command => ({ script, shell: "bash" });
const typed = (script: string): Command => ({ script, shell: "bash", typed: true });

Deno.test("a typed line is refused as the same text is, once it is ended", async () => {
  const lines = [
    "python3 -c 1",
    "rm a",
    "make",
    "./a.sh",
    "$p -c 1",
    "eval $x",
    "cat a > b",
    "ls 'unfinished",
    "choom -n 0 -- python3 x",
    "curl https://example.com",
    "unknown words",
    "ls -l",
    "grep x a | sort",
  ];
  for (const policy of [READ_ONLY, LISTED]) {
    for (const line of lines) {
      const rule = await ruleOf(text(line), policy);
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
  const refused = [
    "choom -n 0 -- ./evil",
    "choom -n 5 rm x",
    "logsave - ./evil",
    "perf stat -e x -- ./evil",
    "scp -S ./evil a b:c",
    "setarch -R ./evil",
    "setarch x86_64 -R rm x",
    "setarch -R tee fifo",
    "ssh-agent ./evil",
    "start-stop-daemon --start --exec ./evil -- a",
    "start-stop-daemon -S -x /usr/bin/python3 -- -c 1",
    "valgrind --tool=none ./evil",
    "xdg-user-dir DESKTOP",
    "/lib64/ld-linux-x86-64.so.2 /usr/bin/python3 -c 1",
    "ld-linux-x86-64.so.2 --preload a.so ./evil",
    "msgfilter -i a.po ./evil",
    "zic -y ./evil a",
    "zip -q -TT './evil' a.zip a",
    "someunknown --run python3 -c 1",
    "someunknown --program=/usr/bin/perl",
    "tini -- ./evil",
    "env someunknown bash -c 1",
    "git-push",
    "/usr/lib/git-core/git-push",
  ];
  for (const line of refused) {
    for (const policy of [READ_ONLY, LISTED]) {
      assertEquals(await ruleOf(text(line), policy) !== null, true, `${policy.name}: ${line}`);
    }
  }
  for (const line of ["someunknown --color file.py", "setarch -R ls", "nice ls", "git-status"]) {
    assertEquals(await ruleOf(text(line), READ_ONLY), null, line);
  }
});

Deno.test("a rule that denies sees options taken apart, and programs that stand for others", async () => {
  const remove = namedPolicy("mine", { base: "coder", deny: ["rm -rf"] }).commands;
  for (
    const line of [
      "rm -rf x",
      "rm -fr x",
      "rm -r -f x",
      "rm -rvf x",
      "rm --recursive --force x",
      "rm -R x --force",
    ]
  ) {
    assertEquals(await ruleOf(text(line), remove), "deny", line);
  }
  for (const line of ["rm -r x", "rm -f x", "rm x", "rm -i x"]) {
    assertEquals(await ruleOf(text(line), remove), null, line);
  }
  const push = namedPolicy("mine", { base: "coder", deny: ["git push", "npm publish"] }).commands;
  const denied = [
    "git-push",
    "/usr/lib/git-core/git-push origin",
    "/lib64/ld-linux-x86-64.so.2 /usr/bin/git push",
    "git submodule foreach git push",
    "git submodule foreach 'git -C x push'",
    'git rebase --exec "git push" HEAD~1',
    "git bisect run git push",
    "git -c alias.p=push p",
    "git -c alias.p='!git push' p",
    "npx npm publish",
    "corepack npm publish",
    "$x; sh -c 'git push'",
  ];
  for (const line of denied) {
    assertEquals(await ruleOf(text(line), push), "deny", line);
    assertEquals(await ruleOf(typed(`${line}\n`), push), "deny", line);
  }
  for (
    const line of ["git commit -m 'before the push'", "git log", "npm test", "git-status", "echo git push"]
  ) {
    assertEquals(await ruleOf(text(line), push), null, line);
  }
});
