// Kind 4: what a condition allows or refuses is what the call would touch.
import { type Attack, type AttackCall, attackTests } from "./attack.ts";

/** Write only below `src` of a case; by par/write anything but what has "secret" in its name. */
const RULES = JSON.stringify({
  tools: {
    "harness/Write": { permission: { when: { path: "4-*/src/*" } } },
    "harness/str_replace_editor": { permission: { when: { path: "4-*/src/*" }, otherwise: "confirm" } },
    "par/write": {
      permission: { when: { path: ["*secret*", "*/locked/*"] }, then: "deny", otherwise: "allow" },
    },
    "harness/Read": { permission: { when: { path: "*secret*" }, then: "deny", otherwise: "allow" } },
  },
});

const FILES = {
  "ws/Makefile": "all:\n",
  "ws/secret.txt": "kept\n",
  "ws/locked/f": "kept\n",
  "ws/docs/kept": "",
  "ws/src/x/kept": "",
};
const LINKS = {
  "ws/src/up": "..",
  "ws/src/direct": "../Makefile",
  "ws/link": "secret.txt",
  "ws/open": "locked",
  "ws/src/self": "<ws>",
  "ws/src/x/far": "../../docs",
  "ws/src/dangling": "missing-secret",
};

const KEPT = ["Makefile", "secret.txt", "locked", "docs"];
const NEW = ["package.json", "docs/new", "locked/new", "missing-secret", "src/missing-secret", "new"];

const put = (tool: string) => (path: string): AttackCall => ({
  tool,
  arguments: { path, content: "taken", overwrite: true },
  refusal: "denied_by_policy",
});
const write = put("Write");
const parWrite = put("par/write");
const create = (path: string): AttackCall => ({
  tool: "harness/str_replace_editor",
  arguments: { command: "create", path, file_text: "taken" },
  refusal: "denied_by_policy",
});
const read = (path: string): AttackCall => ({
  tool: "Read",
  arguments: { path },
  refusal: "denied_by_policy",
});

const TRIES: readonly (readonly [title: string, calls: readonly AttackCall[]])[] = [
  ["dots out of an allowed folder", [write("<at>/src/../Makefile"), write("<at>/src/x/../../package.json")]],
  ["doubled slashes before the dots", [
    write("<at>/src//../Makefile"),
    write("<at>/src/.//..//package.json"),
  ]],
  ["a link out of the allowed folder", [write("<at>/src/up/Makefile"), write("<at>/src/up/new")]],
  ["a link to one file outside", [write("<at>/src/direct")]],
  ["a link and dots after it", [write("<at>/src/x/../up/docs/new"), write("<at>/src/x/far/../Makefile")]],
  ["a link to the folder around", [write("<at>/src/self/package.json"), write("<at>/src/self/src/../new")]],
  ["a chain of links", [write("<at>/src/self/src/up/new"), write("<at>/src/x/far/new")]],
  ["the absolute path", [write("<ws>/src/../Makefile"), write("<ws>/./src/up/new")]],
  ["folders that do not exist, and dots", [
    write("<at>/src/a/b/../../../new"),
    write("<at>/src/a/../../new"),
  ]],
  ["a trailing slash", [write("<at>/src/../new/"), write("<at>/src/up/")]],
  ["a link to a denied name", [parWrite("<at>/link"), read("<at>/link")]],
  ["a link to a denied folder", [parWrite("<at>/open/new"), parWrite("<at>/open/f")]],
  ["a denied name, spelled with dots", [
    parWrite("<at>/docs/../secret.txt"),
    read("<at>/./docs/..//secret.txt"),
  ]],
  ["a denied name through a link and dots", [parWrite("<at>/src/up/secret.txt"), read("<at>/src/self/link")]],
  ["a dangling link to a denied name", [parWrite("<at>/src/dangling")]],
  ["a home folder that is none", [write("~/4-16/src/../new"), write("~/../4-16/src/../new")]],
  ["another tool under the same condition", [create("<ws>/src/../new"), create("<ws>/src/up/new")]],
  ["a name with an escape", [write("<at>/src/%2e%2e/../../new"), write("<at>/src/..\\../../../new")]],
];

attackTests(
  4,
  TRIES.map(([title, calls], at): Attack => ({
    id: `4-${`${at + 1}`.padStart(2, "0")}`,
    title,
    files: { ...FILES, "home/judge.json": RULES },
    links: LINKS,
    flags: ["--config=<home>/judge.json"],
    calls: [...calls, {
      tool: "Write",
      arguments: { path: "<at>/src/allowed", content: "fine", overwrite: true },
      refusal: "ok",
    }],
    unchanged: KEPT,
    absent: NEW,
  })),
);
