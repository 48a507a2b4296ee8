import type { TaskAnswer } from "../../../queue/tasks/answer_task.ts";
import type { Task } from "../../../queue/tasks/read_tasks.ts";
import type { ServedEvent } from "../../../server/runs/runs.ts";

/** What does tasks: this process, or the workers of a queue. */
export interface TaskDoers extends AsyncDisposable {
  /** Most tasks that it takes at once. */
  most: number;
  /** Does a task. Never rejects. */
  doTask(task: Task, how: { signal: AbortSignal; onEvent(event: ServedEvent): void }): Promise<TaskAnswer>;
  /**
   * Nothing more is wanted.
   *
   * @param isWhole All tasks were answered
   */
  end(isWhole: boolean): Promise<void>;
}
