import { ToolError } from "../../../../schemas/error.ts";
import type { RunEvent } from "../../../../schemas/agent/events.ts";
import { cancelled, toToolError } from "../../../calls/failed_result.ts";
import { failedTask, type TaskAnswer } from "../../../queue/tasks/answer_task.ts";
import type { TaskWish } from "../../../queue/tasks/read_tasks.ts";
import { limitsOf } from "../../setup/agent_settings_of.ts";
import type { OrderAnswer } from "../../../queue/orders/orders.ts";
import type { Options } from "../../args/options/option_table.ts";
import type { Io } from "../../io/io.ts";
import type { StatusLine } from "../../show/status_line.ts";
import type { TaskDoers } from "./task_doers.ts";
import { openJob } from "./open_job.ts";
import { orderTerms } from "./queue_options.ts";

/** Most tasks that are read ahead: how many are in the queue, the job decides. */
const MAX_AHEAD = 64;

/**
 * Has tasks done by the workers of a queue. Needs what the queue needs.
 *
 * @throws {ToolError} What the queue refuses
 */
export async function openQueueTasks(
  options: Options,
  { io, status }: { io: Io; status: StatusLine },
): Promise<TaskDoers> {
  const open = await openJob("tasks", { options, io, status });
  const terms = orderTerms(options, io, options.events === true);
  const usual = usualWish(options);
  return {
    most: MAX_AHEAD,
    async doTask(task, { signal, onEvent }) {
      const { id, line: number, wish, error } = task;
      if (wish === null) return failedTask(task, error!);
      try {
        const work = { kind: "task" as const, wish: { ...usual, ...wish } };
        const answer = await open.job.answer({ number, id, work, terms }, {
          signal,
          onTold(told) {
            if (told.t === "event") onEvent(told.event as RunEvent);
          },
        });
        const { artifacts, warnings } = await open.fetch(number, answer);
        for (const message of warnings) onEvent({ type: "warning", message });
        const done = taskOf(answer, task.id);
        return artifacts.length === 0 ? done : { ...done, artifacts };
      } catch (failure) {
        return failedTask(task, (signal.aborted ? cancelled(signal.reason) : toToolError(failure)).toInfo());
      }
    },
    end: (isWhole) => open.end(isWhole ? "answered" : "stopped"),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

/** What holds for tasks that do not say it themselves. */
function usualWish(options: Options): Partial<TaskWish> {
  const { agent, model } = options;
  const { rounds, seconds, tokens, cost } = limitsOf(options);
  const limits = {
    ...rounds !== undefined && { rounds },
    ...seconds !== undefined && { seconds },
    ...typeof tokens === "number" && { tokens },
    ...typeof cost === "number" && { cost },
  };
  return {
    ...agent !== undefined && { agent },
    ...model !== undefined && { model },
    ...Object.keys(limits).length > 0 && { limits },
  };
}

/** A worker may say anything: what the line is judged by must be there. */
function taskOf({ task, result, worker }: OrderAnswer, id: TaskAnswer["id"]): TaskAnswer {
  const { artifacts: _, ...said } = task ?? {};
  const { ok, exit_code } = said;
  if (typeof ok === "boolean" && Number.isInteger(exit_code) && ok === (exit_code === 0)) {
    return { ...failedTask({ id }, NONE), ...said, id, worker } as TaskAnswer;
  }
  if (result?.error) return { ...failedTask({ id }, result.error), worker };
  throw new ToolError("external_failure", `Worker ${worker} gave no answer to a task`);
}

/** Every field that an answer has is the worker's own. */
const NONE = new ToolError("external_failure", "The worker did not say").toInfo();
