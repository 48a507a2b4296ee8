import type { AgentClass, AgentDefinition, FileAgentText } from "./step/agent_definition.ts";
import type { Needs } from "./access.ts";
import type { EndingCall, StepPart } from "./step/step.ts";
import type { ServiceKey } from "./net.ts";
import type { Permission } from "./permission.ts";

/** How a person at a terminal sees an output; `at` is the field that holds it, `null` for the output itself. */
export type ShownOutput =
  /** The text alone, and the summary where `truncated` is true. */
  | { kind: "text"; at: string }
  /** Texts, one a line, and the summary. */
  | { kind: "lines"; at: string | null }
  /**
   * Lines in which the argument `pattern` was found: objects with `path`, `line` and `text`, or texts. Case counts, unless
   * `caseArgument` names an argument that must be true for it. `searched` is the field with the number of files.
   */
  | { kind: "matches"; at: string | null; caseArgument?: string; searched?: string }
  /** `stdout` and `stderr` of a program, and its exit code in the field `code`. */
  | { kind: "program"; code: string };

/** A JSON Schema, as an object. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What somebody types, and what it does. */
export interface Example {
  /** The words that somebody types. */
  line: string;
  /** What they do. */
  meaning: string;
}

/** The type of a tool's result: words such as `List[str]`, or a JSON Schema. */
export type ResponseType = string | JsonSchema;

/** How a tool follows a type that the user chose for its result. */
export interface ChosenType {
  /** The argument that the tool gives back. */
  argument: string;
  /** The type is an object with fields of its own: these are the arguments, and all of them are the result. */
  whole: boolean;
}

/** What is known of a tool without importing it. */
export interface ManifestEntry {
  /** `toolset/name`. */
  full_name: string;
  /** The set that it belongs to. */
  toolset: string;
  /** Its bare name. */
  name: string;
  /** What a model reads that has the tools of the set which are not optional. */
  description: string;
  /** The same without the names of other tools, and the sentences that name them, see `ToolDefinition`. */
  description_start: string;
  /** Sentences of the description that name other tools. */
  see_also: readonly string[];
  /** What it must touch, by kind. */
  needs: Needs;
  /** It changes nothing. */
  read_only: boolean;
  /** Calling it again with the same input changes nothing more. @default that of `read_only` */
  idempotent?: true;
  /** It may run beside other parallel tools. */
  parallel: boolean;
  /** It reads foreign bytes or patterns, so it runs in a process that can be ended. */
  killable: boolean;
  /** Helper threads of its room. */
  threads: number;
  /** A model gets it only by name. */
  optional: boolean;
  /** What the tool puts before the message of every failure, `""` if nothing. */
  error_lead: string;
  /** It leaves files for the user and for later calls. */
  leaves_files: boolean;
  /** It may ask a person. */
  asks: boolean;
  /** It may ask the model of the run. */
  asks_model: boolean;
  /** It starts shells and interpreters that get their code later. */
  interprets: boolean;
  /** What part of an agent's step it is. @default none */
  step_part?: StepPart;
  /** How a successful call of it ends an agent's run; `null` if it does not. */
  ends_run: EndingCall | null;
  /** Key of the session's state under which the set keeps its plans, as a `PlanBook`. @default it keeps none */
  keeps_plans?: string;
  /** Key of the session's state under which the set keeps its sources, as `KeptSources`. @default it keeps none */
  keeps_sources?: string;
  /** What the server of another program that has it calls it. @default nobody else has it */
  own_name?: string;
  /** Arguments that its schema leaves open are passed on: somebody else wrote it as JSON Schema. @default they are left out */
  open_input?: true;
  /** Arguments that are too long are cut to what the schema allows, with a warning. @default false */
  cuts_long?: true;
  /** Variables of the user that it is told. */
  settings: readonly string[];
  /** Keys of services that the gate adds to its requests. */
  secrets: readonly ServiceKey[];
  /** Its results hold what strangers wrote on the network. */
  outside: boolean;
  /** `null` for no bound. */
  limits: { timeout_ms: number | null; concurrency: number | null };
  /** Who may call it, unless the user says otherwise. */
  permission: Permission;
  /** Arguments of a call that works in any workspace, `null` if it has no such call. */
  trial: JsonSchema | null;
  /** Calls as a person types them, see `ToolDefinition`. */
  examples: readonly Example[];
  /** What a system prompt says about it, see `ToolDefinition`. */
  prompt_hints: readonly string[];
  /** Arguments of a call that reads a text file on, see `ToolDefinition`; `null` for other tools. */
  reads_on: string | null;
  /** What a person at a terminal sees of an output, see `ToolDefinition`. @default what a model sees */
  shows?: ShownOutput;
  /** Arguments that are paths; an absent one stands for the workspace. */
  paths: readonly string[];
  /** The argument that it gives back, whose type the user may choose; `null` for other tools. */
  typed_argument: string | null;
  /** How it follows the type that the user chose; the schemas say which one. @default the type is the tool's own */
  chosen_type?: ChosenType;
  /** JSON Schema (draft 2020-12) of the arguments. */
  input_schema: JsonSchema;
  /** JSON Schema of the result. */
  output_schema: JsonSchema;
}

/** The schema lock: every tool, sorted by toolset and the toolset's own order. */
export interface Manifest {
  /** Version of this form. */
  version: 1;
  /** The toolset whose bare names win, and whose tools a model gets by default. */
  default_toolset: string;
  /** All tools. */
  tools: ManifestEntry[];
  /** Command lines that name tools, without the name of the program, by the command. */
  command_examples: Readonly<Record<string, readonly Example[]>>;
  /** Commands of a shell, each with the command line of this program that does its work. */
  foreign_commands: Readonly<Record<string, string>>;
  /** The agents that are there without any configuration, by name. */
  agents: Readonly<Record<string, AgentDefinition>>;
  /** What the classes of agents of another system stand for, by their names. */
  agent_classes: Readonly<Record<string, AgentClass>>;
  /** The agents of a file of that system which names none, by name. */
  file_agents: Readonly<Record<string, FileAgentText>>;
  /** The built-in agents that a configuration of OpenManus is for; the first one works where none is named. */
  manus_agents: readonly string[];
}
