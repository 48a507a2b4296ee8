import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "@std/path";

import { checkPictures, checkSession } from "../../../../runtime/state/sessions/check_session.ts";
import { openSession } from "../../../../runtime/state/sessions/open_session.ts";
import { readSources } from "../../../../runtime/state/sessions/read_sources.ts";
import { removeSession } from "../../../../runtime/state/sessions/remove_session.ts";
import {
  findSession,
  listSessions,
  newSessionId,
  tracePath,
} from "../../../../runtime/state/sessions/session_folder.ts";
import { openTrace } from "../../../../runtime/state/sessions/trace_file.ts";
import { sessionFolder } from "../../../../runtime/state/tool_state.ts";
import { lstat } from "../../../../runtime/walls/files/file_facts.ts";
import type { TraceLine } from "../../../../schemas/agent/trace.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { emptyFiles } from "../../../support/listed.ts";
import { codeOf, refusalOf } from "../../../support/refusal.ts";
import { workspace } from "../../../support/run_tool.ts";
import { endLine, EVERY_LINE, replyLine, runLine, taskLine } from "../../../support/trace_scene.ts";

const FILES = {
  "state/sessions/one/trace.jsonl": "{}\n",
  "state/sessions/one/artifacts/a.png": "",
  "else/x": "",
};

/** The reason why a session is refused, `null` if it is not. */
function refusal(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "configuration") throw error;
    return error.message;
  }
}

Deno.test("checkSession() takes the right to read from others, and lets a new session pass", () => {
  using ws = workspace(FILES);
  const state = ws.at("state");
  Deno.chmodSync(ws.at("state/sessions/one"), 0o755);
  assertEquals(refusal(() => checkSession(state, "one")), null);
  const modes = ["", "/trace.jsonl"].map((name) =>
    (Deno.statSync(ws.at(`state/sessions/one${name}`)).mode ?? 0) & 0o777
  );
  assertEquals(modes, [0o700, 0o600]);
  assertEquals(refusal(() => checkSession(state, "two")), null);
  assertEquals(refusal(() => checkSession(ws.at("missing"), "two")), null);
});

Deno.test("checkSession() refuses what others could have written, and what leads elsewhere", () => {
  const cases: [RegExp, (at: (name: string) => string) => void][] = [
    [/other users may write/, (at) => Deno.chmodSync(at("state/sessions/one"), 0o770)],
    [/other users may write/, (at) => Deno.chmodSync(at("state/sessions"), 0o777)],
    [/other users may write/, (at) => Deno.chmodSync(at("state/sessions/one/trace.jsonl"), 0o602)],
    [/has a second name/, (at) => Deno.linkSync(at("state/sessions/one/trace.jsonl"), at("else/second"))],
    [/is a link/, (at) => replace(at, "state/sessions/one", "else")],
    [/is a link/, (at) => replace(at, "state/sessions", "else")],
    [/is a link/, (at) => replace(at, "state/sessions/one/trace.jsonl", "else/x")],
    [/is a link/, (at) => replace(at, "state/sessions/one/artifacts", "else")],
    ...(Deno.uid() === 0 ? [[/belongs to another user/, chown]] as [RegExp, typeof chown][] : []),
  ];
  for (const [reason, change] of cases) {
    using ws = workspace(FILES);
    change((name) => ws.at(name));
    const message = refusal(() => checkSession(ws.at("state"), "one"));
    assertMatch(message ?? "", reason);
    assertMatch(message ?? "", /^Cannot use session "one": .*; begin a new session/);
  }
});

function replace(at: (name: string) => string, name: string, target: string): void {
  Deno.removeSync(at(name), { recursive: true });
  Deno.symlinkSync(at(target), at(name));
}

function chown(at: (name: string) => string): void {
  Deno.chownSync(at("state/sessions/one/trace.jsonl"), 12_345, 12_345);
}

Deno.test("checkPictures() refuses a picture outside of the session's own folder, also behind a link", () => {
  using ws = workspace(FILES);
  const folder = Deno.realPathSync(ws.at("state/sessions/one"));
  Deno.symlinkSync(ws.at("else/x"), join(folder, "artifacts/link.png"));
  const check = (path: string, kind: "message" | "result") => {
    const pictures = [{ type: "image", path, mime_type: "image/png", bytes: 1 } as const];
    const line = kind === "message"
      ? { t: "message", message: { role: "user", kind: "task", content: pictures } }
      : { t: "result", pictures };
    return refusal(() => checkPictures([line as unknown as TraceLine], { id: "one", folder }));
  };
  for (const kind of ["message", "result"] as const) {
    assertEquals(check(join(folder, "artifacts/a.png"), kind), null);
    for (
      const path of [ws.at("else/x"), `${folder}/artifacts/link.png`, `${folder}/artifacts/../trace.jsonl`]
    ) {
      assertMatch(check(path, kind) ?? "", /it names ".*" as a picture, which does not lie in/);
    }
  }
});

const plain = { redact: (text: string) => text, now: new Date("2025-01-02T03:04:05.678Z") };

/** Makes a session that changed last at a second of one day. */
async function makeSession(
  state: string,
  id: string,
  { lines, second }: { lines: readonly TraceLine[]; second: number },
) {
  {
    using session = await openSession(state, { ...plain, id, workspace: "/ws" });
    for (const line of lines) session.trace.write(line);
  }
  const time = new Date(Date.UTC(2025, 0, 1, 0, 0, second));
  Deno.utimeSync(tracePath(state, id), time, time);
}

Deno.test("newSessionId() sorts by time and is the name of a folder", { permissions: "none" }, () => {
  assert(/^20250102-030405-[0-9a-f]{8}$/.test(newSessionId(plain.now)));
  assert(newSessionId(plain.now) !== newSessionId(plain.now));
});

Deno.test("listSessions() tells of each session, the one that changed last first", async () => {
  using ws = workspace(emptyFiles("sessions/only-state/x.json, sessions/a file, sessions/-odd/trace.jsonl"));
  assertEquals(await listSessions(ws.at("none")), []);
  await makeSession(ws.path, "old", { lines: EVERY_LINE, second: 1 });
  await makeSession(ws.path, "new", { lines: [runLine(), taskLine(`Do\n${"😀".repeat(200)}`)], second: 3 });
  await makeSession(ws.path, "long", {
    lines: [runLine({ workspace: "/other" }), ...Array(40).fill(replyLine("x".repeat(20_000))), endLine()],
    second: 2,
  });
  await makeSession(ws.path, "empty", { lines: [], second: 9 });
  const sessions = await listSessions(ws.path);
  assertEquals(
    sessions.map(({ id, workspace, termination, rounds }) => [id, workspace, termination, rounds]),
    [["new", "/ws", null, null], ["long", "/other", "completed", 2], ["old", "/ws", "completed", 2]],
  );
  assertEquals(sessions[0]!.updated, "2025-01-01T00:00:03.000Z");
  assert(sessions[0]!.task.startsWith("Do\n😀") && sessions[0]!.task.endsWith("😀…"), sessions[0]!.task);
  assertEquals(sessions[2]!.task, "Look at é\u2028😀");
});

Deno.test("findSession() takes the id, or the newest of the workspace", async () => {
  using ws = workspace();
  await makeSession(ws.path, "a1", { lines: [runLine()], second: 1 });
  await makeSession(ws.path, "a2", { lines: [runLine()], second: 2 });
  await makeSession(ws.path, "b", { lines: [runLine({ workspace: "/other" })], second: 3 });
  assertEquals(await findSession(ws.path, { id: null, workspace: "/ws" }), "a2");
  assertEquals(await findSession(ws.path, { id: "a1", workspace: "/other" }), "a1");
  // The beginning of an id is enough if no other begins so; a whole id wins.
  await makeSession(ws.path, "long-1", { lines: [runLine()], second: 4 });
  await makeSession(ws.path, "long-12", { lines: [runLine()], second: 1 });
  assertEquals(await findSession(ws.path, { id: "long-1", workspace: "/ws" }), "long-1");
  assertEquals(await findSession(ws.path, { id: "long-12", workspace: "/ws" }), "long-12");
  assertEquals(await findSession(ws.path, { id: "b", workspace: "/ws" }), "b");
  const refused: readonly (readonly [id: string | null, workspace: string, message?: string])[] = [
    [null, "/none", 'No session of "/none" to resume, see: bulkhead sessions'],
    ["long", "/ws", 'Several sessions begin with "long": long-1, long-12; write more of the id'],
    ["zzzz", "/ws", 'There is no session "zzzz", see: bulkhead sessions'],
    ["../a1", "/ws"],
  ];
  for (const [id, workspace, message] of refused) {
    const error = await refusalOf(() => findSession(ws.path, { id, workspace }));
    assertEquals([error?.code, message ?? error?.message], ["invalid_input", error?.message]);
  }
});

Deno.test("openSession() begins a session, goes on with one, and does not mix them up", async () => {
  using ws = workspace();
  {
    using session = await openSession(ws.path, { ...plain, workspace: "/ws" });
    assert(session.id.startsWith("20250102-030405-"));
    assertEquals([session.folder, session.earlier], [ws.at(`sessions/${session.id}`), []]);
    for (const line of [runLine(), taskLine("Do it")]) session.trace.write(line);
  }
  {
    using session = await openSession(ws.path, { ...plain, workspace: "/ws", resume: true });
    assertEquals(session.earlier, [runLine(), taskLine("Do it")]);
    session.trace.write(runLine({ resumed: true }));
  }
  const [{ id } = { id: "" }] = await listSessions(ws.path);
  // What ends before it begins leaves nothing, but in a folder with a name of the user's own.
  (await openSession(ws.path, { ...plain, workspace: "/ws" }))[Symbol.dispose]();
  (await openSession(ws.path, { ...plain, workspace: "/ws", id: "own" }))[Symbol.dispose]();
  assertEquals([...Deno.readDirSync(ws.at("sessions"))].map(({ name }) => name).sort(), [id, "own"].sort());
  {
    using session = await openSession(ws.path, { ...plain, workspace: "/elsewhere", resume: id });
    assertEquals(session.earlier.length, 3);
  }
  assertEquals(await codeOf(() => openSession(ws.path, { ...plain, workspace: "/ws", id })), "conflict");
  Deno.writeTextFileSync(tracePath(ws.path, id), "");
  const again = () => openSession(ws.path, { ...plain, workspace: "/ws", resume: id });
  assertEquals(await codeOf(again), "not_found");
});

Deno.test("removeSession() removes nothing of a session that somebody works with", async () => {
  using ws = workspace({});
  const [state, id] = [ws.at("state"), "20260101-000000-abcdef"];
  Deno.mkdirSync(sessionFolder(state, id), { recursive: true });
  let removed = 0;
  const remove = () => removeSession(state, id, () => void removed++);
  {
    using _held = await openTrace(tracePath(state, id), { redact: (text) => text });
    assertEquals(await codeOf(remove), "conflict");
    assertEquals([removed, lstat(sessionFolder(state, id)) !== null], [0, true]);
  }
  await remove();
  assertEquals([removed, lstat(sessionFolder(state, id))], [1, null]);
});

const ONE = { number: 1, title: "T", url: "https://a.example/", snippet: "", charCount: 0 };

Deno.test("readSources() reads what the tools keep, by number", () => {
  const two = { ...ONE, number: 2, found: "2026-01-30T23:00:00.000Z" };
  assertEquals(readSources({ sources: [two, ONE] }, "s"), [ONE, two]);
  assertEquals([readSources(undefined, "s"), readSources(null, "s")], [[], []]);
});

Deno.test("readSources() refuses what no tool wrote", () => {
  const cases: unknown[] = [
    ...[[], "x", { sources: {} }],
    { sources: [{ ...ONE, number: "1" }] },
    { sources: [{ ...ONE, url: null }] },
    { sources: [{ ...ONE, found: "2026-13-45Tx" }] },
    { sources: [{ ...ONE, opened: "\x1b[2J" }] },
  ];
  for (const kept of cases) assertThrows(() => readSources(kept, "s"), ToolError, "another form");
});
