import { type Attack, type AttackCall, attackTests, bash, read, SECRET, write } from "../attack.ts";

/** What bulkhead keeps of other runs. */
const KEPT = ["sessions/zz/trace.jsonl", "sessions/zz/session.json", "runs/other/picture.png"];
const STATE = Object.fromEntries(KEPT.map((name) => [`state/${name}`, `${SECRET}\n`]));

const FILES = [...KEPT, "sessions/zz/new.jsonl"];

const searches: readonly AttackCall[] = [
  { tool: "Glob", arguments: { path: "<state>", pattern: "**/*" }, refusal: "permission_denied" },
  { tool: "Grep", arguments: { path: "<state>", pattern: "hunter" }, refusal: "permission_denied" },
  { tool: "Grep", arguments: { path: "<root>/state", pattern: "hunter2" } },
];

function attack(at: number, title: string, calls: readonly AttackCall[], flags: readonly string[]): Attack {
  return {
    id: `3-${101 + at}`,
    title: `${title}, with ${flags.join(" ")}`,
    files: STATE,
    ...(calls.some(({ tool }) => tool === "Bash") ? { needs: ["sandbox"] } : {}),
    calls,
    flags,
    after: `cd <state>; for name in ${KEPT.join(" ")}; do [ "$(cat $name)" = ${SECRET} ] || exit 1; done; ` +
      "test ! -e sessions/zz/new.jsonl",
  };
}

const GRANTS = [["-A"], ["--allow-read=<root>", "--allow-write=<root>"], [
  "--allow-read",
  "--allow-write=<state>",
]];

attackTests(
  3,
  GRANTS.flatMap((flags, which) => [
    ...FILES.map((name, at) =>
      attack(10 * which + at, `the state's ${name}`, [
        ...read(`<state>/${name}`),
        ...write(`<state>/${name}`, "x"),
      ], flags)
    ),
    attack(10 * which + 5, "the state, by searches", searches, flags),
    attack(10 * which + 6, "the state, by a command", [
      bash(
        `cat <state>/sessions/zz/*; for name in ${
          FILES.join(" ")
        }; do echo x > <state>/$name; rm <state>/$name; done`,
      ),
    ], flags),
  ]),
);
