import { ToolError } from "../../../schemas/error.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import type { Served } from "../../server/contract/served.ts";
import type { Runs } from "../../server/runs/runs.ts";
import { toToolError } from "../../calls/failed_result.ts";
import type { Order } from "../orders/orders.ts";
import { answerTask, failedTask, type TaskAnswer } from "../tasks/answer_task.ts";
import { readWish } from "../tasks/read_tasks.ts";
import { narrowMore } from "./narrow_more.ts";

/** The order of a task. */
export type TaskOrder = Order & { work: { kind: "task" } };

/** What the worker does around a task. */
export interface TaskSteps {
  worker: string;
  signal: AbortSignal;
  /** As for a call. */
  begin(isSafe: boolean): Promise<void>;
  tell(event: RunEvent): void;
}

/** Does a task: a run with the worker's own permissions and model, or less. Never rejects. */
export async function doTask(
  { id, work, terms }: TaskOrder,
  { runs, served }: { runs: Runs; served: Served },
  { worker, signal, begin, tell }: TaskSteps,
): Promise<TaskAnswer> {
  try {
    const wish = readWish(work.wish);
    const grants = narrowMore(terms.grants, wish.grants);
    const workspace = wish.workspace ?? terms.workspace;
    const whole = { ...wish, ...grants && { grants }, ...workspace !== undefined && { workspace } };
    await begin(isReadOnly(served, grants?.policy));
    const onEvent = terms.isWatched
      ? { onEvent: ({ event }: { event: unknown }) => tell(event as RunEvent) }
      : {};
    const answer = await answerTask({ id, line: 0, wish: whole, error: null }, runs, { signal, ...onEvent });
    return { ...answer, worker };
  } catch (error) {
    const failure = error instanceof ToolError ? error : toToolError(error);
    return { ...failedTask({ id }, failure.toInfo()), worker };
  }
}

/** A run that can change nothing may begin again. */
function isReadOnly({ host }: Served, asked: string | undefined): boolean {
  const { policy } = host.grants;
  const base = typeof policy === "object" ? policy.base : policy;
  return asked !== undefined || base === "read-only" || base === "read-only-no-net";
}
