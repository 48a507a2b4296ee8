import { exitCodeOf, ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { type BatchCall, parseBatch } from "../../../calls/batch/batch_calls.ts";
import { judgeResult } from "../../../calls/batch/expect.ts";
import { cancelled, failedResult, toToolError } from "../../../calls/failed_result.ts";
import { describedCatalog, type DescribedTool } from "../../../calls/catalog/catalog.ts";
import { schedule } from "../../../calls/schedule.ts";
import { findOffered } from "../../../queue/submit/choose_lane.ts";
import { readLines } from "../../../text/lines.ts";
import { takeUntil } from "../../../wait/take_until.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import type { Options } from "../../args/options/option_table.ts";
import { awaitInput, type Io, userFolder } from "../../io/io.ts";
import { openInput } from "../../io/open_input.ts";
import { makeOutput, openOutputs } from "../../io/output.ts";
import { BatchView } from "../../report/batch_view.ts";
import { openReports } from "../../report/open_reports.ts";
import { EventReporter, exitCodeOfResult, interruptedCode } from "../../show/event_reporter.ts";
import { StatusLine } from "../../show/status_line.ts";
import { type OpenJob, openJob } from "./open_job.ts";
import { orderTerms } from "./queue_options.ts";

/** Most calls of a batch that are read ahead: how many are in the queue, the job decides. */
const MAX_AHEAD = 64;

/** `batch --queue`: the same as `batch`, done by the workers of a queue. */
export async function runQueueBatch({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [file = "-"] = positionals;
  const manifest = await io.manifest();
  const input = await awaitInput(io, openInput(file, io));
  using output = makeOutput(options.output, io, { form: "lines" });
  using reports = await openReports(options.report ?? [], file, io);
  openOutputs([...output.files, ...reports.files]);
  using status = new StatusLine(io, { quiet: options.quiet ?? false, label: "calls" });
  const events = options.events ? new EventReporter(output) : undefined;
  const view = new BatchView({ io, options, output, events, status, reports: reports.all });
  await using open = await openJob("calls", { options, io, status });
  events?.start("batch", startOf(options, io));
  let code = exitCodeOf("internal");
  const stop = new AbortController();
  const terms = orderTerms(options, io, events !== undefined);
  let isDone = false;
  try {
    const calls = parseBatch(readLines(input), describedCatalog(manifest));
    code = await answerAll(calls, { open, events, options, io, view, stop, terms });
    isDone = !io.interrupt.aborted && !stop.signal.aborted;
  } finally {
    await open.end(isDone ? "answered" : "stopped");
    await view.end();
    await events?.end(code, { interrupted: io.interrupt.aborted });
  }
  return code;
}

/** A call whose tool is known by its description, or by a worker. */
type Call = BatchCall<DescribedTool>;

interface QueueBatch {
  open: OpenJob;
  events: EventReporter | undefined;
  options: Options;
  io: Io;
  view: BatchView;
  /** Ends the calls that are left. */
  stop: AbortController;
  terms: ReturnType<typeof orderTerms>;
}

/** Returns the exit code of the first call that failed, 0 if all succeeded. */
async function answerAll(calls: AsyncIterable<Call>, batch: QueueBatch): Promise<number> {
  const { options, io, view, stop } = batch;
  const signal = AbortSignal.any([io.interrupt, stop.signal]);
  const answered = schedule(placed(calls, batch, signal), {
    maxParallel: MAX_AHEAD,
    run: async (call) => ({
      call,
      ...await judgeResult(await answer(call, batch, signal), wanted(call, options)),
    }),
  });
  let code = 0;
  for await (const { call, result, met } of answered) {
    await view.answer(call, { result, met });
    if (met) continue;
    const own = exitCodeOfResult(result);
    if (code === 0 || (options.failOnRefusal && own === exitCodeOf("permission_denied"))) code = own;
    if (options.failFast) stop.abort(new ToolError("cancelled", "An earlier call failed (--fail-fast)"));
  }
  return interruptedCode(io.interrupt, code);
}

function wanted({ expect }: Call, { check }: Options) {
  return { expect, check: check ?? false };
}

/** Finds the tools that only workers know, and lets calls run beside each other that do not depend on each other. */
async function* placed(
  calls: AsyncIterable<Call>,
  { open, options }: QueueBatch,
  signal: AbortSignal,
): AsyncGenerator<Call> {
  for await (const call of takeUntil(calls, signal)) {
    const isUnknown = call.error?.details.unknown_tool !== undefined;
    // The first worker may still be on its way, and know the tool.
    if (isUnknown) await open.someWorker(signal);
    const offered = isUnknown ? findOffered(open.board.all, call.toolName) : null;
    const { name: toolName, parallel } = offered ?? { name: call.toolName, parallel: call.parallel };
    yield { ...call, toolName, parallel: options.independent ?? parallel, ...offered && { error: null } };
  }
}

async function answer(
  call: Call,
  { open, events, terms }: QueueBatch,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { id, line: number, toolName: tool, input, note, error } = call;
  const fail = (failure: unknown) =>
    failedResult({ full_name: tool, error_lead: "" }, toToolError(failure).toInfo());
  events?.toolStart(id, tool, input);
  if (error !== null) return failedResult({ full_name: tool, error_lead: "" }, error);
  try {
    const answer = await open.job.answer({
      number,
      id,
      work: { kind: "call", tool, arguments: input },
      terms,
    }, {
      signal,
      onTold(told) {
        if (told.t === "event") events?.toldElsewhere(id, told.event);
      },
    });
    const { result } = answer;
    if (result === null) throw new ToolError("external_failure", `Worker ${answer.worker} gave no result`);
    const { artifacts, warnings } = await open.fetch(number, answer);
    const notes = note === null ? [] : [note];
    return { ...result, artifacts, warnings: [...notes, ...result.warnings, ...warnings] };
  } catch (failure) {
    return fail(signal.aborted ? cancelled(signal.reason) : failure);
  }
}

/** What is told at the start: the permissions are the workers' own. */
function startOf({ policy = "coder" }: Options, io: Io): Parameters<EventReporter["start"]>[1] {
  const none = { read: [], write: [], net: [], run: [] };
  return {
    grants: {
      policy: policy === "read-only" || policy === "read-only-no-net" ? policy : "coder",
      workspace: userFolder(io),
      allow: none,
      deny: none,
    },
    control: { runId: crypto.randomUUID() },
  };
}
