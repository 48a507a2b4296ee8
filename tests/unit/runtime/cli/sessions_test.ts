import { assertEquals, assertMatch, assertRejects } from "@std/assert";

import { openSession } from "../../../../runtime/state/sessions/open_session.ts";
import { tracePath } from "../../../../runtime/state/sessions/session_folder.ts";
import type { Options } from "../../../../runtime/cli/args/options/option_table.ts";
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
async function printed(folder: string, words: string[], options: Options = {}): Promise<string> {
  let text = "";
  const io = {
    cwd: () => "/ws",
    stdoutWidth: () => 60,
    env: (name: string) => name === "XDG_STATE_HOME" ? folder : undefined,
    variables: () => ({ API_KEY: "key-of-the-user-1" }),
    manifest: () => Promise.resolve({ tools: [] }),
    stdout: (bytes: Uint8Array) => Promise.resolve(void (text += new TextDecoder().decode(bytes))),
  } as unknown as Io;

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
  assertEquals(await printed(ws.path, [], { json: true }), "[]\n");
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
  const [newest] = JSON.parse(await printed(ws.path, [], { json: true }));
  assertEquals([newest.id, newest.termination, newest.workspace], ["second", null, "/a/b"]);
});

Deno.test("sessions show tells what was said and done", async () => {
  using ws = workspace();
  const error = { code: "not_found", message: "no such file", retryable: false, details: {} } as const;
  await makeSession(ws.path, "s", [
    runLine({ resumed: true, widened: ["--policy=coder"] }),
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
      "resumed  2025-01-01T00:00:00.000Z  gpt-x  coder  /ws  widened by --policy=coder",
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
  const { id, path, lines } = JSON.parse(await printed(ws.path, ["show", "s"], { json: true }));
  assertEquals([id, path], ["s", ws.at("bulkhead/sessions/s/trace.jsonl")]);
  assertEquals(lines, EVERY_LINE);
});

Deno.test("sessions refuses what it does not know", async () => {
  using ws = workspace();
  await makeSession(ws.path, "session-1", [runLine()]);
  const refused = async (words: string[], options: Options = {}, state = ws.path) => {
    const { code, message } = await assertRejects(() => printed(state, words, options), ToolError);
    return `${code}: ${message}`;
  };
  const near = 'There is no session "session-2", did you mean "session-1"? See: bulkhead sessions';
  assertEquals(await refused(["show", "session-2"]), `invalid_input: ${near}`);
  const choose = "or choose them with --older-than AGE or --here, see: bulkhead sessions --help";
  assertEquals(await refused(["rm"]), `invalid_input: Write: bulkhead sessions rm ID ..., ${choose}`);
  assertMatch(await refused([], { olderThan: "soon" }), /^invalid_input: /);
  assertMatch(await refused([], {}, "relative"), /^configuration: /);
});

/** Three sessions, by age and workspace. */
async function makeThree(folder: string): Promise<void> {
  await makeSession(folder, "one-old", [runLine(), taskLine("Old")]);
  await makeSession(folder, "two-old", [runLine({ workspace: "/a/b" }), taskLine("Elsewhere")]);
  await makeSession(folder, "three", [runLine(), taskLine("New")]);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  for (const [id, age] of [["one-old", 40], ["two-old", 35], ["three", 1]] as const) {
    Deno.utimeSync(tracePath(`${folder}/bulkhead`, id), days(age), days(age));
  }
}

Deno.test("sessions are chosen by workspace and age", async () => {
  using ws = workspace();
  await makeThree(ws.path);
  const ids = async (options: Options) =>
    JSON.parse(await printed(ws.path, [], { ...options, json: true })).map(({ id }: { id: string }) => id);
  assertEquals(await ids({}), ["three", "two-old", "one-old"]);
  assertEquals(await ids({ here: true }), ["three", "one-old"]);
  assertEquals(await ids({ here: true, workspace: "/a/b" }), ["two-old"]);
  assertEquals(await ids({ olderThan: "30d" }), ["two-old", "one-old"]);
  assertEquals(await ids({ olderThan: "900h", here: true }), ["one-old"]);
  assertEquals(await ids({ olderThan: "52w" }), []);
});

Deno.test("sessions show shows the newest, or the one whose id begins so", async () => {
  using ws = workspace();
  const why = "There is no session to show, see: bulkhead sessions";
  const none = await assertRejects(() => printed(ws.path, ["show"]), ToolError, why);
  assertEquals(none.code, "invalid_input");
  await makeThree(ws.path);
  const shown = async (words: string[], options: Options = {}) =>
    (await printed(ws.path, ["show", ...words], options)).split("\n")[0];
  assertEquals(await shown([]), "session three");
  assertEquals(await shown([], { here: true, workspace: "/a/b" }), "session two-old");
  assertEquals(await shown(["on"]), "session one-old");
});

Deno.test("sessions rm removes what is named, or what is old, and nothing else", async () => {
  using ws = workspace();
  await makeThree(ws.path);
  await makeSession(ws.path, "other", [runLine()]);
  // Nothing is removed if one of the ids is wrong.
  await assertRejects(() => printed(ws.path, ["rm", "one", "none"]), ToolError);
  await assertRejects(() => printed(ws.path, ["rm", "one"], { here: true }), ToolError);
  assertEquals(await printed(ws.path, ["rm", "oth", "other"]), "removed other\n");
  const told = '{"removed":["two-old","one-old"]}\n';
  assertEquals(await printed(ws.path, ["rm"], { olderThan: "30d", json: true }), told);
  assertEquals(await printed(ws.path, ["rm"], { olderThan: "30d" }), "no sessions\n");
  assertEquals([...Deno.readDirSync(ws.at("bulkhead/sessions"))].map(({ name }) => name), ["three"]);
});

// The refused command's lock comes once the session is closed, and is given back at once: after the test.
const late = { sanitizeOps: false, sanitizeResources: false };
Deno.test("sessions rm leaves a session that a run uses", late, async () => {
  using ws = workspace();
  const redact = (text: string) => text;
  const options = { id: "busy", workspace: "/ws", redact, now: new Date() };
  using session = await openSession(ws.at("bulkhead"), options);
  session.trace.write(runLine());
  const error = await assertRejects(() => printed(ws.path, ["rm", "busy"]), ToolError);
  assertEquals(error.code, "conflict");
  assertEquals(Deno.statSync(tracePath(ws.at("bulkhead"), "busy")).isFile, true);
});

Deno.test("sessions show --html prints one page; elsewhere --html is refused", async () => {
  using ws = workspace();
  await makeSession(ws.path, "s", [runLine(), taskLine("Do <b>it</b>"), endLine()]);
  const page = await printed(ws.path, ["show", "s"], { html: true });
  assertEquals(page.startsWith("<!doctype html>\n"), true);
  assertEquals(page.includes("<h1>Do &lt;b&gt;it&lt;/b&gt;</h1>"), true);
  for (const words of [[], ["rm", "s"]]) {
    const told = "--html is for one session";
    await assertRejects(() => printed(ws.path, words, { html: true }), ToolError, told);
  }
});
