import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";

import { createRunner } from "../../../../runtime/mod.ts";
import { readDocument } from "../../../../runtime/rooms/read_document.ts";
import { RoomPool } from "../../../../runtime/rooms/room_pool.ts";
import { makeArtifactFolder } from "../../../../runtime/state/artifact_folder.ts";
import { ArtifactWriter } from "../../../../runtime/state/artifact_writer.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";
import type { AskPerson } from "../../../../runtime/calls/control.ts";
import type { Ask } from "../../../../runtime/rooms/asks/ask.ts";
import type { RoomProfile } from "../../../../runtime/rooms/profile.ts";
import type { OnMessage, Outcome, ToRoom } from "../../../../runtime/rooms/protocol.ts";
import type { Artifact } from "../../../../schemas/result.ts";

const INPUT = { question: "Which?", context: "Two are there." };

/** A runner whose person does something, without the box, so that it works everywhere. */
function runner(ws: Workspace, ask?: AskPerson, options: { maxCallMs?: number } = {}) {
  return createRunner({ ...options, workspace: ws.path, sandbox: "off", ...(ask && { ask }) });
}

Deno.test("a room's question reaches the person, and the answer the room", async () => {
  using ws = workspace();
  const asked: unknown[] = [];
  await using run = runner(
    ws,
    (question) => Promise.resolve(asked.push(question) > 0 ? "\x1b[1mblue" : null),
  );
  const { ok, text, result } = await run.call("AskUser", INPUT);
  assertEquals([ok, text], [true, "[AskUser] User answer:\nblue"]);
  assertEquals(result, { answer: "\x1b[1mblue" });
  assertEquals(asked, [{ tool: "harness/AskUser", ...INPUT }]);
});

Deno.test("a question fails where nobody can be asked, and where whoever asks fails", async () => {
  using ws = workspace();
  await using alone = runner(ws);
  assertEquals((await alone.call("AskUser", INPUT)).error?.code, "unavailable");
  await using gone = runner(ws, () => Promise.resolve(null));
  assertEquals((await gone.call("ask_human", { inquire: "Which?" })).error?.code, "unavailable");
  await using broken = runner(ws, () => Promise.reject(new Error("no channel")));
  assertEquals((await broken.call("AskUser", INPUT)).error?.code, "internal");
});

Deno.test("a question waits until the call is cancelled", async () => {
  using ws = workspace();
  const waiting = Promise.withResolvers<void>();
  let heard: AbortSignal | undefined;
  await using run = runner(ws, (_question, { signal }) => {
    heard = signal;
    waiting.resolve();
    return new Promise(() => {});
  });
  const cancel = new AbortController();
  const call = run.call("AskUser", INPUT, { signal: cancel.signal });
  await waiting.promise;
  assertEquals(heard?.aborted, false);
  cancel.abort();
  const { error, text } = await call;
  assertEquals([error?.code, text], ["cancelled", "[AskUser] Cancelled before user answer was received."]);
  assertEquals(heard?.aborted, true);
});

Deno.test("a question has no limit of its own, but one that the user sets", async () => {
  using ws = workspace();
  await using run = runner(ws, () => new Promise(() => {}), { maxCallMs: 300 });
  assertEquals(run.tools().find(({ name }) => name === "AskUser")?.limits.timeout_ms, null);
  assertEquals((await run.call("AskUser", INPUT)).error?.code, "timeout");
});

const DONE: Outcome = {
  ...{ ok: true, result: { pages: 3 }, text: "", images: [], warnings: ["one page is empty"] },
  ...{ error: null, targets: [] },
};
const PDF = new TextEncoder().encode("%PDF-");
const ASK = { kind: "document.read", reader: "pdf", bytes: PDF, input: { pages: "1-3" } } as const;

type Reply = (message: ToRoom, say: OnMessage) => void;

/** Readers that answer as told, in rooms that are counted. */
function scene(root: string, reply: Reply) {
  const opened: RoomProfile[] = [];
  const sent: ToRoom[] = [];
  let killed = 0;
  const rooms = new RoomPool({
    maxIdle: 2,
    openLink(profile, _token, onMessage) {
      opened.push(profile);
      queueMicrotask(() => onMessage({ t: "ready" }));
      const send = (message: ToRoom) => {
        sent.push(message);
        queueMicrotask(() => reply(message, onMessage));
      };
      const closed = new Promise<never>(() => {});
      return Promise.resolve({ link: { send, kill: () => void killed++, closed }, place: "process" });
    },
  });
  const left: Artifact[] = [];
  const warnings: string[] = [];
  const ending = new AbortController();
  const folder = makeArtifactFolder(() => join(root, "artifacts"));
  const options = {
    rooms,
    artifacts: new ArtifactWriter(folder, (artifact) => left.push(artifact)),
    onProgress: undefined,
    warn: (message: string) => void warnings.push(message),
    signal: ending.signal,
  };
  const read = (changes: { timeoutMs?: number; reader?: string } = {}) =>
    readDocument({ ...ASK, ...changes }, options);
  return { read, opened, sent, left, warnings, ending, killed: () => killed };
}

const finish = (outcome: Outcome): Reply => (message, say) => {
  if (message.t === "call") say({ t: "done", id: message.id, outcome });
};

Deno.test("readDocument() gives a reader the bytes and nothing else, and keeps its room", async () => {
  using ws = workspace();
  const { read, opened, sent, warnings, killed } = scene(ws.path, finish(DONE));
  assertEquals([await read(), await read()], [{ pages: 3 }, { pages: 3 }]);
  const [{ read: mayRead, write, net, killable, files } = {} as RoomProfile, ...others] = opened;
  assertEquals([mayRead, write, net, killable, others], [[], [], null, true, []]);
  assertEquals([files.read, files.write], [[], []]);
  const calls = sent.filter((message) => message.t === "call");
  assertEquals(calls.map(({ tool, input, bytes, told }) => [tool, input, bytes, told.settings]), [
    ["reader/pdf", { pages: "1-3" }, ASK.bytes, {}],
    ["reader/pdf", { pages: "1-3" }, ASK.bytes, {}],
  ]);
  assertEquals([warnings.length, killed()], [2, 0]);
});

Deno.test("readDocument() throws a room away that failed", async () => {
  using ws = workspace();
  const error = { code: "invalid_input" as const, message: "no PDF", retryable: false, details: { at: 3 } };
  const { read, opened, killed } = scene(ws.path, finish({ ...DONE, ok: false, result: null, error }));
  const thrown = await assertRejects(() => read(), ToolError);
  assertEquals(thrown.toInfo(), error);
  await assertRejects(() => read(), ToolError);
  assertEquals([opened.length, killed()], [2, 2]);
});

Deno.test("readDocument() ends a reader at its time and with its call", async () => {
  using ws = workspace();
  const { read, ending, killed } = scene(ws.path, () => {});
  assertEquals((await assertRejects(() => read({ timeoutMs: 5 }), ToolError)).code, "timeout");
  const waiting = assertRejects(() => read(), ToolError);
  ending.abort(new ToolError("cancelled", "The call was cancelled"));
  assertEquals(((await waiting) as ToolError).code, "cancelled");
  assertEquals(killed(), 2);
});

Deno.test("readDocument() gives a reader of pages 15 seconds at most, and each reader no more than was asked for", async () => {
  using ws = workspace();
  const { read, sent } = scene(ws.path, finish(DONE));
  await read({ reader: "page" });
  await read({ reader: "page", timeoutMs: 60_000 });
  await read({ reader: "page", timeoutMs: 2_000 });
  await read({ timeoutMs: 60_000 });
  const times = sent.flatMap((message) => message.t === "call" ? [message.timeoutMs as number] : []);
  assertEquals(times.slice(0, 2), [15_000, 15_000]);
  assert(times[2]! > 0 && times[2]! <= 2_000 && times[3]! > 15_000 && times[3]! <= 60_000, `${times}`);
});

Deno.test("readDocument() writes what a reader leaves, and answers nothing else", async () => {
  using ws = workspace();
  const asks: Ask[] = [
    { kind: "artifact.write", name: "a.png", bytes: new Uint8Array(3) },
    { kind: "state.get", key: "secret" },
    ASK,
  ];
  const answers: unknown[] = [];
  const { read, left } = scene(ws.path, (message, say) => {
    if (message.t === "call") asks.forEach((ask, n) => say({ t: "ask", n, ask }));
    if (message.t !== "answer") return;
    answers.push(message.error?.code ?? message.value);
    if (answers.length === asks.length) say({ t: "done", id: 1, outcome: DONE });
  });
  await read();
  const artifact = { name: "a.png", path: ws.at("artifacts/a.png"), bytes: 3 };
  assertEquals(left, [artifact]);
  assertEquals(answers.filter((answer) => answer === "internal").length, 2);
  assertEquals(answers.find((answer) => answer !== "internal"), artifact);
});

Deno.test("readDocument() knows its readers", async () => {
  using ws = workspace();
  const { read, opened } = scene(ws.path, () => {});
  await assertRejects(() => read({ reader: "exe" }), TypeError, 'There is no reader "exe"');
  assertEquals(opened, []);
});
