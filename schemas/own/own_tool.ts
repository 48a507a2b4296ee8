import type { Needs, Target } from "../access.ts";
import type { ToolContext } from "../context.ts";
import type { ErrorInfo } from "../error.ts";
import type { StandardSchema } from "../json/standard_schema.ts";
import type { JsonSchema } from "../manifest.ts";
import type { Permission } from "../permission.ts";

/**
 * A tool of one's own, in a file: a name, a description, and a function that runs in a process of its own. What is left out
 * is what is usual: any arguments, any result that is JSON, nothing touched, 120 seconds, alone in its turn, and allowed.
 */
export interface OwnTool<Input = unknown, Output = unknown> {
  /** 1 to 64 letters, digits, `_` and `-`, with a letter first. */
  name: string;
  /** What a model reads; under 1,024 characters. */
  description: string;
  /** The arguments: a type of zod, or a JSON Schema. @default any object */
  input?: StandardSchema<Input> | JsonSchema;
  /** The result: a type of zod, or a JSON Schema. @default anything that JSON can hold */
  output?: StandardSchema<Output> | JsonSchema;
  /** What the tool touches; static, so that it can be shown before anything runs. @default nothing */
  needs?: Needs;
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
  /** A model gets it only if the user asks for it by name. @default false */
  optional?: boolean;
  /** Calls ask a person. @default false */
  asks?: boolean;
  /** Calls leave files in the folder of artifacts. @default false */
  leavesFiles?: boolean;
  /** Its results hold what strangers wrote on the network: a model sees them between marks. @default false */
  outside?: boolean;
  /** Variables of the environment that it is told, if `--allow-env` names them. @default none */
  settings?: readonly string[];
  /**
   * Arguments that are paths of files or folders: the user's conditions on them look at what they lead to. An absent one
   * stands for the workspace. @default none
   */
  paths?: readonly string[];
  /** The paths, hosts and programs that a call will touch, for `explain` and the check before the call. @default none */
  targets?(input: Input): Target[];
  /**
   * Does the work.
   *
   * @throws {ToolError} For every expected failure
   */
  run(input: Input, context: ToolContext): Promise<NoInfer<Output>> | NoInfer<Output>;
  /**
   * The change that a call would make to a file, as lines that begin with `+` and `-`: a person who is asked for consent
   * sees it. @default nothing
   */
  preview?(input: Input): string;
  /** What a model sees of a result. @default the result itself if it is a string, else its JSON */
  text?(output: Output): string;
  /** What a person sees of a result, in one line. @default the first line of the text */
  summary?(output: Output): string;
  /** What a model sees of a failure. @default the message */
  errorText?(error: ErrorInfo): string;
}
