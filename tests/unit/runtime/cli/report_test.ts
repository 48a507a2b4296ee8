import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { type BatchAnswer, failureLine, verdictOf } from "../../../../runtime/cli/report/batch_call.ts";
import { renderRow } from "../../../../runtime/cli/report/batch_row.ts";
import { renderAnnotation, renderStepSummary } from "../../../../runtime/cli/report/github.ts";
import { renderJunit } from "../../../../runtime/cli/report/junit.ts";
import { Tally } from "../../../../runtime/cli/report/tally.ts";
import { taskCall } from "../../../../runtime/cli/report/task_call.ts";
import { TaskEvents } from "../../../../runtime/cli/report/task_events.ts";
import { renderTaskRow } from "../../../../runtime/cli/report/task_row.ts";
import { failedTask, type TaskAnswer } from "../../../../runtime/queue/tasks/answer_task.ts";
import { NO_USAGE } from "../../../../schemas/agent/agent.ts";
import { type ErrorCode, ToolError } from "../../../../schemas/error.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { toolResult } from "../../../support/tool_result.ts";

const PURE = { permissions: "none" } as const;

/** A text with everything that a report must escape. */
const ODD = "a\0b\x1b[31m\ud800 <&>\"' ]]> | `x` \u2028 100%,\r\nnext";

/** Returns the answer to a call; without a code it succeeded. */
function call(
  id: string | number,
  code: ErrorCode | null = null,
  changes: Partial<BatchAnswer> = {},
): BatchAnswer {
  const message = `Cannot: ${ODD}`;
  const error = code === null ? null : { code, message, retryable: false, details: {} };
  const text = code === null ? "found 3" : ODD;
  const metadata = { duration_ms: 1500, place: "none" } as const;
  const result = toolResult({ tool_name: "set/Tool", ok: code === null, text, error, metadata });
  return { id, line: 1, toolName: "set/Tool", input: { path: ODD }, result, met: code === null, ...changes };
}

/** Returns the answer to a call that flags would allow. */
const refused = (id: string, ...flags: string[]) => {
  const one = call(id, "permission_denied");
  one.result.error!.details = flags[0]?.startsWith("--deny-") ? { flag: flags[0], flags: [] } : { flags };
  return one;
};

/** A call of each kind. */
const CALLS = [
  call(1),
  call(ODD, "conflict"),
  call("x", "not_found", { line: 9 }),
  call("y", "cancelled"),
  call("expected", "not_found", { met: true }),
  refused("r", "--allow-secrets=/a b/.env"),
];

/** Returns the answer to a task that went well. */
function answered(id: string | number, answer: string, changes: Partial<TaskAnswer> = {}): TaskAnswer {
  return {
    ...{ v: 1, id, ok: true, answer, termination_reason: "completed", exit_code: 0, error: null },
    ...{ usage: { ...NO_USAGE, rounds: 1, cost: 0.0123 }, changed: [], refused: [], resume: null },
    ...{ session_id: `s-${id}`, workspace: "/work", model: "m", duration_ms: 1_500 },
    ...changes,
  };
}

/** The line of it is no task. */
const BAD = failedTask({ id: 3 }, new ToolError("invalid_input", "Cannot read line 3: x").toInfo());

/** It was completed without a call that was refused, and that counts. */
const REFUSED = answered("r", "Done.", {
  ...{ ok: false, exit_code: 3, resume: "bulkhead run --resume s-r '…'" },
  refused: [{ tool: "own/Look", flags: ["--allow-read=/x"], message: "no" }],
});

/** The model said that it failed. */
const GAVE_UP = answered("g", "I could not find it.\nSorry.", {
  ...{ ok: false, exit_code: 1, termination_reason: "task_failed" },
});

Deno.test("failureLine() is one line with call, tool, code, reason and flag", () => {
  const line = failureLine(refused("r", "--allow-net=x"));
  assert(line.startsWith("call r (set/Tool) refused: permission_denied: Cannot: "), line);
  assert(line.endsWith(" (allow it with --allow-net=x)"), line);
  // deno-lint-ignore no-control-regex
  assertEquals(/[\0-\x1f\u2028]/.test(failureLine(CALLS[1]!)), false);
});

Deno.test("renderRow() tells a person a call in a row, and below why it failed", () => {
  const plain = { width: 60, colorful: false };
  const told = "ok      a Tool n=1 (1.5 s): found 3\n";
  assertEquals(renderRow(call("a", null, { input: { n: 1 } }), plain), told);
  const [row = "", why = "", end] = renderRow(CALLS[5]!, plain).split("\n");
  assert(row.startsWith("refused r Tool path=") && row.length <= 60, row);
  assert(why.startsWith("        permission_denied: Cannot: "), why);
  assertEquals(end, "");
  assert(renderRow(CALLS[0]!, { width: 60, colorful: true }).startsWith("\x1b[32mok     \x1b[0m 1 "));
});

Deno.test("reports for GitHub escape what its commands and tables read", () => {
  const line = renderAnnotation(CALLS[1]!, "a,b:c.jsonl");
  assert(line.startsWith("::error file=a%2Cb%3Ac.jsonl,line=1,title=bulkhead%3A call "), line);
  assertEquals([line.includes("\n"), line.includes("100%25")], [false, true]);
  assert(renderAnnotation(CALLS[2]!, null).startsWith("::error title=bulkhead%3A call x failed::"));
  const summary = renderStepSummary(CALLS, "6 calls: 2 ok");
  const rows = summary.split("\n").filter((row) => row.startsWith("| "));
  assertEquals(rows.length, CALLS.length + 2);
  for (const row of rows) assertEquals(row.split("|").length, 7, row);
  assertStringIncludes(summary, "6 calls: 2 ok");
  assertEquals(/<&|`x`/.test(summary), false);
});

programTest("renderJunit() writes XML that a parser takes, whatever calls hold", ["python3"], async () => {
  const xml = renderJunit(CALLS, { name: ODD, started: new Date(0), durationMs: 2500 });
  const script =
    "import sys, json, xml.etree.ElementTree as t\nroot = t.fromstring(sys.stdin.buffer.read())\n" +
    "print(json.dumps([root.attrib, [[c.attrib, [[k.tag, k.attrib, k.text] for k in c]] for c in root[0]]]))";
  const python = new Deno.Command("python3", { args: ["-c", script], stdin: "piped", stdout: "piped" })
    .spawn();
  const writer = python.stdin.getWriter();
  await writer.write(new TextEncoder().encode(xml));
  await writer.close();
  const { code, stdout } = await python.output();
  assertEquals(code, 0, xml);
  const [root, cases] = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(root, {
    name: "bulkhead",
    tests: "6",
    failures: "1",
    errors: "2",
    skipped: "1",
    time: "2.500",
  });
  assertEquals(cases.map(([, inner]: [unknown, [string][]]) => inner.map(([tag]) => tag)), [
    ...[[], ["failure"], ["error"], ["skipped"], [], ["error"]],
  ]);
  const clean = ODD.replace("\0", "\ufffd").replace("\x1b", "\ufffd").toWellFormed();
  const [attributes, [[, facts, text]]] = cases[1];
  assertEquals([facts.message, facts.type, text], [`Cannot: ${clean}`, "conflict", clean]);
  assertEquals([attributes.classname, attributes.time, attributes.line], ["set.Tool", "1.500", "1"]);
  assertEquals(cases[2][0].line, "9");
});

Deno.test("failureLine() and renderJunit() tell what was warned of: it may be the reason", PURE, () => {
  const failed = call("n", "conflict");
  failed.result.warnings.push("no network in this sandbox\nat all");
  assert(failureLine(failed).endsWith("; no network in this sandbox\\nat all"), failureLine(failed));
  const xml = renderJunit([failed], { name: "calls.jsonl", started: new Date(0), durationMs: 1 });
  assert(xml.includes("\nwarning: no network in this sandbox\nat all</failure>"), xml);
});

Deno.test("Tally.summary() counts calls by their end, and names the flags that would allow them", () => {
  const sum = (calls: BatchAnswer[]) => {
    const tally = new Tally();
    for (const one of calls) tally.add(one);
    return tally.summary();
  };
  assertEquals(sum([]), "0 calls");
  assertEquals(sum([call(1)]), "1 call: 1 ok");
  const flag = "'--allow-secrets=/a b/.env'";
  assertEquals(sum(CALLS), `6 calls: 2 ok, 1 refused (allow it with ${flag}), 2 failed, 1 stopped`);
  const two = [refused("a", "--allow-net=x"), refused("b", "--allow-net=x"), refused("c", "--deny-run")];
  assertEquals(sum(two), "3 calls: 3 refused (allow 2 of them with --allow-net=x)");
  const several = [refused("a", "--allow-read=/a", "--allow-write=/a"), refused("b", "--allow-read=/b c")];
  const all = "'--allow-read=/a,/b c' --allow-write=/a";
  assertEquals(sum(several), `2 calls: 2 refused (allow them with ${all})`);
  assertEquals(sum([call("p", "denied_by_policy")]), "1 call: 1 refused");
});

const at = { line: 3 };

Deno.test("taskCall() counts a task like a call, and says why it failed", PURE, () => {
  const all = [answered("a", "Yes."), BAD, REFUSED, GAVE_UP].map((answer) => taskCall(at, answer));
  assertEquals(all.map(verdictOf), ["ok", "failed", "refused", "failed"]);
  assertEquals(all.slice(1).map(failureLine), [
    "task 3 failed: invalid_input: Cannot read line 3: x",
    "task r refused: permission_denied: refused Look; to allow it: --allow-read=/x; go on with bulkhead run --resume s-r '…'",
    "task g failed: unavailable: I could not find it.",
  ]);
});

Deno.test("taskCall() tells a stopped task from a failed one", PURE, () => {
  const error = new ToolError("cancelled", "The run was cancelled").toInfo();
  const end = { ok: false, exit_code: 130, termination_reason: "interrupted" };
  assertEquals(verdictOf(taskCall(at, answered("s", "", { ...end, error }))), "stopped");
  assertEquals(verdictOf(taskCall(at, answered("s", "", { ...end, error: null }))), "stopped");
});

function written(): { events: TaskEvents; lines: string[]; failed: unknown[]; full: { is: boolean } } {
  const lines: string[] = [];
  const failed: unknown[] = [];
  const full = { is: false };
  const write = (text: string) => {
    if (full.is) return Promise.reject(new Error("full"));
    lines.push(text);
    return Promise.resolve();
  };
  const mask = (line: string) => line.replaceAll("secret", "***");
  const events = new TaskEvents({ output: { write }, mask, onFail: (error) => failed.push(error) });
  return { events, lines, failed, full };
}

Deno.test("TaskEvents tells the events of runs with their tasks, and one end of all", PURE, async () => {
  const { events, lines } = written();
  events.emit("a", { type: "prompt" });
  events.emit("a", { type: "text.delta", text: "a secret" } as { type: string });
  events.end(answered("a", "x"), { isToldEnd: true });
  events.end(answered("b", "x", { usage: null }), { isToldEnd: true });
  events.end(BAD, { isToldEnd: false });
  await events.last(2, { interrupted: false });
  const all = lines.map((line) => JSON.parse(line));
  assertEquals(all.map(({ v, type, task }) => [v, type, task]), [
    [1, "text.delta", "a"],
    [1, "warning", 3],
    [1, "run.end", 3],
    [1, "run.end", undefined],
  ]);
  assertEquals([all[0].text, all[1].message, all[2].exit_code, all[2].termination_reason], [
    ...["a ***", "Cannot read line 3: x", 2, "not_started"],
  ]);
  const { exit_code, termination_reason, usage } = all[3];
  assertEquals([exit_code, termination_reason, usage.rounds, usage.cost], [2, "task_failed", 1, 0.0123]);
});

Deno.test("TaskEvents says how it ended, and when its reader has gone", PURE, async () => {
  const { events, lines, failed, full } = written();
  await events.last(0, { interrupted: false });
  await events.last(130, { interrupted: true });
  assertEquals(lines.map((line) => JSON.parse(line).termination_reason), ["completed", "interrupted"]);
  full.is = true;
  events.emit("a", { type: "retry" });
  await assertRejects(() => events.written, Error, "full");
  assertEquals(failed.length, 1);
});

function row(answer: TaskAnswer, { width = 80, colorful = false } = {}): string {
  return renderTaskRow({ answer, call: taskCall({ line: 3 }, answer) }, { width, colorful });
}

Deno.test("renderTaskRow() tells a person a task in a row, and below why it failed", PURE, () => {
  const told = "ok      a (1.5 s, $0.0123): It is 4. (2 lines)\n";
  assertEquals(row(answered("a", "\nIt is \x1b[31m4.\nSo.")), told);
  assertEquals(row(BAD), "failed  3 (0.0 s)\n        invalid_input: Cannot read line 3: x\n");
  assertEquals(row(answered("a", "x".repeat(99)), { width: 40 }).length, 41);
  const asking = answered("q", "Which one?", { termination_reason: "waiting_for_clarification" });
  assertEquals(row(asking), "asks    q (1.5 s, $0.0123): Which one?\n");
  assertEquals(row(asking, { colorful: true }).slice(0, 18), "\x1b[33masks   \x1b[0m q");
});
