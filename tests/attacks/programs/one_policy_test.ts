import { type Attack, type AttackCall, attackTests, bash } from "../attack.ts";

const needs = ["sandbox"] as const;

/** A line in a terminal, which is opened for it; the number of the terminal is that of the run. */
function typed(line: string): AttackCall {
  return {
    tool: "manus/bash",
    arguments: { command: line },
    refusal: "denied_by_policy",
    unboxed: ["permission_denied", "denied_by_policy"],
  };
}

const LINES = [
  'python3 -c \'open("planted", "w")\'',
  "./evil.sh",
  "make",
  "p=python3; $p -c 1",
  'eval "$x"',
  "choom -n 0 -- ./evil.sh",
  "setarch -R tee planted",
  "start-stop-daemon --start --exec ./evil.sh -- a",
  "ssh-agent ./evil.sh",
  "valgrind ./evil.sh",
  "xdg-user-dir DESKTOP",
  "logsave - ./evil.sh",
  "someunknown --run python3 -c 1",
  "zip -q -TT ./evil.sh a.zip a",
  "git-push",
  "/lib64/ld-linux-x86-64.so.2 ./evil.sh",
];

/** The same by each tool that starts programs. */
const policies = ["read-only", "read-only-no-net"] as const;
const refused = ["denied_by_policy"] as const;
const lines = policies.flatMap((policy, group) =>
  LINES.map((line, at): Attack => ({
    id: `9-${40 + 25 * group + at}`,
    title: `${line}, under ${policy}`,
    files: { "ws/evil.sh": "#!/bin/sh\ntouch planted\n" },
    calls: [
      {
        ...bash("true"),
        arguments: { command: line },
        refusal: refused,
        unboxed: ["permission_denied", "denied_by_policy"],
      },
      typed(line),
    ],
    flags: [`--policy=${policy}`],
    absent: ["planted"],
    needs,
  }))
);

attackTests(9, [
  ...lines,
  {
    id: "9-01",
    title: "a line typed in pieces, over a backslash, and changed by keys",
    alone: true,
    calls: [
      { tool: "TerminalStart", arguments: {}, refusal: "ok" },
      ...[
        ["python3 -c 'print(6*7)'\n"],
        ["pytho\\\n", "n3 -c 1\n"],
        ["-c 1\u0001python3 \n"],
        ["\u0003python3\n"],
        ["ls\n", "!py\n"],
        ["alias x=python3\n"],
      ].flatMap((pieces) =>
        pieces.map((input, at): AttackCall => ({
          tool: "TerminalWrite",
          arguments: { session_id: "term_1", input, append_newline: false, yield_time_ms: 200 },
          refusal: at === pieces.length - 1 ? "denied_by_policy" : "ok",
        }))
      ),
    ],
    flags: ["--policy=read-only"],
    needs,
  },
  {
    id: "9-02",
    title: "write into a pipe that a program of the host reads",
    setup: "mkfifo pipe",
    beside: "exec cat pipe >heard",
    calls: [
      bash("cat /etc/passwd | grep -m1 root; ls -l pipe", "ok"),
      bash("timeout 2 dd of=pipe if=/etc/passwd"),
    ],
    after: "test ! -s heard",
    flags: ["--policy=read-only"],
    needs,
  },
]);

const DENIED = [
  "git-push",
  "git submodule foreach git push",
  'git rebase --exec "git push" HEAD',
  "git bisect run git push",
  "git -c alias.p=push p",
  "/lib64/ld-linux-x86-64.so.2 /usr/bin/git push",
  "rm -fr x",
  "rm -r -f x",
  "rm --recursive --force x",
  "rm -rvf x",
  "npx npm publish",
];
const RULES = JSON.stringify({
  policies: { mine: { base: "coder", deny: ["git push", "rm -rf", "npm publish"] } },
});

attackTests(
  9,
  DENIED.map((line, at): Attack => ({
    id: `9-${20 + at}`,
    title: `${line}, where a rule denies it`,
    files: { "home/rules.json": RULES, "ws/x/y": "kept\n" },
    calls: [bash(line, "denied_by_policy", ["denied_by_policy", "permission_denied"]), {
      tool: "manus/bash",
      arguments: { command: `cd <at> && ${line}` },
      refusal: "denied_by_policy",
      unboxed: ["denied_by_policy", "permission_denied"],
    }],
    flags: ["--config=<home>/rules.json", "--policy=mine"],
    unchanged: ["x"],
  })),
);
