import { assertEquals, assertRejects } from "@std/assert";

import { openSession } from "../../../../runtime/state/sessions/open_session.ts";
import { tracePath } from "../../../../runtime/state/sessions/session_folder.ts";
import type { Io } from "../../../../runtime/cli/io/io.ts";
import { sessionsCommand } from "../../../../runtime/cli/commands/sessions.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { TraceLine } from "../../../../schemas/agent/trace.ts";
import { workspace } from "../../../support/run_tool.ts";
import {
  endLine,
  EVERY_LINE,
  replyLine,
  resultLine,
  runLine,
  taskLine,
} from "../../../support/trace_scene.ts";

/** What `sessions` prints where the state is kept in a folder. */
async function printed(folder: string, words: string[], json = false): Promise<string> {
  let text = "";
  const io = {
    env: (name: string) => name === "XDG_STATE_HOME" ? folder : undefined,
    stdout: (bytes: Uint8Array) => Promise.resolve(void (text += new TextDecoder().decode(bytes))),
  } as unknown as Io;
  const options = json ? { json: true as const } : {};
  assertEquals(await sessionsCommand({ command: "sessions", positionals: words, options }, io), 0);
  return text;
}

async function makeSession(folder: string, id: string, lines: readonly TraceLine[]): Promise<void> {
  const now = new Date();
  const redact = (text: string) => text;
  using session = await openSession(`${folder}/bulkhead`, { id, workspace: "/ws", redact, now });
  for (const line of lines) session.trace.write(line);
}

Deno.test("sessions lists what there is, newest first, on one line each", async () => {
  using ws = workspace();
  assertEquals(await printed(ws.path, []), "no sessions\n");
  assertEquals(await printed(ws.path, [], true), "[]\n");
  await makeSession(ws.path, "first", [runLine(), taskLine("Do\nit\x1b[2J"), endLine()]);
  await makeSession(ws.path, "second", [runLine({ workspace: "/a/b" }), taskLine("More")]);
  for (const [id, second] of [["first", 1], ["second", 2]] as const) {
    const time = new Date(Date.UTC(2025, 0, 1, 0, 0, second));
    Deno.utimeSync(tracePath(ws.at("bulkhead"), id), time, time);
  }
  assertEquals(
    await printed(ws.path, []),
    "SESSION  UPDATED (UTC)     END         WORKSPACE  TASK\n" +
      "second   2025-01-01 00:00  unfinished  /a/b       More\n" +
      "first    2025-01-01 00:00  completed   /ws        Do\\nit\n",
  );
  const [newest] = JSON.parse(await printed(ws.path, [], true));
  assertEquals([newest.id, newest.termination, newest.workspace], ["second", null, "/a/b"]);
});

Deno.test("sessions show tells what was said and done", async () => {
  using ws = workspace();
  const error = { code: "not_found", message: "no such file", retryable: false, details: {} } as const;
  await makeSession(ws.path, "s", [
    runLine(),
    { t: "message", message: { role: "system", content: "You are an agent." } },
    taskLine("Do it\nwell"),
    replyLine("I look.\n", "c1", "c2"),
    { t: "call", id: "c1", tool: "harness/Read", arguments: { path: "a", text: "x".repeat(500) } },
    resultLine("c1", { content: "\n1 line\nsecond" }),
    { t: "call", id: "c2", tool: "harness/Read", arguments: {} },
    resultLine("c2", { ok: false, content: "[Read] no such file", error }),
    { t: "compact", keep: 2, summary: "It was read." },
    replyLine("\x1b[31mdone"),
    endLine({
      termination_reason: "max_rounds",
      error: { ...error, code: "limit_exceeded", message: "2 rounds" },
    }),
  ]);
  assertEquals(
    await printed(ws.path, ["show", "s"]),
    [
      "session s",
      "",
      "run  2025-01-01T00:00:00.000Z  gpt-x  coder  /ws",
      "> Do it",
      "> well",
      "I look.",
      `  harness/Read {"path":"a","text":"${"x".repeat(140)}…`,
      "    ok (1 ms): 1 line",
      "  harness/Read {}",
      "    not_found (1 ms): [Read] no such file",
      "[older turns were summed up]",
      "  It was read.",
      "done",
      "end: max_rounds, rounds 2, calls 1, tokens 10 + 2",
      "  2 rounds",
      "",
    ].join("\n"),
  );
});

Deno.test("sessions show --json gives the lines of the trace", async () => {
  using ws = workspace();
  await makeSession(ws.path, "s", EVERY_LINE);
  const { id, path, lines } = JSON.parse(await printed(ws.path, ["show", "s"], true));
  assertEquals([id, path], ["s", ws.at("bulkhead/sessions/s/trace.jsonl")]);
  assertEquals(lines, EVERY_LINE);
});

Deno.test("sessions refuses what it does not know", async () => {
  using ws = workspace();
  await makeSession(ws.path, "session-1", [runLine()]);
  const cases: readonly (readonly [words: string[], code: string, message: string])[] = [
    [
      ["show", "session-2"],
      "invalid_input",
      'There is no session "session-2", did you mean "session-1"? See: bulkhead sessions',
    ],
    [["drop", "s"], "invalid_input", "Write: bulkhead sessions show ID, see: bulkhead sessions --help"],
    [["show"], "invalid_input", "Write: bulkhead sessions show ID, see: bulkhead sessions --help"],
  ];
  for (const [words, code, message] of cases) {
    const error = await assertRejects(() => printed(ws.path, words), ToolError);
    assertEquals([error.code, error.message], [code, message]);
  }
  const homeless = await assertRejects(() => printed("relative", []), ToolError);
  assertEquals(homeless.code, "configuration");
});
