import { type AgentUsage, NO_USAGE } from "../../../schemas/agent/agent.ts";
import type { RunEnding } from "../../../schemas/agent/ending.ts";
import type { CallId } from "../../../schemas/agent/events.ts";
import { type ErrorInfo, exitCodeOf, ToolError } from "../../../schemas/error.ts";
import type { Artifact } from "../../../schemas/result.ts";
import type { AgentState } from "../../../schemas/step/thinking.ts";
import { type LastEvent, reasonOf } from "../../agent/ending/end_event.ts";
import { cancelled, toToolError } from "../../calls/failed_result.ts";
import type { NumberedEvent, Runs } from "../../server/runs/runs.ts";
import type { Task } from "./read_tasks.ts";

/** How a task ended: the document that `run --json` prints, with the id of the task. */
export interface TaskAnswer extends TaskEnding {
  v: 1;
  id: CallId;
  /** The exit code is 0. */
  ok: boolean;
  answer: string | null;
  /** The answer as JSON, if the task has a schema for it. */
  output?: unknown;
  termination_reason: string | null;
  exit_code: number;
  error: ErrorInfo | null;
  /** `null` if it is not known. */
  usage: AgentUsage | null;
}

/** What else is known of a task that has ended. */
export interface TaskEnding extends RunEnding {
  session_id: string | null;
  /** Real path of the folder that it worked in; `null` if it did not begin. */
  workspace: string | null;
  model: string | null;
  /** Name of the agent, if it is not the usual one. */
  agent?: string;
  /** In which state the agent is. */
  state?: AgentState;
  /** What the person is asked, if the run waits for an answer. */
  questions?: readonly string[];
  /** Time from the start of the run to its end. */
  duration_ms: number;
  /** Who did it, if it was another process. */
  worker?: string;
  /** Files that came back from there. */
  artifacts?: readonly Artifact[];
}

/** What {@linkcode answerTask} needs. */
export interface AnswerTaskOptions {
  /** Ends the run: it is kept, and can be resumed. */
  signal: AbortSignal;
  /** Hears what happens in the run. */
  onEvent?(event: NumberedEvent): void;
  /** Hears the id of its session once the run is asked for. */
  onSession?(id: string): void;
}

/**
 * Does a task: a run of its own that asks nobody. Never rejects. `Runs` takes only so many at once, see `Served.maxRuns`.
 *
 * @returns Also how it failed; an abort that came first gives an answer without a session
 */
export async function answerTask(
  task: Task,
  runs: Runs,
  options: AnswerTaskOptions,
): Promise<TaskAnswer> {
  const { wish, error } = task;
  if (wish === null) return failedTask(task, error ?? new ToolError("invalid_input", "No task").toInfo());
  const started = performance.now();
  const known: Known = { session_id: null, duration_ms: 0 };
  try {
    const outcome = await toItsEnd(wish, runs, { options, known });
    return { v: 1, id: task.id, ...outcome, duration_ms: Math.round(performance.now() - started) };
  } catch (error) {
    if (known.session_id !== null) await runs.cancel(known.session_id).catch(() => {});
    known.duration_ms = Math.round(performance.now() - started);
    return failedTask(task, toToolError(error).toInfo(), known);
  }
}

/** Returns the answer to a task that could not be done. */
export function failedTask(
  { id }: Pick<Task, "id">,
  error: ErrorInfo,
  known: Partial<TaskEnding> = {},
): TaskAnswer {
  return {
    ...{ v: 1, id, ok: false, answer: null, termination_reason: reasonOf(error) },
    ...{ exit_code: exitCodeOf(error.code), error, usage: NO_USAGE, changed: [], refused: [], resume: null },
    ...{ session_id: null, workspace: null, model: null, duration_ms: 0 },
    ...known,
  };
}

/** What is known of a run before it has ended. */
type Known = Pick<TaskEnding, "session_id" | "duration_ms">;

/** What a run says of the task. */
type TaskOutcome = Omit<TaskAnswer, "v" | "id" | "duration_ms">;

async function toItsEnd(
  wish: NonNullable<Task["wish"]>,
  runs: Runs,
  { options: { signal, onEvent, onSession }, known }: { options: AnswerTaskOptions; known: Known },
): Promise<TaskOutcome> {
  if (signal.aborted) throw cancelled(signal.reason);
  const { id } = await runs.start({ ...wish, ask: false });
  known.session_id = id;
  onSession?.(id);
  const cancel = () => void runs.cancel(id).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  let last: LastEvent | null = null;
  try {
    for await (const events of await runs.follow(id, 0) ?? []) {
      for (const event of events) {
        if (event.event.type === "run.end") last = event.event as LastEvent;
        onEvent?.(event);
      }
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  if (last === null) {
    throw new ToolError("unavailable", `Run ${id} told no end: its events could not be kept`);
  }
  return answerOf(last, await runs.get(id));
}

function answerOf(
  last: LastEvent,
  { id, error, workspace, model, ...detail }: Awaited<ReturnType<Runs["get"]>>,
): TaskOutcome {
  const { exit_code, termination_reason, usage, agent, answer = null, state, questions } = last;
  const { changed = [], refused = [], resume = null } = last;
  return {
    ok: exit_code === 0,
    answer,
    ...("output" in detail && { output: detail.output }),
    ...{ termination_reason, exit_code },
    error: error && new ToolError(error.code as ErrorInfo["code"], error.message).toInfo(),
    usage: "rounds" in usage ? usage : null,
    ...{ changed, refused, resume, session_id: id, workspace, model },
    ...{ ...(agent !== undefined && { agent }), ...(state && { state }), ...(questions && { questions }) },
  };
}
