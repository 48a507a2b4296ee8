import { assertEquals, assertMatch } from "@std/assert";

import {
  type Attack,
  type AttackCall,
  attackTests,
  bash,
  type Place,
  read,
  sampled,
  SECRET,
  write,
} from "../attack.ts";

/** A session of another run, kept beside as it was. */
function session(id: string, state = "<state>"): string {
  const at = `${state}/sessions/s${id}`;
  return `mkdir -p -m 700 ${at}/artifacts; echo '{"t":"${SECRET}"}' > ${at}/trace.jsonl; ` +
    `echo ${SECRET} > ${at}/artifacts/a.txt; chmod -R go-rwx ${state}; cp -r ${at} <outside>/before`;
}

function unchanged(id: string, state = "<state>"): string {
  return `diff -r <outside>/before ${state}/sessions/s${id} && ! ls -d ${state}/sessions/new`;
}

const ALL = ["-A"];

/** What is tried with everything granted; `S` stands for the folder of the session. */
const UNDER_ALL: readonly { id: string; title: string; calls: AttackCall[]; setup?: string }[] = [
  { id: "3-01", title: "reads of a trace", calls: read("S/trace.jsonl") },
  { id: "3-02", title: "reads of what another session left", calls: read("S/artifacts/a.txt") },
  { id: "3-03", title: "writes over a trace", calls: write("S/trace.jsonl", "x") },
  { id: "3-04", title: "a new session", calls: write("<state>/sessions/new/trace.jsonl", "x") },
  { id: "3-05", title: "a picture among those of a session", calls: write("S/artifacts/b.png", "x") },
  {
    id: "3-06",
    title: "reads behind a link to the state",
    setup: "ln -s <state> l",
    calls: read("<at>/l/sessions/s3-06/trace.jsonl"),
  },
  {
    id: "3-07",
    title: "writes behind a link to a trace",
    setup: "ln -s <state>/sessions/s3-07/trace.jsonl l",
    calls: write("<at>/l", "x"),
  },
  {
    id: "3-08",
    title: "writes behind a chain of links",
    setup: "ln -s <state>/sessions b; ln -s b l",
    calls: write("<at>/l/s3-08/trace.jsonl", "x"),
  },
  {
    id: "3-09",
    title: "paths with dots and double slashes",
    calls: [
      ...read("<state>/..//bulkhead/./sessions/s3-09/trace.jsonl"),
      ...write("<state>/x/../sessions/new", "x"),
    ],
  },
  {
    id: "3-10",
    title: "searches and lists of the state",
    calls: [
      { tool: "Grep", arguments: { pattern: ".", path: "<state>" }, refusal: "permission_denied" },
      { tool: "Glob", arguments: { pattern: "**/*", path: "<state>" }, refusal: "permission_denied" },
    ],
  },
  {
    id: "3-11",
    title: "searches from above the state",
    calls: [
      { tool: "Grep", arguments: { pattern: "hunter2", path: "<root>/state" }, refusal: "ok" },
      { tool: "par/grep", arguments: { pattern: "hunter2", path: "<root>/state" }, refusal: "ok" },
    ],
  },
  {
    id: "3-12",
    title: "edits of a trace",
    calls: [
      {
        tool: "par/edit",
        arguments: { path: "S/trace.jsonl", old_string: "t", new_string: "u" },
        refusal: ["permission_denied", "invalid_input"],
      },
      {
        tool: "Edit",
        arguments: { path: "S/trace.jsonl", patch: "@@ -1 +1 @@\n-a\n+b\n" },
        refusal: ["permission_denied", "invalid_input"],
      },
    ],
  },
  { id: "3-13", title: "records of running programs", calls: write("<state>/running/x.json", "{}") },
  {
    id: "3-14",
    title: "the configuration, also its reads",
    setup: "mkdir -p <home>/.config/bulkhead",
    calls: [
      ...write("<home>/.config/bulkhead/config.json", "{}"),
      ...write("<home>/.config/bulkhead/other", "x"),
      {
        tool: "Glob",
        arguments: { pattern: "*", path: "<home>/.config/bulkhead" },
        refusal: "permission_denied",
      },
    ],
  },
  { id: "3-15", title: "a flag that names the state does not open it", calls: read("S/trace.jsonl") },
];

const PROGRAMS: readonly (readonly [id: string, title: string, script: string])[] = [
  ["3-16", "a program that reads the state", "cat S/trace.jsonl; grep -r hunter2 <state>"],
  ["3-17", "a program that writes into the state", "echo x > S/trace.jsonl; mkdir -p <state>/sessions/new"],
  [
    "3-18",
    "a program that moves the state",
    "mv <state> <root>/elsewhere; mv <root>/state <root>/elsewhere; rm -rf <state>",
  ],
  [
    "3-19",
    "a program behind a link",
    "ln -s <state> l; cat l/sessions/s3-19/trace.jsonl; echo x > l/sessions/s3-19/y",
  ],
];

const named = (id: string, calls: readonly AttackCall[]): AttackCall[] =>
  JSON.parse(JSON.stringify(calls).replaceAll('"S/', `"<state>/sessions/s${id}/`));

const ON_DISK: Attack[] = [
  ...UNDER_ALL.map(({ id, title, calls, setup = "true" }): Attack => ({
    id,
    title,
    flags: id === "3-15" ? ["--allow-read=<state>", "--allow-write=<state>", "--allow-secrets=<state>"] : ALL,
    setup: `${session(id)}; ${setup}`,
    calls: named(id, calls),
    after: unchanged(id),
  })),
  ...PROGRAMS.map(([id, title, script]): Attack => ({
    id,
    title,
    flags: ALL,
    setup: session(id),
    calls: [bash(script.replaceAll("S/", `<state>/sessions/s${id}/`))],
    after: unchanged(id),
    needs: ["sandbox"],
  })),
];

/** Where the state may lie in the workspace, by the variables that say so. */
const PLACES: readonly (readonly [
  id: string,
  title: string,
  env: Record<string, string>,
  state: string,
  setup?: string,
])[] = [
  ["3-20", "the workspace is the home", { HOME: "<ws>", XDG_STATE_HOME: "" }, "<ws>/.local/state/bulkhead"],
  ["3-21", "XDG_STATE_HOME in the workspace", { XDG_STATE_HOME: "<ws>/st" }, "<ws>/st/bulkhead"],
  [
    "3-22",
    "XDG_STATE_HOME behind a link in the workspace",
    { XDG_STATE_HOME: "<ws>/l" },
    "<ws>/real/bulkhead",
    "mkdir real; ln -s real l; ",
  ],
  ["3-23", "XDG_STATE_HOME is the workspace", { XDG_STATE_HOME: "<ws>" }, "<ws>/bulkhead"],
];

const IN_WORKSPACE = PLACES.map(([id, title, env, state, setup = ""]): Attack => ({
  id,
  title,
  env,
  alone: true,
  setup: `${setup}${session(id, state)}`,
  calls: [
    ...read(`${state}/sessions/s${id}/trace.jsonl`),
    ...write(`${state}/sessions/s${id}/trace.jsonl`, "x"),
    ...write(`${state}/sessions/new/trace.jsonl`, "x"),
    { tool: "Grep", arguments: { pattern: "hunter2" }, refusal: "ok" },
    { tool: "Glob", arguments: { pattern: "**/*.jsonl" }, refusal: "ok" },
    bash(
      `cat ${state}/sessions/*/*; echo x >> ${state}/sessions/s${id}/trace.jsonl; mkdir -p ${state}/sessions/new`,
    ),
  ],
  after: unchanged(id, state),
}));

const RUN =
  '{"t":"run","v":1,"run_id":"x","session_id":"zz","time":"2026-01-01T00:00:00.000Z","version":"0.1.0",' +
  '"model":"m","workspace":"<ws>","policy":"coder","tools":["Read"],"resumed":false}';
const PICTURE =
  '{"t":"message","message":{"role":"user","kind":"task","content":[{"type":"text","text":"go on"},' +
  '{"type":"image","path":"<outside>/id_ed25519","mime_type":"image/png","bytes":60}]}}';
const PLANTED = "<state>/sessions/zz";

/** Sessions that bulkhead did not make, and why it does not go on with them. */
const SESSIONS: readonly (readonly [id: string, title: string, setup: string, why: RegExp])[] = [
  ["3-30", "a picture elsewhere", "true", /names ".*id_ed25519" as a picture/],
  [
    "3-31",
    "a picture behind a link",
    `ln -s <outside>/id_ed25519 ${PLANTED}/artifacts/p.png; sed -i 's#<outside>/id_ed25519#${PLANTED}/artifacts/p.png#' ${PLANTED}/trace.jsonl`,
    /names ".*p\.png" as a picture/,
  ],
  ["3-32", "others may write the trace", `chmod 666 ${PLANTED}/trace.jsonl`, /other users may write/],
  ["3-33", "others may write the folder", `chmod 777 ${PLANTED}`, /other users may write/],
  [
    "3-34",
    "a folder that is a link",
    `mv ${PLANTED} <outside>/zz; ln -s <outside>/zz ${PLANTED}`,
    /is a link/,
  ],
  [
    "3-35",
    "a trace that is a link",
    `mv ${PLANTED}/trace.jsonl <outside>/t; ln -s <outside>/t ${PLANTED}/trace.jsonl`,
    /is a link|no session/,
  ],
  ["3-36", "a trace with a second name", `ln ${PLANTED}/trace.jsonl <outside>/t`, /has a second name/],
  [
    "3-37",
    "artifacts that are a link",
    `rmdir ${PLANTED}/artifacts; ln -s <outside> ${PLANTED}/artifacts`,
    /is a link/,
  ],
];

const LINES = [RUN, '{"t":"message","message":{"role":"system","content":"s"}}', PICTURE];

const OPENED = SESSIONS.map(([id, title, setup, why]): Attack => ({
  id,
  title: `a planted session: ${title}`,
  files: { "outside/id_ed25519": SECRET },
  setup:
    `mkdir -p -m 700 ${PLANTED}/artifacts; printf '%s\\n' ${LINES.map((line) => `'${line}'`).join(" ")} > ` +
    `${PLANTED}/trace.jsonl; chmod -R go-rwx <state>; ${setup}`,
  async act(place: Place) {
    const words = ["--model=m", "--base-url=http://127.0.0.1:9/v1", "--policy=read-only"];
    const { code, stdout, stderr } = await place.run(["run", "--resume=zz", ...words, ...place.flags]);
    assertMatch(stderr, why);
    assertEquals([[2, 6].includes(code), (stdout + stderr).includes(SECRET)], [true, false]);
  },
}));

attackTests(3, [...sampled(ON_DISK), ...IN_WORKSPACE, ...OPENED]);
