import type * as z from "zod";

import type { Needs, Target } from "./access.ts";
import type { EndingCall, StepPart } from "./step/step.ts";
import type { ToolContext } from "./context.ts";
import type { ErrorInfo } from "./error.ts";
import type { Example, ShownOutput } from "./manifest.ts";
import type { ServiceKey } from "./net.ts";
import type { Permission } from "./permission.ts";

/** Bounds that hold for every call of a tool. */
export interface Limits {
  /**
   * Longest time of one call in milliseconds; then it ends with `timeout`. `"none"` if the tool waits for a
   * person.
   */
  timeoutMs: number | "none";
  /** How many calls of this tool may run at once. @default unlimited (within `--max-parallel`) */
  concurrency?: number;
}

/** What a tool knows of the user's settings before its call runs. */
export type Told = Pick<ToolContext, "settings" | "keys">;

/** A tool: data and one function. */
export interface ToolDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** Unique inside the toolset; letters, digits, `_` and `-`. */
  name: string;
  /** What a model reads; under 1,024 characters. Other tools are named in `seeAlso` alone. */
  description: string;
  /** The single source of the arguments' JSON Schema. */
  input: Input;
  output: Output;
  /** What the tool touches; static, so that it can be shown before anything runs. */
  needs: Needs;
  /** The call changes nothing (a hint for clients). */
  readOnly: boolean;
  /**
   * Calling it again with the same input changes nothing more, so that a call that a crash cut off is made again.
   * @default that of `readOnly`
   */
  idempotent?: boolean;
  /** The call may run beside its neighbours. */
  parallel: boolean;
  /** Foreign input may use up the room's time or memory: it must be a killable process. @default false */
  killable?: boolean;
  /** Helper threads that the room keeps for this tool. @default 0 */
  threads?: number;
  /** A model gets it only if the user asks for it by name. @default false */
  optional?: boolean;
  limits: Limits;
  /** Calls leave files in the folder of artifacts. @default false */
  leavesFiles?: boolean;
  /** Calls ask a person. @default false */
  asks?: boolean;
  /** Calls ask the model of the run. @default false */
  asksModel?: boolean;
  /**
   * Starts shells and interpreters that get their code later: only the sandbox limits that code. @default
   * false
   */
  interprets?: boolean;
  /** What part of an agent's step it is. @default none */
  stepPart?: StepPart;
  /** A successful call ends an agent's run, after its turn: how. @default it does not */
  endsRun?: EndingCall;
  /**
   * Key of the session's state under which the tools of the set keep their plans, as a `PlanBook` of
   * `schemas/step/plan.ts`: a run shows them. @default it keeps none
   */
  keepsPlans?: string;
  /**
   * Key of the session's state under which the tools of the set keep their sources, as the `KeptSources` of
   * `schemas/step/sources.ts`. @default it keeps none
   */
  keepsSources?: string;
  /**
   * Texts and lists of arguments that are longer than `input` allows are cut to what it allows, with a warning for each.
   * @default false: such a call is refused
   */
  cutsLong?: boolean;
  /** Environment variables that the tool's document names; the tool gets their values. @default none */
  settings?: readonly string[];
  /** Keys of services that the gate adds to the tool's requests. The tool never sees them. @default none */
  secrets?: readonly ServiceKey[];
  /** Its results hold what strangers wrote on the network: a model sees them between marks. @default false */
  outside?: boolean;
  /** Who may call it, unless the user says otherwise. @default "allow" */
  permission?: Permission;
  /** Arguments of a call that works in any workspace and changes nothing: `doctor` tries rooms with it. @default none */
  trial?: z.input<Input>;
  /**
   * Calls as a person types them: the words after the tool's name, as a shell reads them. They run as they stand,
   * `ID` apart. @default none
   */
  examples?: readonly Example[];
  /**
   * Lines of the system prompt that say which of several tools to choose. `{A|B}` stands for the names under
   * which those tools of the set are offered. A line, or a part of it in `[…]`, is left out if it names only
   * tools that are not offered. @default none
   */
  promptHints?: readonly string[];
  /**
   * Sentences at the end of the description that name other tools of the set, written as `promptHints` are.
   * @default none
   */
  seeAlso?: readonly string[];
  /**
   * Arguments of a call that reads a text file on, as a person types them: `{path}`, `{line}` (the next line, from 1)
   * and `{skip}` (lines before it) stand for the place. Long results of other tools name such a call. @default none
   */
  readsOn?: string;
  /**
   * The argument that the tool gives back, whose type the user may choose. `run` then gets a value of that type under
   * this name, and `output` does not hold. @default the tool has one type
   */
  typedArgument?: string;
  /**
   * Arguments that are paths of files or folders: the user's conditions on them look at what they lead to. An absent one
   * stands for the workspace. @default none
   */
  paths?: readonly string[];
  /** The paths, hosts and programs that this call will touch, for `explain` and the check before the call. */
  targets?(input: z.output<Input>, told: Told): Target[];
  /**
   * Does the work.
   *
   * @throws {ToolError} For every expected failure
   */
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
  /**
   * The change that a call would make to a file, as lines that begin with `+` and `-`: a person who is asked for consent
   * sees it. A tool with one that changes files alone is tried without writing first: a call that cannot succeed fails
   * without a question, and where the file is a text, its own diff is shown instead. @default nothing
   */
  preview?(input: z.output<Input>): string;
  /** What a model sees of an output. @default the output itself if it is a string, else its JSON */
  text?(output: z.output<Output>): string;
  /** What a person sees of an output, in one line. @default the first line of the text */
  summary?(output: z.output<Output>): string;
  /** What a person at a terminal sees of an output. @default what a model sees */
  shows?: ShownOutput;
  /** What a model sees of a failure. @default the message */
  errorText?(error: ErrorInfo): string;
}

/** Returns its argument, typed: `run` gets what `input` parses to and must return what `output` accepts. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return definition;
}
