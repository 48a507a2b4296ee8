import { assert, assertEquals, assertMatch } from "@std/assert";

import type { Question, ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { SessionOutput, SessionRead } from "../../../../schemas/program.ts";
import AskUser from "../../../../tools/harness/ask_user.ts";
import Bash from "../../../../tools/harness/bash.ts";
import { readTerminal } from "../../../../tools/harness/shared/read_terminal.ts";
import { assertRefuses, workspace } from "../../../support/run_tool.ts";

Deno.test("Bash() shows exit code, stdout and stderr as the document does", async () => {
  await using ws = workspace({ "a.txt": "one\n" });
  const table: [string, string][] = [
    ["true", "exit_code: 0"],
    ["cat a.txt", "exit_code: 0\nstdout:\none\n"],
    ["printf abc", "exit_code: 0\nstdout:\nabc"],
    ["echo err >&2; exit 3", "exit_code: 3\nstderr:\nerr\n"],
    ["echo out; echo err >&2; false", "exit_code: 1\nstdout:\nout\n\nstderr:\nerr\n"],
    ["kill -TERM $$", "exit_code: 143"],
    ["cat; echo $0 $#", "exit_code: 0\nstdout:\nbash 0\n"],
    ["for i in 1 2 3 4; do echo same; done", "exit_code: 0\nstdout:\nsame\nsame\nsame\nsame\n"],
    ["cat <<'E'\n$HOME `x` \\\nE", "exit_code: 0\nstdout:\n$HOME `x` \\\n"],
    ["", "exit_code: 0"],
  ];
  for (const [command, expected] of table) {
    assertEquals((await ws.run(Bash, { command })).text, expected, command);
  }
});

Deno.test("Bash() starts in the workspace or where it is asked to", async () => {
  await using ws = workspace({ "src/a.txt": "" });
  const table: [Record<string, unknown>, string][] = [
    [{}, ws.path],
    [{ workdir: "." }, ws.path],
    [{ workdir: "src" }, ws.at("src")],
    [{ workdir: ws.at("src") }, ws.at("src")],
  ];
  for (const [input, folder] of table) {
    assertEquals((await ws.run(Bash, { command: "pwd", ...input })).result.stdout, `${folder}\n`);
  }
});

Deno.test("Bash() refuses what cannot be, in the document's words", async () => {
  await using ws = workspace({ "a.txt": "" });
  const command = "true";
  await assertRefuses(ws, Bash, "[Bash] ", [
    [{ command, timeout: 0 }, "invalid_input", "timeout must be > 0."],
    [{ command, max_output_chars: 0 }, "invalid_input", "max_output_chars must be > 0."],
    [{ command: "a\0b" }, "invalid_input", "Error executing command: embedded null byte"],
    [{ command, workdir: "no" }, "not_found", `Working directory does not exist: ${ws.at("no")}`],
    [
      { command, workdir: "a.txt" },
      "invalid_input",
      `Working directory is not a directory: ${ws.at("a.txt")}`,
    ],
    [
      { command, workdir: "/etc" },
      "permission_denied",
      "Invalid or blocked working directory: Working directory is limited to the workspace root: " +
      `${ws.path} (/etc lies outside; pass --allow-read=/etc to grant it)`,
    ],
  ]);
});

Deno.test("Bash() words refusals of programs", () => {
  const refusal = (code: "denied_by_policy" | "permission_denied", message: string) =>
    Bash.errorText?.({ code, message, retryable: false, details: { kind: "run", reason: "denied" } });
  assertEquals(
    refusal("denied_by_policy", "sudo escalation is blocked"),
    "[Bash] Blocked by safety policy: sudo escalation is blocked",
  );
  assertEquals(refusal("permission_denied", 'Cannot run "x": denied'), '[Bash] Cannot run "x": denied');
});

Deno.test("Bash() keeps the start and the end of long output", async () => {
  await using ws = workspace();
  const input = { command: "seq 1 10000", max_output_chars: 100 };
  const { text, result } = await ws.run(Bash, input);
  assertMatch(
    text,
    /^exit_code: 0\nstdout:\n1\n2\n3\n[^[]*\n\[output truncated before decoding: omitted 488\d\d bytes\]\n[^[]*\n9999\n10000\n$/,
  );
  assertEquals(result.truncated, true);
  const [, omitted] = /omitted (\d+) bytes/.exec(text) ?? [];
  const kept = result.stdout.replace(/\[.*\]\n/, "").length;
  assertEquals(kept + Number(omitted), 48_894);
});

Deno.test("Bash() counts stdout and stderr separately", async () => {
  await using ws = workspace();
  const { result } = await ws.run(Bash, {
    command: "printf 12345678; printf 1234567890 >&2",
    max_output_chars: 8,
  });
  assertEquals(result.stdout, "12345678");
  assertEquals(result.stderr, "12\n[output truncated before decoding: omitted 6 bytes]\n90");
});

Deno.test("Bash() counts the line about what was left out among the characters", async () => {
  await using ws = workspace();
  const command = "head -c 1000000 /dev/zero | tr '\\0' x";
  const { result } = await ws.run(Bash, { command, max_output_chars: 1000 });
  const [, head, omitted, tail] = /^(x+)\n\[.* omitted (\d+) bytes\]\n(x+)$/.exec(result.stdout) ?? [];
  assertEquals([head?.length, omitted, tail?.length], [468, "999064", 468]);
  assert(result.stdout.length <= 1000);
  const whole = await ws.run(Bash, { command: "printf %1000s", max_output_chars: 1000 });
  assertEquals([whole.result.stdout.length, whole.result.truncated], [1000, false]);
});

Deno.test("Bash() tells of output that is no text", async () => {
  await using ws = workspace();
  const nul = await ws.run(Bash, { command: "printf 'ok\\0not ok'; exit 1" });
  assertEquals(nul.text, "exit_code: 1\nstdout:\n[NUL bytes shown as \u2400: 1]\nok\u2400not ok");
  const bar = await ws.run(Bash, { command: "printf '\\r%s' 1 2 3; echo; echo DONE" });
  assertEquals(
    bar.text,
    "exit_code: 0\nstdout:\n[parts of lines left out that were written over: 2]\n3\nDONE\n",
  );
  const binary = await ws.run(Bash, { command: "printf 'a\\0\\0'" });
  assertMatch(
    binary.text,
    /^exit_code: 0\nstdout:\n\[binary output omitted: 3 bytes\. Use file or a format-aware reader/,
  );
  const bad = await ws.run(Bash, { command: "printf 'a\\377b'" });
  assertEquals(
    bad.text,
    "exit_code: 0\nstdout:\n[non-UTF-8 bytes decoded with replacement characters: 1]\na\uFFFDb",
  );
});

Deno.test("Bash() ends a command whose time is up and returns its output so far", async () => {
  await using ws = workspace();
  const { text, error } = await ws.run(Bash, { command: "echo part; echo bad >&2; sleep 60", timeout: 3 });
  assertEquals(
    text,
    "[Bash] TimeoutError: Execution timed out. The command ran longer than 3 s: pass a larger timeout, or run it in " +
      "a terminal with TerminalStart\nstdout:\npart\n\nstderr:\nbad\n",
  );
  assertEquals(error?.code, "timeout");
  assertEquals(error?.details, { stdout: "part\n", stderr: "bad\n", exit_code: 124, timeout_seconds: 3 });
});

Deno.test("Bash() ends with the call, and says that it had less time", async () => {
  await using ws = workspace();
  const { error, warnings } = await ws.run(Bash, { command: "echo part; sleep 60" }, { timeoutMs: 3000 });
  assertEquals([error?.code, error?.details.stdout], ["timeout", "part\n"]);
  assertEquals(
    warnings.filter((line) => line.startsWith("timeout")),
    ["timeout 30 was lowered to 3 seconds, the longest time of this call"],
  );
});

Deno.test("Bash() leaves nothing to hang on: a background program does not hold the call", async () => {
  await using ws = workspace();
  const { text, result } = await ws.run(Bash, { command: "sleep 60 & echo started", timeout: 20 });
  assertEquals([text, result?.exit_code], ["exit_code: 0\nstdout:\nstarted\n", 0]);
});

Deno.test("Bash() keeps all output in files if asked to", async () => {
  await using ws = workspace();
  const input = { command: "seq 1 3000; echo e >&2", max_output_chars: 20, keep_output: true };
  const { text, result } = await ws.run(Bash, input);
  const [stdout, stderr] = result.full_output;
  assertEquals([stdout.name, stdout.bytes, stderr.name, stderr.bytes], ["stdout", 13_893, "stderr", 2]);
  assertEquals(Deno.readTextFileSync(stdout.path).split("\n").at(-2), "3000");
  assert(text.endsWith(
    `\nfull_output:\nstdout: ${stdout.path} (13893 bytes)\nstderr: ${stderr.path} (2 bytes)`,
  ));
});

Deno.test("Bash() runs commands longer than an argument may be", async () => {
  await using ws = workspace();
  const { text } = await ws.run(Bash, { command: `cat; : ${"x".repeat(200_000)}\necho end\n\n` });
  assertEquals(text, "exit_code: 0\nstdout:\nend\n");
});

/** A terminal whose shell only tells it something, and then a word. */
function scriptedTerminal(pieces: readonly string[]) {
  const waits: number[] = [];
  const left = [...pieces];
  const read = async (_id: string, { waitMs }: SessionRead): Promise<SessionOutput> => {
    waits.push(waitMs);
    const text = left.shift() ?? "";
    if (text === "") await new Promise((resolve) => setTimeout(resolve, waitMs));
    const stream = { head: "", text, droppedBytes: 0, remainingChars: 0 };
    const info = { id: "term_1", pid: 1, cwd: "/", alive: true, exitCode: null, reason: null };
    return { ...info, stdout: stream, stderr: stream, found: false };
  };
  const context = {
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    session: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
    warn: () => {},
    programs: { read },
  } as unknown as ToolContext;
  return { context, waits };
}

const READING = { purpose: "read", maxChars: 100, view: "text" } as const;

Deno.test("readTerminal() waits no longer than asked", async () => {
  const { context, waits } = scriptedTerminal([]);
  await readTerminal(context, "term_1", { ...READING, waitMs: 40 });
  assertEquals(waits[0], 40);
  assert(waits.reduce((sum, wait) => sum + wait, 0) < 80, `${waits}`);
});

Deno.test("readTerminal() waits on after what shows nothing", async () => {
  const { context, waits } = scriptedTerminal(["\x1b[?2004l\r", "late\r\n"]);
  const { output } = await readTerminal(context, "term_1", { ...READING, waitMs: 10_000 });
  assertEquals([output, waits.length], ["late\n", 2]);
});

/** A terminal that has said everything before it is read. */
function finishedTerminal(whole: string) {
  let left = whole;
  const kept = new Map<string, unknown>();
  const read = (_id: string, { maxChars = Infinity, tellRest }: SessionRead): Promise<SessionOutput> => {
    const text = left.slice(0, maxChars);
    left = left.slice(text.length);
    const rest = tellRest ? { rest: left } : {};
    const stream = { head: "", text, droppedBytes: 0, remainingChars: left.length, ...rest };
    const info = { id: "term_1", pid: 1, cwd: "/", alive: true, exitCode: null, reason: null };
    return Promise.resolve({ ...info, stdout: stream, stderr: stream, found: false });
  };
  return {
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    session: {
      get: (key: string) => Promise.resolve(kept.get(key)),
      set: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    },
    warn: () => {},
    programs: { read },
  } as unknown as ToolContext;
}

Deno.test("readTerminal() counts what remains as the next read shows it", async () => {
  const lines = "one\r\n\x1b[1mtwo\x1b[0m\r\n10%\r20%\r\nthree\r\n";
  for (let maxChars = 1; maxChars < lines.length; maxChars++) {
    const context = finishedTerminal(lines);
    const first = await readTerminal(context, "term_1", { ...READING, maxChars, waitMs: 0 });
    const second = await readTerminal(context, "term_1", { ...READING, maxChars: 1000, waitMs: 0 });
    assertEquals(
      [first.remaining_output_chars, first.truncated],
      [second.output.length, second.output.length > 0],
      `after ${maxChars}`,
    );
    assertEquals([second.remaining_output_chars, second.truncated], [0, false]);
  }
  const raw = await readTerminal(finishedTerminal(lines), "term_1", {
    ...READING,
    view: "raw",
    maxChars: 4,
    waitMs: 0,
  });
  assertEquals(raw.remaining_output_chars, lines.length - 4);
});

const UNAVAILABLE =
  "[AskUser] Cannot ask the user because no interactive terminal is available. Go on with what is known and say what " +
  "was assumed, or name in the final answer what is missing.";

const ANSWERS = [
  ["blue", "[AskUser] User answer:\nblue"],
  ["  two words \n", "[AskUser] User answer:\ntwo words"],
  [" ", "[AskUser] User answer was empty."],
] as const;

for (const [answer, text] of ANSWERS) {
  Deno.test(`AskUser() hands on the answer ${JSON.stringify(answer)}`, async () => {
    using ws = workspace();
    const asked: Question[] = [];
    const input = { question: "Which colour?", context: "Two are there." };
    const ran = await ws.run(AskUser, input, { answer: (question) => (asked.push(question), answer) });
    assertEquals([ran.ok, ran.text, ran.result], [true, text, { answer: answer.trim() }]);
    assertEquals(asked, [input]);
    assertEquals(AskUser.summary?.(ran.result), answer.trim() || "no answer");
  });
}

Deno.test("AskUser() says so where nobody can be asked", async () => {
  using ws = workspace();
  const { ok, text, error } = await ws.run(AskUser, { question: "Which colour?" });
  assertEquals([ok, text, error?.code], [false, UNAVAILABLE, "unavailable"]);
});

Deno.test("AskUser() refuses an empty question without asking", async () => {
  using ws = workspace();
  const { text, error } = await ws.run(AskUser, { question: " \n" }, { answer: () => "never asked" });
  assertEquals([text, error?.code], ["[AskUser] question must be a non-empty string.", "invalid_input"]);
});

for (
  const [code, text] of [["cancelled", "Cancelled before user answer was received."], [
    "timeout",
    "The end",
  ]] as const
) {
  Deno.test(`AskUser() tells of the end of the call before an answer: ${code}`, async () => {
    using ws = workspace();
    const answer = () => Promise.reject(new ToolError(code, "The end"));
    const { text: shown, error } = await ws.run(AskUser, { question: "Which colour?" }, { answer });
    assertEquals([shown, error?.code], [`[AskUser] ${text}`, code]);
  });
}
