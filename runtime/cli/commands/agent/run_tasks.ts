import { exitCodeOf, ToolError } from "../../../../schemas/error.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";
import { schedule } from "../../../calls/schedule.ts";
import { configureHost } from "../../../host/configure_host.ts";
import { giveUpSetup } from "../../../host/give_up.ts";
import { answerTask, type TaskAnswer } from "../../../queue/tasks/answer_task.ts";
import { parseTasks, type Task } from "../../../queue/tasks/read_tasks.ts";
import type { Served } from "../../../server/contract/served.ts";
import { openRuns } from "../../../server/runs/open_runs.ts";
import { readLines } from "../../../text/lines.ts";
import { makeMasker, secretValues } from "../../../text/secrets/redact.ts";
import { Semaphore } from "../../../wait/semaphore.ts";
import { takeUntil } from "../../../wait/take_until.ts";
import type { Options } from "../../args/options/option_table.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import type { NamedOutput } from "../../../walls/files/place_output.ts";
import { awaitInput, type Io } from "../../io/io.ts";
import { openInput } from "../../io/open_input.ts";
import { makeOutput, openOutputs } from "../../io/output.ts";
import { openReports } from "../../report/open_reports.ts";
import { TaskEvents } from "../../report/task_events.ts";
import { TaskView } from "../../report/task_view.ts";
import { readSchema } from "../../setup/read_agent_files.ts";
import { servedBy, type ServedParts } from "../../setup/served_by.ts";
import type { TaskDoers } from "../queue/task_doers.ts";
import { interruptedCode } from "../../show/event_reporter.ts";
import { StatusLine } from "../../show/status_line.ts";

/** `run --tasks FILE|-`: the tasks of a file, each a run of its own, answered in the order of the lines as they end. */
export async function runTasks(
  file: string,
  { positionals, options }: Invocation,
  io: Io,
): Promise<number> {
  if (positionals.length > 0) {
    throw new ToolError(
      "invalid_input",
      "With --tasks each line has its own prompt: leave out the one behind run",
    );
  }
  const input = await awaitInput(io, openInput(file, io));
  const { outputSchema } = options;
  const schema = outputSchema === undefined ? undefined : await readSchema(outputSchema, io);
  using output = makeOutput(options.output, io, { form: "lines" });
  using reports = await openReports(options.report ?? [], file, io);
  const outputs = [...output.files, ...reports.files];
  const stop = new AbortController();
  const mask = makeMasker(secretValues(io.variables()));
  using status = new StatusLine(io, { quiet: options.quiet ?? false, label: "tasks" });
  const onFail = (error: unknown) => stop.abort(error);
  const events = options.events ? new TaskEvents({ output, mask, onFail }) : undefined;
  const view = new TaskView({ io, options, output, events, status, reports: reports.all, mask });
  await using doers = options.queue === undefined
    ? await openTasksHere(options, { io, inputs: [file], outputs })
    : await openTasksElsewhere(options, { io, outputs, status });
  // Each run opens its own way to the network, and starts its own programs.
  giveUpSetup(io.process);
  let code = exitCodeOf("internal");
  let isWhole = false;
  try {
    const tasks = parseTasks(readLines(input));
    code = await doAll(tasks, { io, options, doers, stop, view, events, schema });
    isWhole = !view.hasRest && !io.interrupt.aborted && !stop.signal.aborted;
  } finally {
    await doers.end(isWhole);
    // Also when the tasks cannot be read to their end.
    await view.end();
    await events?.last(code, { interrupted: io.interrupt.aborted });
  }
  return code;
}

/** The files of the command line are opened once, before any run begins, and no run may write them. */
async function openServed(options: Options, parts: ServedParts): Promise<Served> {
  const served = await servedBy(options, parts);
  using _opened = configureHost(served.host, served.manifest.tools);
  const { host } = served;
  const outputs = host.control.outputs?.map(({ path }) => ({ path, open() {} }));
  return { ...served, host: { ...host, control: { ...host.control, outputs } } };
}

async function openTasksHere(options: Options, parts: ServedParts): Promise<TaskDoers> {
  const served = await openServed(options, parts);
  const runs = openRuns(served);
  return {
    most: served.maxRuns,
    doTask: (task, { signal, onEvent }) =>
      answerTask(task, runs, { signal, onEvent: ({ event }) => onEvent(event) }),
    end: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => runs[Symbol.asyncDispose](),
  };
}

async function openTasksElsewhere(
  options: Options,
  { io, outputs, status }: { io: Io; outputs: readonly NamedOutput[]; status: StatusLine },
): Promise<TaskDoers> {
  const { openQueueTasks } = await import("../queue/queue_tasks.ts");
  openOutputs(outputs);
  return await openQueueTasks(options, { io, status });
}

interface Doing {
  io: Io;
  options: Options;
  doers: TaskDoers;
  /** Ends everything. */
  stop: AbortController;
  view: TaskView;
  events: TaskEvents | undefined;
  /** For answers to tasks that name none. */
  schema: JsonSchema | undefined;
}

/** A task that has ended; `null` for one that was not begun. */
type Ended = { task: Task; answer: TaskAnswer } | null;

/** Returns the exit code of the first task that failed, 0 if all went well. */
async function doAll(tasks: AsyncIterable<Task>, doing: Doing): Promise<number> {
  const { io, stop, view, doers: { most } } = doing;
  const signal = AbortSignal.any([io.interrupt, stop.signal]);
  const places = new Semaphore(most);
  const known = { isWhole: false };
  const answered = schedule(takeUntil(counted(tasks, known, view), signal), {
    maxParallel: most,
    run: (task): Promise<Ended> => places.use(() => doOne(task, doing, signal)),
  });
  let code = 0;
  for await (const ended of answered) {
    if (ended === null) {
      view.hasRest = true;
      continue;
    }
    const { task, answer } = ended;
    await view.answer(task, answer);
    const isStopped = stop.signal.aborted && answer.termination_reason === "interrupted";
    if (code === 0 && !isStopped) code = answer.exit_code;
  }
  if (signal.aborted && !known.isWhole) view.hasRest = true;
  return interruptedCode(io.interrupt, code);
}

async function doOne(task: Task, doing: Doing, signal: AbortSignal): Promise<Ended> {
  const { options, doers, stop, view, events, schema } = doing;
  if (signal.aborted) return null;
  view.count(1);
  let isToldEnd = false;
  const answer = judged(
    await doers.doTask(withSchema(task, schema), {
      signal,
      onEvent: (event) => {
        events?.emit(task.id, event);
        isToldEnd ||= event.type === "run.end";
        if (event.type === "warning") void view.warn(event.message);
      },
    }),
    options,
  );
  view.count(-1);
  events?.end(answer, { isToldEnd });
  if (!answer.ok && options.failFast) {
    stop.abort(new ToolError("cancelled", "An earlier task failed (--fail-fast)"));
  }
  return { task, answer };
}

/** Passes tasks on; none waits for its neighbours. */
async function* counted(
  tasks: AsyncIterable<Task>,
  known: { isWhole: boolean },
  view: TaskView,
): AsyncGenerator<Task & { parallel: true }> {
  let count = 0;
  for await (const task of tasks) {
    count++;
    yield { ...task, parallel: true };
  }
  known.isWhole = true;
  view.total(count);
}

function withSchema(task: Task, schema: JsonSchema | undefined): Task {
  if (schema === undefined || task.wish === null) return task;
  return { ...task, wish: { output_schema: schema, ...task.wish } };
}

/** Under `--fail-on-refusal`, what was completed without something has failed. */
function judged(answer: TaskAnswer, { failOnRefusal }: Options): TaskAnswer {
  if (!failOnRefusal || !answer.ok || answer.refused.length === 0) return answer;
  return { ...answer, ok: false, exit_code: exitCodeOf("permission_denied") };
}
