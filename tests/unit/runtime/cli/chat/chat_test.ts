import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";

import {
  CHAT_COMMANDS,
  chatHelp,
  completeCommand,
  readLine,
} from "../../../../../runtime/cli/chat/chat_commands.ts";
import { optionsNow, readGrants } from "../../../../../runtime/cli/chat/chat_options.ts";
import { openHistory } from "../../../../../runtime/cli/chat/history.ts";
import { openQuestions } from "../../../../../runtime/cli/chat/open_questions.ts";
import { renderChat } from "../../../../../runtime/cli/chat/render_chat.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const PURE = { permissions: "none" } as const;

Deno.test("readLine() tells commands from prompts", PURE, () => {
  const prompts = "hello| /quit|/etc/hosts is what?|/tmp/x|a /quit|/* a comment */|//x|/2";
  for (const text of prompts.split("|")) assertEquals(readLine(text), { kind: "prompt", text });
  for (const text of ["", "  ", "\n"]) assertEquals(readLine(text), { kind: "nothing" });
  const command = (name: string, words: string[] = [], rest = "") => ({ kind: "command", name, words, rest });
  assertEquals(readLine("/quit") as unknown, command("quit"));
  assertEquals(readLine("/Help ") as unknown, command("help"));
  assertEquals(readLine('/save "a b.md"') as unknown, command("save", ["a b.md"], '"a b.md"'));
  assertEquals(readLine("/grants --allow-net=a.com  --deny-run='x y'") as unknown, {
    ...command("grants", ["--allow-net=a.com", "--deny-run=x y"]),
    rest: "--allow-net=a.com  --deny-run='x y'",
  });
});

Deno.test("readLine() names the nearest command", PURE, () => {
  const said = (text: string) => {
    const typed = readLine(text);
    return typed.kind === "mistake" ? typed.message : "";
  };
  const told = 'Unknown command "/undoo", did you mean "/undo"? A blank before the line';
  assertStringIncludes(said("/undoo all"), told);
  assertStringIncludes(said("/zzz"), 'Unknown command "/zzz", see /help. A blank before');
  assertStringIncludes(said("/permision"), 'did you mean "/grants"?');
  assertStringIncludes(said("/Compact"), "No /compact here: older turns are summed up by themselves");
  for (const [word, name] of [["exit", "quit"], ["permissions", "grants"], ["new", "clear"], ["?", "help"]]) {
    assertEquals(readLine(`/${word}`) as unknown, { kind: "command", name, words: [], rest: "" });
  }
  assertStringIncludes(said("/quit now"), "/quit takes no words; a blank before the line");
});

Deno.test("completeCommand() offers what a beginning may become", PURE, () => {
  assertEquals(completeCommand("/s"), ["/save "]);
  assertEquals(completeCommand("/quit"), ["/quit"]);
  assertEquals(completeCommand("/").length, Object.keys(CHAT_COMMANDS).length);
  for (const text of ["", "s", "/save x", "/zz"]) assertEquals(completeCommand(text), []);
});

Deno.test("chatHelp() tells of every command", PURE, () => {
  for (const [name, { summary }] of Object.entries(CHAT_COMMANDS)) {
    assertStringIncludes(chatHelp(80), `  /${name}`);
    assertStringIncludes(chatHelp(80), summary);
  }
  assertStringIncludes(chatHelp(20), "  /quit\n    End the chat");
});

const begun: Extract<TraceLine, { t: "run" }> = {
  ...{ t: "run", v: 1, run_id: "r", session_id: "s", time: "", version: "", model: "m", workspace: "/ws" },
  ...{ policy: "read-only", tools: [], resumed: false },
  settings: {
    flags: ["--allow-read=/a", "--allow-net", "--sandbox=require"],
    policy: { name: "read-only", base: "read-only", allow: [], deny: [], named: true },
    config: null,
    tools: { toolsets: ["one"], tools: [], extra_tools: ["two"] },
    model: { name: "m", base_url: null },
  },
};

Deno.test("optionsNow() adds the options of a chat to what its session keeps", PURE, () => {
  assertEquals(optionsNow(undefined, { policy: "coder" }), { policy: "coder" });
  const kept = { policy: "read-only", workspace: "/ws", sandbox: "require" } as const;
  assertEquals(optionsNow(begun, {}), {
    ...{ ...kept, allowRead: ["/a"], allowNet: true },
    ...{ toolset: ["one"], extraTool: ["two"] },
  });
  const rest = { sandbox: "off", tool: ["T"], model: "n" } as const;
  const now = optionsNow(begun, { ...rest, allowRead: ["/b"], allowNet: ["h"] });
  assertEquals(now, { ...kept, ...rest, allowRead: ["/a", "/b"], allowNet: true });
  assertEquals(optionsNow(begun, { allowAll: true }).allowRead, undefined);
});

Deno.test("readGrants() reads flags of permissions alone", PURE, () => {
  assertEquals(readGrants(["--allow-net=a.com", "allow-read", "deny-run=x,y"], undefined), {
    ...{ allowNet: ["a.com"], allowRead: true, denyRun: ["x", "y"] },
  });
  assertEquals(readGrants([], undefined), {});
  const refused = (words: string[], part: string) =>
    assertThrows(() => readGrants(words, undefined), ToolError, part);
  refused(["--alow-net"], 'Unknown option "--alow-net", did you mean "--allow-net"?');
  refused(["--max-rounds=3"], "has no meaning");
});

const asIs = (text: string) => text;

function scene() {
  const folder = Deno.makeTempDirSync();
  return {
    path: join(folder, "state", "history.jsonl"),
    folder,
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

Deno.test("openHistory() keeps entries between programs, for the user alone", () => {
  using place = scene();
  const { history, problem } = openHistory(place.path, (text) => text.replaceAll("key", "***"));
  assertEquals(problem, null);
  for (const entry of ["one", "one", " secret", "", "two\nlines", "a key", "one"]) history.add(entry);
  assertEquals(history.entries, ["one", "two\nlines", "a key", "one"]);
  assertEquals((Deno.statSync(place.path).mode ?? 0) & 0o777, 0o600);
  assertEquals(openHistory(place.path, asIs).history.entries, ["one", "two\nlines", "a ***", "one"]);
  // A torn line and a foreign one are left out.
  Deno.writeTextFileSync(place.path, '{"a":1}\n"tor', { append: true });
  assertEquals(openHistory(place.path, asIs).history.entries.length, 4);
});

Deno.test("openHistory() bounds what it keeps", () => {
  using place = scene();
  const { history } = openHistory(place.path, asIs);
  for (let n = 0; n < 1_600; n++) history.add(`entry ${n}`);
  history.add("x".repeat(10_001));
  const { entries } = openHistory(place.path, asIs).history;
  assertEquals([entries.length, entries[0], entries.at(-1)], [1_000, "entry 600", "entry 1599"]);
  assertEquals(Deno.readTextFileSync(place.path).split("\n").length, 1_001);
  assertEquals((Deno.statSync(place.path).mode ?? 0) & 0o777, 0o600);
  assertEquals([...Deno.readDirSync(join(place.folder, "state"))].length, 1);
});

Deno.test("openHistory() uses no file that others could have made, and closes one that others can read", () => {
  using place = scene();
  Deno.mkdirSync(join(place.folder, "state"));
  const other = join(place.folder, "other");
  Deno.writeTextFileSync(other, '"theirs"\n');
  Deno.symlinkSync(other, place.path);
  const { history, problem } = openHistory(place.path, asIs);
  history.add("mine");
  assertEquals([history.entries, problem], [["mine"], `"${place.path}" is no file of yours alone`]);
  assertEquals(Deno.readTextFileSync(other), '"theirs"\n');
  Deno.removeSync(place.path);
  Deno.writeTextFileSync(place.path, '"old"\n');
  Deno.chmodSync(place.path, 0o644);
  assertEquals(openHistory(place.path, asIs).history.entries, ["old"]);
  assertEquals((Deno.statSync(place.path).mode ?? 0) & 0o777, 0o600);
});

const reply = (content: string, purpose: "turn" | "compact" = "turn") =>
  ({ t: "reply", purpose, reply: { content } }) as unknown as TraceLine;
const task = (...texts: string[]): TraceLine => ({
  t: "message",
  message: { role: "user", kind: "task", content: texts.map((text) => ({ type: "text", text })) },
});
const result = (id: string, ok: boolean, content = ""): TraceLine => ({
  ...{ t: "result", id, tool: "a/Read", ok, content, pictures: [], duration_ms: 1 },
  error: ok ? null : { code: "not_found", message: "no", retryable: false, details: {} },
});

Deno.test("renderChat() tells what was said and done, and steers no terminal", PURE, () => {
  const lines: TraceLine[] = [
    { t: "run", v: 1, time: "2026-01-02T03:04:05Z", model: "m", workspace: "/ws" } as unknown as TraceLine,
    { t: "message", message: { role: "system", content: "system" } },
    { t: "message", message: { role: "user", kind: "project", content: [] } },
    task("What is `it`?\x1b[2J", "<file>\n```\ncode\n```\n</file>"),
    reply("\x1b[31mI look.\x1b[0m"),
    { t: "call", id: "1", tool: "a/Read", arguments: { path: "a`b" } },
    result("1", true),
    { t: "call", id: "2", tool: "a/Read", arguments: { path: "c" } },
    result("2", false),
    { t: "call", id: "3", tool: "a/Read", arguments: {} },
    reply("It is x.\n"),
    reply("summary", "compact"),
    task("And now?"),
    { t: "end", outcome: { termination_reason: "interrupted", error: { message: "stopped" } } } as never,
  ];
  assertEquals(renderChat("s1", lines).split("\n\n"), [
    ...["# Chat", "session `s1`, model `m`, workspace `/ws`, 2026-01-02T03:04:05Z"],
    ...["## You", "What is `it`?", "````\n<file>\n```\ncode\n```\n</file>\n````"],
    ...["## Answer", "I look.", "- ``Read path=a`b``: ok\n- `Read path=c`: not_found\n- `Read`: no result"],
    ...["It is x.", "## You", "And now?", "*The turn ended: interrupted: stopped*\n"],
  ]);
});

const called = (id: string, tool: string): TraceLine[] => [
  reply(""),
  { t: "call", id, tool, arguments: {} },
];
const answered = (text: string): TraceLine => ({
  t: "message",
  message: { role: "user", kind: "clarification", content: [{ type: "text", text }] },
});
const ended = (answer: string | null): TraceLine =>
  ({ t: "end", time: "", outcome: { termination_reason: "completed", answer, error: null } }) as never;

Deno.test("renderChat() tells questions with their answers, and an answer that a call gave", PURE, () => {
  const lines = [
    ...[task("Look it up"), ...called("1", "a/ask"), result("1", true, "Which\x1b[2J one?")],
    ...[answered("The red one"), ...called("2", "a/finish"), result("2", true)],
    ...[ended("It is \x1b[31mred."), task("And now?"), ...called("3", "a/ask"), result("3", true, "When?")],
    ...[ended("When?"), answered("Today"), reply("Well."), ended("Well."), ended(null)],
  ];
  const [, text] = renderChat("s1", lines).split(/session `s1`\n\n/);
  assertEquals(text?.split("\n\n"), [
    ...["## You", "Look it up", "## Answer", "- `ask`: ok", "Which one?", "## You", "The red one"],
    ...["## Answer", "- `finish`: ok", "It is red.", "## You", "And now?", "## Answer", "- `ask`: ok"],
    ...["When?", "## You", "Today", "## Answer", "Well.\n"],
  ]);
});

const end = (questions?: string[]) =>
  ({ t: "end", time: "", outcome: { questions } }) as unknown as TraceLine;
const run = { t: "run" } as TraceLine;
const answer: TraceLine = { t: "message", message: { role: "user", kind: "clarification", content: [] } };

Deno.test("openQuestions() returns what nobody has answered", PURE, () => {
  assertEquals(openQuestions([]), []);
  assertEquals(openQuestions([run, answer, end()]), []);
  assertEquals(openQuestions([run, end(["Which?", "When?"])]), ["Which?", "When?"]);
  // A run that could not begin has asked nothing.
  assertEquals(openQuestions([end(["Which?"]), run]), ["Which?"]);
  assertEquals(openQuestions([end(["Which?"]), run, answer]), []);
  assertEquals(openQuestions([end(["Which?"]), run, answer, end()]), []);
});
