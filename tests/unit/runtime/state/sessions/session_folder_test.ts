import { assert, assertEquals, assertRejects } from "@std/assert";

import { openSession } from "../../../../../runtime/state/sessions/open_session.ts";
import {
  findSession,
  listSessions,
  newSessionId,
  tracePath,
} from "../../../../../runtime/state/sessions/session_folder.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { endLine, EVERY_LINE, replyLine, runLine, taskLine } from "../../../../support/trace_scene.ts";

const plain = { redact: (text: string) => text, now: new Date("2025-01-02T03:04:05.678Z") };

/** Makes a session that changed last at a second of one day. */
async function makeSession(
  state: string,
  id: string,
  { lines, second }: { lines: Parameters<typeof writeAll>[1]; second: number },
): Promise<void> {
  {
    using session = await openSession(state, { ...plain, id, workspace: "/ws" });
    writeAll(session, lines);
  }
  const time = new Date(Date.UTC(2025, 0, 1, 0, 0, second));
  Deno.utimeSync(tracePath(state, id), time, time);
}

function writeAll(
  { trace }: Awaited<ReturnType<typeof openSession>>,
  lines: readonly Parameters<typeof trace.write>[0][],
): void {
  for (const line of lines) trace.write(line);
}

Deno.test("newSessionId() sorts by time and is the name of a folder", { permissions: "none" }, () => {
  assert(/^20250102-030405-[0-9a-f]{8}$/.test(newSessionId(plain.now)));
  assert(newSessionId(plain.now) !== newSessionId(plain.now));
});

Deno.test("listSessions() tells of each session, the one that changed last first", async () => {
  using ws = workspace({
    "sessions/only-state/x.json": "1",
    "sessions/a file": "",
    "sessions/-odd/trace.jsonl": "",
  });
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
    [
      ["new", "/ws", null, null],
      ["long", "/other", "completed", 2],
      ["old", "/ws", "completed", 2],
    ],
  );
  assertEquals(sessions[0]!.updated, "2025-01-01T00:00:03.000Z");
  assert(sessions[0]!.task.startsWith("Do\n😀") && sessions[0]!.task.endsWith("😀…"), sessions[0]!.task);
  assertEquals(sessions[2]!.task, "Look at é\u2028😀");
});

Deno.test("listSessions() finds none where nothing ever was", async () => {
  using ws = workspace();
  assertEquals(await listSessions(ws.at("none")), []);
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
  const refused: readonly (readonly [string | null, string, string, string])[] = [
    [null, "/none", "invalid_input", 'No session of "/none" to resume, see: bulkhead sessions'],
    [
      "long",
      "/ws",
      "invalid_input",
      'Several sessions begin with "long": long-1, long-12; write more of the id',
    ],
    ["zzzz", "/ws", "invalid_input", 'There is no session "zzzz", see: bulkhead sessions'],
    ["../a1", "/ws", "invalid_input", ""],
  ];
  for (const [id, workspace, code, message] of refused) {
    const error = await assertRejects(() => findSession(ws.path, { id, workspace }), ToolError);
    assertEquals(error.code, code);
    if (message !== "") assertEquals(error.message, message);
  }
});

Deno.test("openSession() begins a session, goes on with one, and does not mix them up", async () => {
  using ws = workspace();
  {
    using session = await openSession(ws.path, { ...plain, workspace: "/ws" });
    assert(session.id.startsWith("20250102-030405-"));
    assertEquals([session.folder, session.earlier], [ws.at(`sessions/${session.id}`), []]);
    writeAll(session, [runLine(), taskLine("Do it")]);
  }
  {
    using session = await openSession(ws.path, { ...plain, workspace: "/ws", resume: true });
    assertEquals(session.earlier, [runLine(), taskLine("Do it")]);
    writeAll(session, [runLine({ resumed: true })]);
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
  const again = await assertRejects(
    () => openSession(ws.path, { ...plain, workspace: "/ws", id }),
    ToolError,
  );
  assertEquals(again.code, "conflict");
  Deno.writeTextFileSync(tracePath(ws.path, id), "");
  const empty = await assertRejects(
    () => openSession(ws.path, { ...plain, workspace: "/ws", resume: id }),
    ToolError,
  );
  assertEquals(empty.code, "not_found");
});
