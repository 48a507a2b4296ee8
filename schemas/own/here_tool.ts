import type { Progress } from "../context.ts";
import type { StandardSchema } from "../json/standard_schema.ts";
import type { JsonSchema } from "../manifest.ts";
import type { Permission } from "../permission.ts";

/** What a tool that runs in the embedding program's own process gets beside its arguments. */
export interface HereContext {
  /** The workspace: absolute, real path. */
  workspace: string;
  /** Aborts when the call is cancelled or its time is up. A function that goes on all the same is not stopped. */
  signal: AbortSignal;
  /** When the call's time is up, in milliseconds since the epoch; `Infinity` without a bound. */
  deadline: number;
  /** Name of the model that makes the call, `null` if none does. */
  modelName: string | null;
  /** Names the request that the call belongs to, `null` if its caller named none. */
  requestId: string | null;
  /** What the caller passes on; `{}` if nothing. */
  dependencies: Readonly<Record<string, unknown>>;
  /** Tells how far the call is. */
  progress(progress: Progress): void;
  /** Adds a line to the result's `warnings`. */
  warn(message: string): void;
}

/**
 * A tool that is a function of the embedding program. It runs in that program's own process, with all that the program
 * may do: no wall stands around it. Permission, consent, hooks, order, limits and the audit hold for it as for others.
 */
export interface HereTool<Input = unknown, Output = unknown> {
  /** 1 to 64 letters, digits, `_` and `-`, with a letter first. */
  name: string;
  /** What a model reads; under 1,024 characters. */
  description: string;
  /** The arguments: a schema of zod or another Standard Schema, or a JSON Schema. @default any object */
  input?: StandardSchema<Input> | JsonSchema;
  /** The result, as a schema. @default anything that JSON can hold */
  output?: StandardSchema<Output> | JsonSchema;
  /** The call changes nothing (a hint for clients). @default false */
  readOnly?: boolean;
  /** The call may run beside its neighbours. @default false */
  parallel?: boolean;
  /** Longest time of one call, in seconds. @default 120 */
  timeout_seconds?: number;
  /** Most calls of it at once. @default no bound */
  concurrency?: number;
  /** Who may call it, unless the user says otherwise. @default "allow" */
  permission?: Permission;
  /**
   * Does the work.
   *
   * @throws {ToolError} For every expected failure
   */
  run(input: Input, context: HereContext): Promise<unknown> | unknown;
  /** What a model sees of a result. @default the result itself if it is a string, else its JSON */
  text?(output: Output): string;
}
