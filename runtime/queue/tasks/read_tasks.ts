import type { z } from "zod";

import type { CallId } from "../../../schemas/agent/events.ts";
import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { fieldProblems } from "../../host/config/check/field_problems.ts";
import type { StartRun } from "../../server/api/run_schemas.ts";
import { TASK_SCHEMA } from "./task_schema.ts";

/** What a line asks for: the fields that the server takes for a run. */
export type TaskWish = Pick<
  z.infer<typeof StartRun>,
  "prompt" | "agent" | "model" | "workspace" | "images" | "grants" | "limits" | "output_schema"
>;

/** A task of a file. An invalid line is a task too: one that has failed already. */
export interface Task {
  /** That of the line. @default the number of the line */
  id: CallId;
  /** The number of its line, from 1. */
  line: number;
  /** `null` if the line is no task. */
  wish: TaskWish | null;
  /** Why the line is no task. */
  error: ErrorInfo | null;
}

/**
 * Understands the lines of a file of tasks, one task each; empty lines are passed over. Whether there is such an agent, model
 * or workspace, the start of the run says.
 */
export async function* parseTasks(lines: AsyncIterable<string>): AsyncGenerator<Task> {
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() !== "") yield parseTask(text, line);
  }
}

function parseTask(text: string, line: number): Task {
  const task: Task = { id: line, line, wish: null, error: null };
  try {
    const value = parseJson(text, `line ${line}`);
    if (!isObject(value)) throw bad(line, 'a task is an object: {"id":"1","prompt":"…"}');
    const { id, ...wish } = value;
    // First, so that the caller can match the error to its task.
    task.id = readId(id, line);
    task.wish = readWish(wish, (why) => bad(line, why));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    task.error = error.toInfo();
  }
  return task;
}

/**
 * Understands what a task asks for.
 *
 * @param refuse Makes the error of a wrong one from its reason
 * @throws {ToolError} What `refuse` makes; without it `invalid_input`
 */
export function readWish(
  wish: Record<string, unknown>,
  refuse: (why: string) => ToolError = notATask,
): TaskWish {
  const problems = fieldProblems(TASK_SCHEMA, wish);
  if (problems.length > 0) throw refuse(problems.join("; "));
  return wish as TaskWish;
}

function notATask(why: string): ToolError {
  return new ToolError("invalid_input", `Cannot read the task: ${why}`);
}

function readId(id: unknown, line: number): CallId {
  if (id === undefined) return line;
  // JSON has no Infinity, and 1e999 is read as one.
  if (typeof id === "string" || (typeof id === "number" && Number.isFinite(id))) return id;
  throw bad(line, '"id" must be a text or a number');
}

function bad(line: number, why: string): ToolError {
  return new ToolError("invalid_input", `Cannot read line ${line}: ${why}`, { details: { line } });
}
