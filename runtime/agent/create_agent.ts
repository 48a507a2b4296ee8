import { resolve } from "@std/path";

import type { AgentLimits } from "../../schemas/agent/agent.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";
import type { Model, ModelProfile } from "../../schemas/agent/model.ts";
import type { StandardSchema } from "../../schemas/json/standard_schema.ts";
import { ToolError } from "../../schemas/error.ts";
import type { AgentDefinition } from "../../schemas/step/agent_definition.ts";
import type { ThinkingKind, ThinkingSettings } from "../../schemas/step/thinking.ts";
import type { HereTool } from "../../schemas/own/here_tool.ts";
import type { JsonSchema, Manifest } from "../../schemas/manifest.ts";
import { listener } from "../calls/call_events.ts";
import { checkAgents } from "../host/config/check_agents.ts";
import { configureHost, hasSources } from "../host/configure_host.ts";
import type { HostSettings } from "../host/host_settings.ts";
import { checkOptions } from "../host/options/check_options.ts";
import { refuseHidden, type RunnerOptions, runnerSettings } from "../host/runner_settings.ts";
import { hereName } from "../sources/here/here_source.ts";
import { openModel, type OpenModelOptions } from "../model/open_model.ts";
import { headerSecrets } from "../text/secrets/redact.ts";
import { AgentEvents, type AgentResult, type AgentRun } from "./agent_events.ts";
import { AGENT_SCHEMA, RUN_SCHEMA } from "./options/agent_option_schema.ts";
import type { AgentSettings, ModelWish, OpenedFacts } from "./agent_settings.ts";
import type { AgentWish } from "./definitions/known_agents.ts";
import { endOfRun } from "./ending/end_event.ts";
import { openAgent } from "./open_agent.ts";
import { outputForm, outputOf } from "./output_schema.ts";
import { borrow, checkedModel, checkModel } from "./options/own_model.ts";
import { planAgent } from "./plan_agent.ts";
import { startAgent } from "./start_agent.ts";

/** What the tools of an agent may touch. */
export type AgentGrants = Pick<
  RunnerOptions,
  | "policy"
  | "allow"
  | "deny"
  | "allowSecrets"
  | "allowPrivateNet"
  | "allowEnv"
  | "sandbox"
  | "shareNet"
  | "sandboxShow"
  | "toolchains"
>;

/** A model on a server. What is not given comes from the environment and the configuration. */
export interface ServedModel {
  /** Name that the server knows it by. */
  name: string;
  /** Address with its path, such as `https://api.openai.com/v1`. */
  baseUrl?: string;
  /** `""` sends none. @default the environment's */
  apiKey?: string;
  /** Headers of every request besides the usual ones; their values are masked. */
  headers?: Readonly<Record<string, string>>;
  /** The API that it is asked by. @default what its provider is known for */
  wire?: "chat" | "responses";
  /** Fields of every request besides the usual ones. */
  extraBody?: Readonly<Record<string, unknown>>;
  /** Longest silence of the model, in seconds. @default the configuration's, or 600 */
  idleSeconds?: number;
}

/** A model by its name, with the environment's key; a model with its address and key; or your own model. */
export type AgentModel = string | ServedModel | Model;

/** How an agent works. */
export interface AgentMind {
  /** How it works from step to step. @default by calls of tools */
  thinking?: ThinkingKind | ThinkingSettings;
  /** Bounds of each run. @default AGENT_LIMITS */
  limits?: Partial<AgentLimits>;
  /** Texts that are added to the system prompt. */
  roles?: readonly string[];
  /** Reads the `AGENTS.md` of the workspace, or what stands in its place. @default true */
  project?: boolean;
}

/** Which agent it is, if it is described as data. */
export interface AgentByName {
  /** Its name, among the built-in ones, those of the configuration, and `agents`. What these options say counts before it. @default "default" */
  agent?: string;
  /**
   * Agents by name, or the path of a file of agents in the form of SGR Agent Core; a relative path starts at the workspace.
   * @default none
   */
  agents?: string | Readonly<Record<string, AgentDefinition>>;
}

/** What an agent is made of. */
export interface AgentOptions<Output = unknown>
  extends Omit<RunnerOptions, keyof AgentGrants | "session">, AgentMind, AgentByName {
  /** The model that does the tasks. @default the agent's, else the one of the environment or the configuration */
  model?: AgentModel;
  /** What is known of the model. @default as for a model that nothing is known of */
  profile?: Partial<ModelProfile>;
  /**
   * The complete set of tools: names, bare or full, as `NAME=ALIAS` under another one, and functions of this program,
   * which run in its own process without walls. @default the toolsets'
   */
  tools?: readonly (string | HereTool)[];
  /** Added to the toolsets' tools; excludes `tools`. */
  extraTools?: readonly (string | HereTool)[];
  /** Toolsets whose tools the model gets. @default the default toolset */
  toolsets?: readonly string[];
  /** What the tools may touch. @default the policy "coder" */
  grants?: AgentGrants;
  /** The answer must be JSON of this schema. A schema of zod or another Standard Schema also types `output`. */
  outputSchema?: JsonSchema | StandardSchema<Output>;
  /** Keeps a trace and the state of tools below the user's state folder. @default true */
  keep?: boolean;
}

/** Options of one run. */
export interface AgentRunOptions {
  /** Ends the run as `interrupted`. */
  signal?: AbortSignal;
  /** `true` goes on with the workspace's newest session, a text with the one of that id. */
  resume?: true | string;
  /** Id of a new session. @default one made of the time */
  sessionId?: string;
  /** Paths of pictures for the task; relative ones start at the workspace. @default no pictures */
  images?: readonly string[];
  /** Path of a file for a recording, which `replay:FILE` as a model plays back. @default no recording */
  record?: string;
  /** Keeps what was there before the run changed it, for `bulkhead undo`. @default true */
  undo?: boolean;
}

/** A model that does tasks with tools. Close it with `await using` or `close()`. */
export interface Agent<Output = unknown> extends AsyncDisposable {
  /**
   * Begins a task, in its own session. Without a task, a resumed session continues where it stopped.
   *
   * @throws {ToolError} `invalid_input` for options that are not understood; what fails later, the run tells
   */
  run(task?: string, options?: AgentRunOptions): AgentRun<Output>;
  /** Ends the model's connection. Runs in progress fail. */
  close(): Promise<void>;
}

/** What the program itself gives to the agents of programs that embed it. */
export interface AgentProgram {
  manifest: Manifest;
  /** URL of `main.ts`: rooms are processes that run it. */
  mainUrl: string;
}

/** Makes an agent; `createAgent` of `runtime/mod.ts` says the rest. */
export function makeAgent<Output>(
  given: AgentOptions<Output>,
  { manifest, mainUrl }: AgentProgram,
): Agent<Output> {
  const options = checkOptions("createAgent", AGENT_SCHEMA, given);
  checkModel(options.model);
  if (options.tools && (options.extraTools?.length ?? 0) + (options.toolsets?.length ?? 0) > 0) {
    throw new TypeError("Give tools, or toolsets and extraTools: tools is the complete set");
  }
  const { grants, tools = [], extraTools = [], ...rest } = options;
  const here = [
    ...options.here ?? [],
    ...[...tools, ...extraTools].filter((tool) => typeof tool !== "string"),
  ];
  if (options.tools === undefined) refuseHidden(here, manifest);
  const host = runnerSettings({ ...rest, here, ...grants }, manifest, mainUrl);
  host.control.secrets = secretsOf(options.model);
  if (typeof options.agents === "object") checkAgents(options.agents);
  // What an agent adds is known when its file and the configuration are read: with the first run.
  if (options.agent === undefined && options.agents === undefined) {
    checkPlan(settingsOf(options, { host, manifest }));
  }
  const tell = listener(options.onEvent);
  let model: Promise<Model> | undefined;
  const openOnce = async (wanted: OpenModelOptions) => borrow(await (model ??= openModel(wanted)));
  const close = async () => await (await model?.catch(() => undefined))?.[Symbol.asyncDispose]();
  return {
    run(task, given = {}) {
      const runOptions = checkOptions("run()", RUN_SCHEMA, given);
      if (task !== undefined && typeof task !== "string") {
        throw new ToolError("invalid_input", `Cannot begin a task that is ${typeof task}: give it as a text`);
      }
      const events = new AgentEvents();
      const emit = (event: RunEvent) => {
        events.add(event);
        tell(event);
      };
      const settings = { ...settingsOf(options, { host, manifest, task, run: runOptions }), emit };
      return events.follow(runOnce<Output>({ ...settings, openModel: openOnce }, options.outputSchema));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function secretsOf(model: AgentModel | undefined): string[] {
  if (model === undefined || typeof model === "string" || "complete" in model) return [];
  return [model.apiKey ?? "", ...headerSecrets(model.headers ?? {})].filter((secret) => secret !== "");
}

interface OneRun extends Pick<AgentProgram, "manifest"> {
  host: HostSettings;
  task?: string | undefined;
  run?: AgentRunOptions;
}

function settingsOf(options: AgentOptions, { host, manifest, task, run = {} }: OneRun): AgentSettings {
  const { tools, toolsets = [], extraTools = [], keep = true, outputSchema } = options;
  return {
    host: { ...host, places: { ...host.places, undo: run.undo } },
    manifest,
    tools: tools?.length === 0 ? "none" : tools ? { tools: tools.map(nameOf) } : {
      toolsets,
      // Beside the default set, the functions of this program are there anyway.
      extraTools: extraTools.filter((tool) => typeof tool === "string" || toolsets.length > 0).map(nameOf),
    },
    model: modelWish(options),
    limits: options.limits ?? {},
    thinking: typeof options.thinking === "string" ? { kind: options.thinking } : options.thinking,
    task: {
      prompt: task ?? null,
      stdin: null,
      images: run.images ?? [],
      roles: options.roles ?? [],
      project: options.project ?? true,
      agent: agentWish(options),
    },
    session: keep ? { resume: run.resume, id: run.sessionId } : null,
    output: outputSchema && outputForm(outputSchema),
    record: run.record === undefined ? undefined : resolve(options.workspace, run.record),
    emit() {},
    signal: asToolError(run.signal),
  };
}

/** A function of this program is called by its full name, whatever else has its bare one. */
function nameOf(tool: string | HereTool): string {
  return typeof tool === "string" ? tool : hereName(tool);
}

function agentWish({ agent, agents }: AgentOptions): AgentWish {
  return { name: agent, ...typeof agents === "string" ? { file: agents } : { own: agents } };
}

function modelWish({ model, profile }: AgentOptions): ModelWish {
  if (model === undefined) return { profile };
  if (typeof model === "string") return { name: model, profile };
  return "complete" in model ? { model: borrow(checkedModel(model)), profile } : { ...model, profile };
}

/** A setting that cannot work fails here, not in the first run. */
function checkPlan(settings: AgentSettings): void {
  using configured = configureHost(
    { ...settings.host, runsCalls: false, warn() {} },
    settings.manifest.tools,
  );
  planAgent(settings, { config: configured.loaded.config, hasSources: hasSources(configured.sources) });
}

async function runOnce<Output>(
  settings: AgentSettings,
  schema: AgentOptions<Output>["outputSchema"],
): Promise<AgentResult<Output>> {
  const kept: Pick<AgentResult, "session_id" | "trace_path" | "agent"> = {
    session_id: null,
    trace_path: null,
  };
  const onFacts = ({ model: _, ...facts }: Partial<OpenedFacts>) => void Object.assign(kept, facts);
  await using agent = await openAgent({ ...settings, onFacts });
  const outcome = await startAgent(agent.start);
  settings.emit(endOfRun(outcome, kept.agent));
  const { output, ...rest } = outcome;
  const given = output === undefined || !schema ? {} : { output: await outputOf(output, schema) };
  return { ...rest, ...given, ...kept };
}

/** Calls and requests end with an error that has a code. */
function asToolError(signal: AbortSignal | undefined): AbortSignal {
  const ended = new AbortController();
  const end = () =>
    ended.abort(new ToolError("cancelled", "The run was cancelled", { cause: signal?.reason }));
  if (signal?.aborted) end();
  else signal?.addEventListener("abort", end, { once: true });
  return ended.signal;
}
