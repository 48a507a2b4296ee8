import { assert, assertEquals, assertThrows } from "@std/assert";

import { isAsk } from "../../../../runtime/rooms/asks/check_ask.ts";
import { readMessage } from "../../../../runtime/rooms/check_message.ts";
import { FrameReader, toFrame } from "../../../../runtime/rooms/frames.ts";
import type { FromRoom, ToRoom } from "../../../../runtime/rooms/protocol.ts";

const PURE = { permissions: "none" } as const;

const OUTCOME = { ok: true, result: null, text: "", images: [], warnings: [], error: null, targets: [] };
const ERROR = { code: "not_found", message: "m", retryable: false, details: {} };

Deno.test("readMessage() takes what an honest room says", PURE, () => {
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

Deno.test("readMessage() refuses what no honest room says", PURE, () => {
  const outcomes = [
    ...[null, [], {}, { ...OUTCOME, text: 5 }, { ...OUTCOME, images: [null] }, { ...OUTCOME, ok: "yes" }],
    ...[{ ...OUTCOME, warnings: [{}] }, { ...OUTCOME, warnings: { length: 1 } }],
    ...[{ ...OUTCOME, error: ERROR }, { ...OUTCOME, ok: false }],
    { ...OUTCOME, ok: false, error: { ...ERROR, code: "constructor" } },
    { ...OUTCOME, ok: false, error: { ...ERROR, details: null } },
    { ...OUTCOME, targets: [{ kind: "ffi", value: "x" }] },
  ];
  const messages = [
    ...[null, "ready", [], {}, { t: "__proto__" }, { t: "breach" }, { t: "died", what: {} }],
    { t: "ask", n: 1, ask: null },
    { t: "ask", n: NaN, ask: { kind: "state.get", key: "k" } },
    { t: "done", id: "1", outcome: OUTCOME },
    ...outcomes.map((outcome) => ({ t: "done", id: 1, outcome })),
  ];
  for (const message of messages) assertEquals(readMessage(message), null, JSON.stringify(message));
});

Deno.test("readMessage() keeps a room from steering a terminal and from forging events", PURE, () => {
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
    ["t", ["w"], "m"],
  );
});

Deno.test("readMessage() bounds what goes beside a result", PURE, () => {
  const long = "x".repeat(200_000);
  const outcome = {
    ...{ ...OUTCOME, ok: false, error: { ...ERROR, message: long } },
    warnings: [long, ...Array.from({ length: 500 }, String)],
  };
  const read = readMessage({ t: "done", id: 1, outcome });
  assert(read?.t === "done");
  const { warnings, error } = read.outcome;
  assertEquals(warnings.length, 101);
  assertEquals(warnings[0]?.length, 2_000);
  assertEquals(warnings.at(-1), "401 more warnings were left out");
  assertEquals(error?.message.length, 100_000);
  const said = readMessage({ t: "progress", id: 1, progress: { message: long } });
  assertEquals(said?.t === "progress" && said.progress.message?.length, 2_000);
});

Deno.test("isAsk() knows each question by its fields, and refuses what would harm main", PURE, () => {
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
    { kind: "program.run", run: { ...run, cwd: "a", env: { A: "b" }, stdin: "", maxBytes: 0 } },
    { kind: "program.run", run: { ...run, cwd: undefined } },
    { kind: "program.open", spec: { ...run, terminal: { rows: 1, cols: 1 } } },
    { kind: "program.read", id: "x", read: { waitMs: -1, until: "u", tellRest: true } },
    { kind: "program.close", id: "x", graceMs: 0 },
    { kind: "user.ask", question: "q" },
    { kind: "user.ask", question: "q", context: "c" },
  ];
  const bad = [
    ...[null, { kind: "toString" }, { kind: ["state.get"], key: "k" }, { kind: "state.get", key: 1 }],
    ...[{ kind: "state.get" }, { kind: "state.hold", key: 1 }],
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
  assertAsks(good, bad);
});

/** Says which questions main takes, and which it does not. */
function assertAsks(good: readonly unknown[], bad: readonly unknown[], askOf = (one: unknown) => one): void {
  for (const one of good) assertEquals(isAsk(askOf(one)), true, JSON.stringify(one));
  for (const one of bad) assertEquals(isAsk(askOf(one)), false, JSON.stringify(one));
}

const BYTES = Uint8Array.from({ length: 1000 }, (_, at) => at % 256);
const MESSAGES: (ToRoom | FromRoom)[] = [
  { t: "ready" },
  { t: "ask", n: 1, ask: { kind: "document.read", reader: "pdf", bytes: BYTES, input: { pages: "é" } } },
  { t: "ask", n: 2, ask: { kind: "artifact.write", name: "empty", bytes: new Uint8Array() } },
  {
    ...{ t: "call", id: 1, tool: "reader/pdf", input: { text: "a\nb" }, mode: "run", told: { settings: {} } },
    ...{ timeoutMs: 1, stopAfterMs: 1, bytes: BYTES },
  } as ToRoom,
  { t: "cancel", id: 1 },
];

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

Deno.test("FrameReader reads what toFrame() wrote, however it is cut", PURE, () => {
  const sent = joined(MESSAGES.flatMap(toFrame));
  for (const size of [1, 2, 7, 64, 1000, sent.length]) {
    const reader = new FrameReader();
    const got: unknown[] = [];
    // The buffer is used again, as that of a pipe is.
    const buffer = new Uint8Array(size);
    for (let at = 0; at < sent.length; at += size) {
      const part = sent.subarray(at, at + size);
      buffer.set(part);
      got.push(...reader.push(buffer.subarray(0, part.length)));
    }
    assertEquals<unknown>(got, MESSAGES, `in pieces of ${size}`);
  }
});

Deno.test("FrameReader refuses what is no message", PURE, () => {
  const push = (text: string) => new FrameReader().push(new TextEncoder().encode(text));
  for (const text of ["no json\n", "@5 no json\n", "@x {}\n", "@999999999 {}\n", "@9999999999 {}\n"]) {
    assertThrows(() => push(text), Error);
  }
  // Bytes where no message has any are left out.
  assertEquals<unknown>(push('@3 {"t":"done"}\nabc'), [{ t: "done" }]);
  assertEquals<unknown>(push("@3 null\nabc"), [null]);
});

Deno.test("only whole actions of the browser are questions", () => {
  const good = [
    { do: "read" },
    { do: "open", url: "https://shop.example", newTab: true },
    { do: "click", element: 3 },
    { do: "point", at: { x: 3, y: 0 } },
    { do: "drag", from: { element: 3 }, to: { x: 3, y: 4 } },
    { do: "close", tab: 2 },
    { do: "scroll", to: "up", pixels: 20 },
    { do: "give", element: 1, files: [{ name: "a.txt", base64: "YQ==" }] },
  ];
  const bad = [
    null,
    {},
    { do: "evaluate", code: "1" },
    { do: "toString" },
    { do: "open" },
    { do: "open", url: "https://shop.example", headers: {} },
    { do: "click", element: -1 },
    { do: "click", element: "3" },
    { do: "scroll", to: "left" },
    { do: "point", at: { x: 3 } },
    { do: "point", at: { x: 3, y: -1 } },
    { do: "drag", from: { element: 3, x: 1, y: 1 }, to: { x: 3, y: 4 } },
    { do: "drag", from: { element: 3 } },
    { do: "close", tab: "2" },
    { do: "give", element: 1, files: [{ name: "a.txt", path: "/etc/passwd" }] },
  ];
  assertAsks(good, bad, (action) => ({ kind: "browser.act", action, picture: false }));
  assertEquals(isAsk({ kind: "browser.act", action: { do: "read" } }), false);
});

Deno.test("only whole actions of the desktop are questions", () => {
  const good = [
    { do: "look" },
    { do: "move", at: { x: 1, y: -2 } },
    { do: "click", button: "left", times: 2 },
    { do: "scroll", at: { x: 0, y: 0 }, steps: -3 },
    { do: "down", button: "right" },
    { do: "drag", to: { x: 5, y: 5 } },
    { do: "type", text: "tea" },
    { do: "press", keys: ["ctrl", "s"] },
  ];
  const bad = [
    null,
    {},
    { do: "start", program: "sh" },
    { do: "toString" },
    { do: "move" },
    { do: "move", at: { x: 1.5, y: 2 } },
    { do: "move", at: { x: 1, y: 2, z: 3 } },
    { do: "click", button: "fourth", times: 1 },
    { do: "click", button: "left", times: Infinity },
    { do: "press", keys: "ctrl+s" },
    { do: "look", path: "/etc/passwd" },
  ];
  assertAsks(good, bad, (action) => ({ kind: "desktop.act", action }));
});
