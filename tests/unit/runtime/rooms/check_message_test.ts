import { assert, assertEquals } from "@std/assert";

import { isAsk } from "../../../../runtime/rooms/asks/check_ask.ts";
import type { RoomLink } from "../../../../runtime/rooms/protocol.ts";
import { readMessage } from "../../../../runtime/rooms/check_message.ts";
import { Room } from "../../../../runtime/rooms/room.ts";
import { folderProfile } from "../../../support/probe_rooms.ts";

const OUTCOME = {
  ok: true,
  result: null,
  text: "",
  images: [],
  warnings: [],
  error: null,
  targets: [],
};
const ERROR = { code: "not_found", message: "m", retryable: false, details: {} };

Deno.test("readMessage() takes what an honest room says", { permissions: "none" }, () => {
  const done = { t: "done", id: 1, outcome: OUTCOME };
  const target = { kind: "run", value: "sh", command: { script: "true", shell: "sh" } };
  for (
    const message of [
      { t: "ready" },
      { t: "died", what: "TypeError: late" },
      { t: "ask", n: 1, ask: { kind: "state.get", key: "k" } },
      { t: "progress", id: 1, progress: { done: 1, total: 2, message: "m" } },
      done,
      { ...done, outcome: { ...OUTCOME, ok: false, error: ERROR } },
      { ...done, outcome: { ...OUTCOME, targets: [target], result: { a: [1] } } },
    ]
  ) assertEquals<unknown>(readMessage(message), message);
});

Deno.test("readMessage() refuses what no honest room says", { permissions: "none" }, () => {
  const outcomes = [
    null,
    [],
    {},
    { ...OUTCOME, text: 5 },
    { ...OUTCOME, images: [null] },
    { ...OUTCOME, warnings: [{}] },
    { ...OUTCOME, warnings: { length: 1 } },
    { ...OUTCOME, ok: "yes" },
    { ...OUTCOME, error: ERROR },
    { ...OUTCOME, ok: false },
    { ...OUTCOME, ok: false, error: { ...ERROR, code: "constructor" } },
    { ...OUTCOME, ok: false, error: { ...ERROR, details: null } },
    { ...OUTCOME, targets: [{ kind: "ffi", value: "x" }] },
  ];
  const messages = [
    null,
    "ready",
    [],
    {},
    { t: "__proto__" },
    { t: "breach" },
    { t: "died", what: {} },
    { t: "ask", n: 1, ask: null },
    { t: "ask", n: NaN, ask: { kind: "state.get", key: "k" } },
    { t: "done", id: "1", outcome: OUTCOME },
    ...outcomes.map((outcome) => ({ t: "done", id: 1, outcome })),
  ];
  for (const message of messages) assertEquals(readMessage(message), null, JSON.stringify(message));
});

Deno.test("readMessage() keeps a room from steering a terminal and from forging events", {
  permissions: "none",
}, () => {
  const forged = { message: "\x1b[2Jm", type: "run.end", exit_code: 0, total: "1" };
  assertEquals<unknown>(readMessage({ t: "progress", id: 1, progress: forged }), {
    t: "progress",
    id: 1,
    progress: { message: "m" },
  });
  const outcome = {
    ...OUTCOME,
    ok: false,
    text: "\x1b]52;c;eA==\x07t",
    warnings: ["\x9bw"],
    error: { ...ERROR, message: "\x1bcm" },
  };
  const read = readMessage({ t: "done", id: 1, outcome });
  assertEquals(
    read?.t === "done" && [read.outcome.text, read.outcome.warnings, read.outcome.error?.message],
    [
      "t",
      ["w"],
      "m",
    ],
  );
});

Deno.test("readMessage() bounds what goes beside a result", { permissions: "none" }, () => {
  const long = "x".repeat(200_000);
  const outcome = {
    ...{ ...OUTCOME, ok: false, error: { ...ERROR, message: long } },
    warnings: [long, ...Array.from({ length: 500 }, String)],
  };
  const read = readMessage({ t: "done", id: 1, outcome });
  assert(read?.t === "done");
  const { warnings, error } = read.outcome;
  assertEquals([warnings.length, warnings[0]?.length, warnings.at(-1)], [
    101,
    2_000,
    "401 more warnings were left out",
  ]);
  assertEquals(error?.message.length, 100_000);
  const said = readMessage({ t: "progress", id: 1, progress: { message: long } });
  assertEquals(said?.t === "progress" && said.progress.message?.length, 2_000);
});

Deno.test("isAsk() knows each question by its fields, and refuses what would harm main", {
  permissions: "none",
}, () => {
  const run = { argv: ["true"] };
  const good = [
    { kind: "state.set", key: "k", value: null },
    { kind: "state.set", key: "k" },
    { kind: "state.hold", key: "k" },
    { kind: "state.giveBack", key: "k" },
    { kind: "program.check", command: run },
    { kind: "program.check", command: { script: "ls", shell: "bash", typed: true } },
    { kind: "program.run", run: { ...run, script: "ls" } },
    { kind: "program.open", spec: { ...run, shell: true } },
    { kind: "program.command", id: "x", script: "ls" },
    {
      kind: "program.run",
      run: { ...run, cwd: "a", env: { A: "b" }, stdin: "", maxBytes: 0 },
    },
    { kind: "program.run", run: { ...run, cwd: undefined } },
    { kind: "program.open", spec: { ...run, terminal: { rows: 1, cols: 1 } } },
    { kind: "program.read", id: "x", read: { waitMs: -1, until: "u", tellRest: true } },
    { kind: "program.close", id: "x", graceMs: 0 },
    { kind: "user.ask", question: "q" },
    { kind: "user.ask", question: "q", context: "c" },
  ];
  const bad = [
    null,
    { kind: "toString" },
    { kind: ["state.get"], key: "k" },
    { kind: "state.get", key: 1 },
    { kind: "state.get" },
    { kind: "state.hold", key: 1 },
    { kind: "program.run", run: { argv: "true" } },
    { kind: "program.run", run: { argv: ["true", 1] } },
    { kind: "program.run", run: {} },
    { kind: "program.run", run, vouched: true },
    { kind: "program.check", command: { ...run, unforeseen: true } },
    { kind: "program.check", command: { script: "ls" } },
    { kind: "program.open", spec: { ...run, shell: "bash" } },
    { kind: "program.command", id: "x" },
    { kind: "program.run", run: { ...run, boxed: false } },
    { kind: "program.run", run: { ...run, env: { A: 1 } } },
    { kind: "program.run", run: { ...run, env: ["A"] } },
    { kind: "program.run", run: { ...run, cwd: null } },
    ...[1e12, -1, NaN, Infinity, "1", null].map((maxBytes) => ({
      kind: "program.run",
      run: { ...run, maxBytes },
    })),
    { kind: "program.run", run: { ...run, timeoutMs: 2 ** 31 } },
    { kind: "program.open", spec: { ...run, terminal: { rows: 1 } } },
    { kind: "program.open", spec: { ...run, bufferBytes: 1e12 } },
    { kind: "program.read", id: {}, read: { waitMs: 1 } },
    { kind: "program.read", id: "x", read: { waitMs: Infinity } },
    { kind: "user.ask", context: "c" },
    { kind: "user.ask", question: ["q"] },
    { kind: "user.ask", question: "q", tool: "t" },
    { kind: "program.signal", id: "x", signal: "SIGKILL" },
    { kind: "program.keepScreen", id: "x", state: "", mark: NaN },
  ];
  for (const ask of good) assertEquals(isAsk(ask), true, JSON.stringify(ask));
  for (const ask of bad) assertEquals(isAsk(ask), false, JSON.stringify(ask));
});

for (
  const { name, messages } of [
    { name: "says nonsense", messages: [null] },
    {
      name: "asks more than main can answer",
      messages: Array.from({ length: 65 }, (_, n) => ({ t: "ask", n, ask: { kind: "state.get", key: "k" } })),
    },
  ]
) {
  Deno.test(`a room that ${name} is ended, and its call with it`, { permissions: "none" }, async () => {
    let say: (message: unknown) => void = () => {};
    let killed = 0;
    const link: RoomLink = {
      send(message) {
        if (message.t === "call") { for (const said of messages) say(said); }
      },
      kill: () => killed++,
      closed: new Promise(() => {}),
    };
    const room = await Room.open(folderProfile("/ws"), {
      openLink(_profile, _token, onMessage) {
        say = onMessage as typeof say;
        setTimeout(() => say({ t: "ready" }));
        return Promise.resolve({ link, place: "process" });
      },
    });
    const call = {
      tool: "t",
      input: {},
      timeoutMs: 1,
      stopAfterMs: 1,
      mode: "run",
      told: { settings: {} },
    } as const;
    const never = new Promise<never>(() => {});
    const error = await room.call(call, { answer: () => never }).catch((error) => error);
    assertEquals([error.code, error.message, killed], [
      "internal",
      "The room was ended: it sent a message that is not of the protocol",
      1,
    ]);
  });
}
