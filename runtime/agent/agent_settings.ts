import type { AgentLimits } from "../../schemas/agent/agent.ts";
import type { Model, ModelProfile } from "../../schemas/agent/model.ts";
import type { ThinkingSettings } from "../../schemas/step/thinking.ts";
import type { JsonSchema, Manifest } from "../../schemas/manifest.ts";
import type { ToolChoice } from "../calls/catalog/choose_tools.ts";
import type { HostSettings } from "../host/host_settings.ts";
import type { OpenModelOptions } from "../model/open_model.ts";
import type { AgentWish } from "./definitions/known_agents.ts";
import type { ReplayStart, RunListeners } from "./start_agent.ts";

/** Where replies come from: the caller's own model, or a model by its name. */
export interface ModelWish {
  /** A model of the caller, who also closes it. */
  model?: Model | undefined;
  /** `replay:FILE` plays a recording back. @default the environment's or the configuration's */
  name?: string | undefined;
  baseUrl?: string | undefined;
  /** `""` sends none. @default the environment's */
  apiKey?: string | undefined;
  /** Headers of every request besides the usual ones; their values are masked. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The API that it is asked by. @default the configuration's, else chat completions unless its server refuses them */
  wire?: "chat" | "responses" | undefined;
  /** Fields of every request besides the usual ones. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Longest silence of the model, in seconds. @default the configuration's, or 600 */
  idleSeconds?: number | undefined;
  /** What the caller knows of the model. */
  profile?: Partial<ModelProfile> | undefined;
}

/** What the run is asked to do. */
export interface AgentTask {
  /** `null` without a prompt: a resumed session continues where it stopped. */
  prompt: string | null;
  /** The text from a pipe, `null` without one. */
  stdin: string | null;
  /** What was said in a conversation that a client remembers by itself, with who said it. @default nothing */
  before?: string | null;
  /** Paths of pictures; relative ones start at the user's folder. */
  images: readonly string[];
  /** Texts that are added to the system prompt. */
  roles: readonly string[];
  /** Reads the instructions of the project. */
  project: boolean;
  /** Who does it. @default the usual run */
  agent?: AgentWish | undefined;
}

/** What is kept of a run. */
export interface SessionWish {
  /** `true` goes on with the workspace's newest session, a text with the one of that id. @default a new session */
  resume?: true | string | undefined;
  /** A resumed session stays in its own workspace, because none was named. @default false */
  keepsPlace?: boolean;
  /** What a resumed session was allowed and made of does not count: the settings say all. @default false */
  isToldAll?: boolean;
  /** Id of a new session. @default one made of the time */
  id?: string | undefined;
  /** A new session is kept even if no model ever replied in it. @default false */
  keepsUnanswered?: boolean;
}

/** What is known of a run before it begins. */
export interface OpenedFacts {
  session_id: string | null;
  trace_path: string | null;
  model: string | null;
  /** Name of the agent, if it is not the usual one. */
  agent?: string;
}

/** What a run leaves on a recording, or takes from one. */
export interface TapeSettings {
  /** Absolute path of a file that takes a recording. */
  record?: string | undefined;
  /** How a recording is played back. */
  replay?: Omit<ReplayStart, "replay"> | undefined;
}

/** All settings of an agent's run: the command line and the embedding API both give exactly these. */
export interface AgentSettings extends TapeSettings, RunListeners {
  host: HostSettings;
  manifest: Manifest;
  /** The offered tools. `"none"` offers no tools. */
  tools: ToolChoice | "none";
  model: ModelWish;
  limits: Partial<AgentLimits>;
  /** How the agent works from step to step. @default by calls of tools */
  thinking?: ThinkingSettings | undefined;
  task: AgentTask;
  /** `null` keeps no trace and no state. */
  session: SessionWish | null;
  /** The answer must be JSON of this schema; the name is for errors. */
  output?: {
    schema: JsonSchema;
    name: string;
    /** What the schema asks for beyond JSON Schema; says what is wrong, a sentence each. */
    refine?: (value: unknown) => string[] | Promise<string[]>;
  } | undefined;
  /** This process is the program itself: it gives up the permissions that the run does not need. @default false */
  ownsProcess?: boolean;
  /** @default opens the model in its own worker */
  openModel?: (options: OpenModelOptions) => Promise<Model>;
  /** Gets each fact as soon as it is known, also if the run then does not begin. */
  onFacts?(facts: Partial<OpenedFacts>): void;
}
