import { exitCodeOf, ToolError } from "../../../schemas/error.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { answerBatchCall } from "../../calls/batch/answer_call.ts";
import { type BatchCall, parseBatch } from "../../calls/batch/batch_calls.ts";
import { plural } from "../../text/plural.ts";
import { readLines } from "../../text/lines.ts";
import { takeUntil } from "../../wait/take_until.ts";
import { planBlocks, schedule } from "../../calls/schedule.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { awaitInput, type Io, printError } from "../io/io.ts";
import { openInput } from "../io/open_input.ts";
import { makeOutput } from "../io/output.ts";
import { openReports } from "../report/open_reports.ts";
import { BatchView } from "../report/batch_view.ts";
import { judgeResult } from "../../calls/batch/expect.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { EventReporter, exitCodeOfResult, interruptedCode } from "../show/event_reporter.ts";
import { checkQueueOptions } from "./queue/queue_options.ts";
import type { Host } from "../../host/open_host.ts";
import { keepOnly, openRun } from "../setup/open_run.ts";
import { StatusLine } from "../show/status_line.ts";

/** `batch FILE|-`: a list of calls, answered with a line of JSON each, in order, as they come. */
export async function runBatchCommand(invocation: Invocation, io: Io): Promise<number> {
  const { positionals, options } = invocation;
  checkQueueOptions(options);
  if (options.queue !== undefined) {
    const { runQueueBatch } = await import("./queue/queue_batch.ts");
    return await runQueueBatch(invocation, io);
  }
  const [file = "-"] = positionals;
  const manifest = await io.manifest();
  const input = await awaitInput(io, openInput(file, io));
  using output = makeOutput(options.output, io, { form: "lines" });
  using reports = await openReports(options.report ?? [], file, io);
  const outputs = [...output.files, ...reports.files];
  const files = { inputs: [file], outputs };
  await using host = openRun(options, io, { manifest, runsCalls: true, stdinTaken: file === "-", ...files });
  const told = host.telemetry?.run({ kind: "batch", session: options.session ?? null });
  await host.ready({ signal: io.interrupt });
  let calls: AsyncIterable<BatchCall> = parseBatch(readLines(input), host.catalog);
  if (options.plan) {
    const all = await awaitInput(io, Array.fromAsync(calls));
    await printError(io, renderPlan(all));
    calls = toAsync(all);
  }
  using status = new StatusLine(io, { quiet: options.quiet ?? false, label: "calls" });
  const events = options.events ? new EventReporter(output) : undefined;
  const view = new BatchView({ io, options, output, events, status, reports: reports.all });
  await keepOnly(host.catalog.entries.map(({ tool }) => tool), { host, options, io });
  host.programs.stand();
  events?.start("batch", host);
  let code = exitCodeOf("internal");
  try {
    const within = { ...host, telemetry: told?.within };
    code = await runAll(calls, { host: within, io, view, events, status, options });
  } finally {
    told?.end({ termination: code === 0 ? "completed" : "failed" });
    // The ends of programs are events too.
    if (events) await host.programs.end();
    // Also when the batch cannot be read to its end.
    await view.end();
    await events?.end(code, { interrupted: io.interrupt.aborted });
  }
  return code;
}

const REFUSED = exitCodeOf("permission_denied");

interface Batch {
  host: Host;
  io: Io;
  view: BatchView;
  events: EventReporter | undefined;
  status: StatusLine;
  options: Options;
}

/** Returns the exit code of the first call that failed, 0 if all succeeded. */
async function runAll(calls: AsyncIterable<BatchCall>, batch: Batch): Promise<number> {
  const { host, io, view, options } = batch;
  const stop = new AbortController();
  const signal = AbortSignal.any([io.interrupt, stop.signal]);
  const answered = schedule(takeUntil(calls, signal), {
    maxParallel: host.line.maxParallel,
    run: async (parsed) => {
      const { call, result } = await answer(parsed, batch, signal);
      const wanted = { expect: call.expect, check: options.check ?? false };
      return { call, ...await judgeResult(result, wanted) };
    },
  });
  let code = 0;
  for await (const { call, result, met } of answered) {
    await view.answer(call, { result, met });
    if (met) continue;
    const own = exitCodeOfResult(result);
    if (code === 0 || (options.failOnRefusal && own === REFUSED)) code = own;
    if (options.failFast) {
      stop.abort(new ToolError("cancelled", "An earlier call failed (--fail-fast)"));
    }
  }
  return interruptedCode(io.interrupt, code);
}

async function answer(
  parsed: BatchCall,
  { events, host, status }: Batch,
  signal: AbortSignal,
): Promise<{ call: BatchCall; result: ToolResult }> {
  const heard = events?.ofCall(parsed.id);
  return await answerBatchCall(parsed, host, {
    ...heard,
    signal,
    onStart: (call) => events?.toolStart(call.id, call.toolName, call.input),
    onQuestion: (state) => status.follow(state),
    onConfirm(state) {
      status.follow(state);
      heard?.onConfirm(state);
    },
  });
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function renderPlan(calls: readonly BatchCall[]): string {
  const blocks = planBlocks(calls).map((block) => {
    const names = block.map((call) => planName(call.toolName)).join(" + ");
    return `  [${names}]${block.length > 1 ? "  at once" : ""}\n`;
  });
  return `plan: ${plural(calls.length, "call")} in ${plural(blocks.length, "block")}\n${blocks.join("")}`;
}

/** A batch may come from a model: an unknown tool's name can be any text. */
function planName(toolName: string): string {
  return onOneLine(toolName.split("/").at(-1) || "?");
}
