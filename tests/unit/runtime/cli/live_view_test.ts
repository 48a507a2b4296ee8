import { assertEquals } from "@std/assert";

import type { Io } from "../../../../runtime/cli/io/io.ts";
import { LiveView } from "../../../../runtime/cli/show/live_view.ts";
import { showCall, showResult, showTime } from "../../../../runtime/cli/show/show_call.ts";
import type { ErrorInfo } from "../../../../schemas/error.ts";
import type { RunEvent } from "../../../../schemas/agent/events.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { toolResult } from "../../../support/tool_result.ts";

function resultOf(text: string, error: ErrorInfo | null = null): ToolResult {
  const metadata = { duration_ms: 1234, place: "sandbox" } as const;
  return toolResult({ ok: error === null, text, error, metadata });
}

function withSummary(text: string, summary: string): ToolResult {
  const result = resultOf(text);
  return { ...result, metadata: { ...result.metadata, summary } };
}

const REFUSAL: ErrorInfo = { code: "permission_denied", message: "outside", retryable: false, details: {} };
const USAGE = {
  ...{ input_tokens: 100, cached_tokens: 0, output_tokens: 20, rounds: 2, calls: 2, failed: 1 },
  ...{ cost: 0.01, estimated: true },
};

const GRANTS = { policy: "coder", allow: {}, deny: {} } as never;
const EVENTS: readonly RunEvent[] = [
  { type: "run.start", run_id: "r", command: "run", workspace: "/ws", model: "m", grants: GRANTS },
  { type: "turn.start", n: 1, input_tokens: 5 },
  { type: "text.delta", text: "Not th" },
  { type: "text.delta", text: "I look.\u001b[2J\n", restart: true },
  { type: "tool.start", id: "1", tool: "harness/Read", arguments: { path: "a.txt", start_line: 2 } },
  { type: "tool.start", id: "2", tool: "harness/Read", arguments: { path: "b.txt" } },
  { type: "tool.progress", id: "1", message: "reading" },
  { type: "permission", id: "1", decision: "confirmed" },
  { type: "tool.end", id: "1", result: resultOf("path: a.txt\ntotal_lines: 3\n") },
  { type: "tool.end", id: "2", result: resultOf("", REFUSAL) },
  { type: "retry", n: 1, max: 6, wait_ms: 1500, code: "external_failure", message: "try\nagain" },
  { type: "compact", before_tokens: 900, after_tokens: 100 },
  { type: "warning", message: "careful" },
  { type: "text.delta", text: "The answer." },
  { type: "run.end", exit_code: 0, termination_reason: "completed", usage: USAGE, answer: "The answer." },
];

/** Shows events and returns what stderr got. */
async function show(events: readonly RunEvent[], env: Record<string, string> = {}): Promise<string> {
  let shown = "";
  const io = {
    env: (name: string) => env[name],
    stderrWidth: () => env.TERM === undefined ? null : 80,
    stderr(bytes: Uint8Array) {
      shown += new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
  } as Partial<Io> as Io;
  using view = new LiveView(io);
  for (const event of events) view.show(event);
  await view.written;
  // How long the test itself took is no matter.
  return shown.replace(/· \d+\.\d s(\S*)\n$/, "· 0.0 s$1\n");
}

const PLAIN = `m · policy coder · /ws
I look.
ok      Read path=a.txt start_line=2 (1.2 s, you agreed): path: a.txt (2 lines)
refused Read path=b.txt (1.2 s): outside
retry 1 of 6 in 1.5 s: try\\nagain
older turns summed up: 900 to 100 tokens
warning: careful
2 rounds · 2 calls (1 failed) · about 120 tokens · $0.0100 · 0.0 s
`;

Deno.test("LiveView shows plain lines without a terminal, and leaves the answer to stdout", async () => {
  assertEquals(await show(EVENTS), PLAIN);
});

Deno.test("LiveView shows the model's last words if they are no answer", async () => {
  const cut = EVENTS.map((event) =>
    event.type === "run.end" ? { ...event, termination_reason: "max_rounds" } as const : event
  );
  assertEquals((await show(cut)).includes("\nThe answer.\n"), true);
});

Deno.test("LiveView paints on terminals that take it, or where it is forced", async () => {
  const painted = await show(EVENTS, { TERM: "xterm" });
  assertEquals(painted.includes("\x1b[32mok     \x1b[0m Read"), true);
  // deno-lint-ignore no-control-regex
  assertEquals(painted.replace(/\x1b\[\d+m/g, ""), PLAIN);
  assertEquals(await show(EVENTS, { FORCE_COLOR: "1" }), painted);
});

Deno.test("LiveView tells once what programs lacked, and nothing that only a model needs to know", async () => {
  const call = (id: string, isProgram: boolean, ...warnings: string[]): RunEvent[] => [
    { type: "tool.start", id, tool: "harness/Bash", arguments: {} },
    ...isProgram ? [programStart(id)] : [],
    { type: "tool.end", id, result: { ...resultOf("exit_code: 6"), warnings } },
  ];
  const shown = await show([
    ...call("1", true, "no network"),
    ...call("2", true, "no network", "no npm"),
    ...call("3", false, "a number was a text"),
  ]);
  const told = shown.split("\n").filter((line) => line.startsWith("warning"));
  assertEquals(told, ["warning: no network", "warning: no npm"]);
});

Deno.test("LiveView breaks rows at words below their call, and shows programs that failed in red", async () => {
  const command = "ls /nope && echo all of it is here again";
  const end = { exit_code: 2, signal: null, reason: "exited", duration_ms: 1 } as const;
  const shown = await show([
    { type: "tool.start", id: "1", tool: "harness/Bash", arguments: { command } },
    programStart("1"),
    { type: "program.end", id: "1", program: 1, ...end },
    { type: "tool.end", id: "1", result: withSummary("", "exit 2 · ls: cannot access /nope: No such file") },
  ], { TERM: "xterm" });
  assertEquals(
    // deno-lint-ignore no-control-regex
    shown.replace(/\x1b\[31m/g, "<red>").replace(/\x1b\[\d+m/g, ""),
    `<red>failed  Bash command="ls /nope && echo all of it is here again" (1.2 s): exit 2
        · ls: cannot access /nope: No such file\n`,
  );
});

Deno.test("LiveView shows the first line of a failure", async () => {
  const error = { ...REFUSAL, code: "conflict", message: "it does not fit:\n- old\n+ new" } as const;
  const shown = await show([{ type: "tool.end", id: "1", result: resultOf("", error) }]);
  assertEquals(shown, "failed  test/look (1.2 s): it does not fit:\n");
});

function programStart(id: string): RunEvent {
  const program = { argv: ["curl"], cwd: "/ws", sandboxed: true, risk: "medium" } as const;
  return { type: "program.start", id, program: 1, ...program };
}

Deno.test("showCall() puts a call on one line", () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ["harness/Grep", { pattern: "a b", case_sensitive: true }, 'Grep pattern="a b" case_sensitive=true'],
    ["manus/terminate", {}, "terminate"],
    ["nonsense\n\u001b[2J", undefined, "nonsense\\n"],
    ["Read", "broken {", 'Read "broken {"'],
    ["Write", { content: "x".repeat(500) }, `Write content=${"x".repeat(47)}…`],
    ["W", { a: "x".repeat(60), b: "y".repeat(60), c: 1 }, `W a=${"x".repeat(47)}… b=${"y".repeat(42)}…`],
  ];
  for (const [tool, input, expected] of cases) assertEquals(showCall(tool, input), expected);
});

Deno.test("showResult() says most with one line", () => {
  const cases: readonly (readonly [ToolResult, string])[] = [
    [resultOf(""), "no output"],
    [resultOf("3400"), "3400"],
    [resultOf("\n\none\ntwo\n"), "one (2 lines)"],
    [withSummary("exit_code: 1\nstdout:\nx", "exit 1 · x\u001b[2J"), "exit 1 · x"],
    [resultOf("text", REFUSAL), "outside"],
    [{ ...resultOf("x"), images: [{ mime_type: "image/png", data: "" }] }, "a picture"],
  ];
  for (const [result, expected] of cases) assertEquals(showResult(result), expected);
});

Deno.test("showTime() words times in short", () => {
  const times = [0, 9_949, 9_950, 119_400, 200_000].map(showTime);
  assertEquals(times, ["0.0 s", "9.9 s", "10 s", "119 s", "3 min 20 s"]);
});

Deno.test("LiveView shows each rejected answer on lines of its own, and leaves the last part to the answer", async () => {
  const cut = (text: string): RunEvent[] => [
    { type: "text.delta", text },
    { type: "warning", message: "the model's reply was cut off, it is asked again (2 of 5)" },
  ];
  const end = { exit_code: 7, termination_reason: "cut_off", usage: USAGE } as const;
  const last: RunEvent[] = [{ type: "text.delta", text: "the last part" }, { type: "run.end", ...end }];
  const warning = "warning: the model's reply was cut off, it is asked again (2 of 5)\n";
  const shown = await show([...cut("one"), ...cut("two"), ...last]);
  assertEquals(shown.slice(0, shown.indexOf("2 rounds")), `one\n${warning}two\n${warning}`);
});

/** Shows events on a terminal that takes the answer too; returns what each stream got, in order. */
async function stream(events: readonly RunEvent[]) {
  const written: [string, string][] = [];
  const take = (stream: string) => (bytes: Uint8Array) => {
    written.push([stream, new TextDecoder().decode(bytes)]);
    return Promise.resolve();
  };
  const io = {
    env: (name: string) => name === "NO_COLOR" ? "1" : undefined,
    stderrWidth: () => 60,
    stderr: take("stderr"),
    stdout: take("stdout"),
  } as Partial<Io> as Io;
  using view = new LiveView(io, { streams: true });
  for (const event of events) view.show(event);
  await view.written;
  return { written, shown: view.hasShown("The answer.\n") };
}

Deno.test("LiveView shows the answer as it comes where it goes to the same terminal", async () => {
  const delta = (text: string): RunEvent => ({ type: "text.delta", text });
  const { written, shown } = await stream([
    { type: "turn.start", n: 1, input_tokens: 5 },
    ...["\n\nThe ", "ans\u001b", "[2Jwer."].map(delta),
    { type: "run.end", exit_code: 0, termination_reason: "completed", usage: USAGE, answer: "The answer." },
  ]);
  assertEquals(shown, true);
  const said = written.filter(([stream]) => stream === "stdout").map(([, text]) => text);
  assertEquals(said, ["The answer.\n"]);
});

Deno.test("LiveView begins a new line after a text that breaks off, and does not take it for the answer", async () => {
  const { written, shown } = await stream([
    { type: "turn.start", n: 1, input_tokens: 5 },
    { type: "text.delta", text: "Half \ud83c" },
    { type: "text.delta", text: "\udf89 of" },
    { type: "text.delta", text: "I look.", restart: true },
    { type: "tool.start", id: "1", tool: "harness/Read", arguments: { path: "a.txt" } },
    { type: "tool.end", id: "1", result: withSummary("x", "3 lines") },
    { type: "run.end", exit_code: 7, termination_reason: "max_rounds", usage: USAGE, answer: null },
  ]);
  assertEquals(shown, false);
  const told = "Half 🎉 of\nI look.\nok      Read path=a.txt (1.2 s): 3 lines\n";
  assertEquals(written.map(([, text]) => text).join("").split("2 rounds")[0], told);
});
