import { join } from "node:path";

import { AGENT_TERMINATIONS, type AgentLimits } from "../../schemas/agent/agent.ts";
import type { Message } from "../../schemas/agent/chat.ts";
import { exitCodeOf, ToolError } from "../../schemas/error.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";
import type { JsonSchema, Manifest } from "../../schemas/manifest.ts";
import type { Model, ModelProfile } from "../../schemas/agent/model.ts";
import { makeArtifactFolder } from "../state/artifact_folder.ts";
import { type EmbeddedMachine, embedMachine, type RunnerOptions } from "../host/open_host.ts";
import { chooseTools, type OfferedTool } from "../calls/catalog/find_tool.ts";
import { openModel } from "../model/open_model.ts";
import { makeRedactor, secretValues } from "../text/redact.ts";
import { diskSession } from "../state/tool_state.ts";
import { stateFolder } from "../state/state_folder.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { AgentEvents, type AgentResult, type AgentRun } from "./agent_events.ts";
import { checkPrices, chooseLimits, chooseModel, modelProfileOf } from "../model/choose_model.ts";
import { type AgentSession, openSession } from "../state/sessions/open_session.ts";
import { openingMessages } from "./opening/opening_messages.ts";
import { openSchemaCheck } from "../calls/json_schema/schema_check.ts";
import { startAgent } from "./start_agent.ts";

const GRANTS = [
  "policy",
  "allow",
  "deny",
  "allowSecrets",
  "allowPrivateNet",
  "allowEnv",
  "sandbox",
  "shareNet",
  "sandboxShow",
] as const;

/** What the tools of an agent may touch. */
export type AgentGrants = Pick<RunnerOptions, (typeof GRANTS)[number]>;

/** A model by its name, with the key of the environment; with all that is needed to reach it; or of one's own making. */
export type AgentModel =
  | string
  | { name: string; baseUrl?: string; apiKey?: string; extraBody?: Readonly<Record<string, unknown>> }
  | Model;

/** What an agent is made of. */
export interface AgentOptions extends Omit<RunnerOptions, keyof AgentGrants | "session"> {
  model: AgentModel;
  /** What is known of the model. @default as for a model that nothing is known of */
  profile?: Partial<ModelProfile>;
  /** The complete set of tools, by bare or full name, as `NAME=ALIAS` under another one. @default the toolsets' */
  tools?: readonly string[];
  /** Added to the toolsets' tools; excludes `tools`. */
  extraTools?: readonly string[];
  /** @default ["harness"] */
  toolsets?: readonly string[];
  /** @default the policy "coder" */
  grants?: AgentGrants;
  limits?: Partial<AgentLimits>;
  /** Texts that are added to the system prompt. */
  roles?: readonly string[];
  /** Reads the `AGENTS.md` of the workspace. @default true */
  project?: boolean;
  /** The answer must be JSON of this schema. */
  outputSchema?: JsonSchema;
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
}

/** A model that does tasks with tools. Close it with `await using` or `close()`. */
export interface Agent extends AsyncDisposable {
  /** Begins a task; each is a session of its own. Without a task a session that is resumed goes on where it broke off. */
  run(task?: string, options?: AgentRunOptions): AgentRun;
  /** Ends the model's connection; runs that go on fail. */
  close(): Promise<void>;
}

/** Makes an agent of the tools of a manifest; `createAgent` of `embed.ts` says the rest. */
export function makeAgent(options: AgentOptions, manifest: Manifest): Agent {
  const { env = Deno.env.toObject(), limits = {} } = options;
  const offered = offeredTools(options, manifest);
  const { open, profile, name, secrets } = planModel(options, env);
  const bounds = chooseLimits(limits, {});
  checkPrices(name, profile, bounds);
  let model: Promise<Model> | undefined;
  const blueprint: Blueprint = {
    options: { ...options, env },
    manifest,
    offered,
    profile,
    limits: bounds,
    secrets,
    model: () => model ??= open(),
  };
  const close = async () => await (await model?.catch(() => undefined))?.[Symbol.asyncDispose]();
  return {
    run(task, runOptions = {}) {
      const events = new AgentEvents();
      return events.follow(runOnce(blueprint, { task, ...runOptions, emit: (event) => events.add(event) }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What all runs of an agent share. */
interface Blueprint {
  options: AgentOptions & { env: Readonly<Record<string, string>> };
  manifest: Manifest;
  offered: readonly OfferedTool[];
  profile: ModelProfile;
  limits: AgentLimits;
  /** Secrets that are not in the environment. */
  secrets: readonly string[];
  model(): Promise<Model>;
}

interface OneRun extends AgentRunOptions {
  task: string | undefined;
  emit(event: RunEvent): void;
}

function offeredTools(
  { tools, extraTools = [], toolsets = [] }: AgentOptions,
  manifest: Manifest,
): OfferedTool[] {
  if (tools && extraTools.length + toolsets.length > 0) {
    throw new TypeError("Give tools, or toolsets and extraTools: tools is the complete set");
  }
  if (tools) return tools.length === 0 ? [] : chooseTools(manifest, { tools });
  return chooseTools(manifest, { toolsets, extraTools });
}

/** Longest time of one request with its reply, in milliseconds. */
const REQUEST_MS = 20 * 60 * 1000;

interface ModelPlan {
  open(): Promise<Model>;
  name: string;
  profile: ModelProfile;
  /** Secrets that are not in the environment. */
  secrets: readonly string[];
}

function planModel(
  { model, profile: known }: AgentOptions,
  env: Readonly<Record<string, string>>,
): ModelPlan {
  if (typeof model !== "string" && "complete" in model) {
    const { name } = model;
    const profile = { ...modelProfileOf(name, { models: {} }), ...known };
    return { open: () => Promise.resolve(borrow(model)), name, profile, secrets: [] };
  }
  const wanted = typeof model === "string" ? { name: model } : model;
  const { name, baseUrl, apiKey, extraBody } = { baseUrl: undefined, apiKey: undefined, ...wanted };
  const choice = chooseModel({
    name,
    baseUrl,
    env: (variable) => variable === "OPENAI_API_KEY" ? apiKey ?? env[variable] : env[variable],
    agent: {},
    models: {},
  });
  const settings = { ...choice, ...(extraBody && { extraBody }), requestTimeoutMs: REQUEST_MS };
  return {
    open: () => openModel(settings),
    name,
    profile: { ...choice.profile, ...known },
    secrets: apiKey === undefined ? [] : [apiKey],
  };
}

/** Whoever made the model closes it. */
function borrow(model: Model): Model {
  return {
    name: model.name,
    complete: (request, options) => model.complete(request, options),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function runOnce(blueprint: Blueprint, run: OneRun): Promise<AgentResult> {
  const { options, offered, profile, limits } = blueprint;
  await using stack = new AsyncDisposableStack();
  const model = await blueprint.model();
  const session = await openKept(blueprint, run, stack);
  const embedded = stack.use(machineOf(blueprint, session));
  const { machine, maxParallel } = embedded;
  const { outputSchema } = options;
  const output = outputSchema && stack.use(await openSchemaCheck(outputSchema, "outputSchema"));
  const outcome = await startAgent({
    runId: machine.dispatch?.runId ?? crypto.randomUUID(),
    model,
    profile,
    limits,
    machine,
    offered,
    maxParallel,
    session,
    messages: await messagesOf(blueprint, run, { session, embedded }),
    ...(output && { output }),
    emit: run.emit,
    signal: asToolError(run.signal),
  });
  const { termination_reason, usage, answer } = outcome;
  const code = AGENT_TERMINATIONS[termination_reason];
  const exit_code = code === null ? 0 : exitCodeOf(code);
  run.emit({ type: "run.end", exit_code, termination_reason, usage, answer });
  return { ...outcome, session_id: session?.id ?? null, trace_path: session?.trace.path ?? null };
}

async function openKept(
  { options, secrets }: Blueprint,
  { resume, sessionId }: OneRun,
  stack: AsyncDisposableStack,
): Promise<AgentSession | null> {
  const { env, workspace, keep = true } = options;
  if (!keep) return null;
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  if (state === null) {
    throw new ToolError("configuration", "No place for sessions: set HOME, or pass keep: false");
  }
  return stack.use(
    await openSession(state, {
      resume,
      id: sessionId,
      workspace: realOrNull(workspace) ?? workspace,
      redact: makeRedactor([...secretValues(env), ...secrets]),
      now: new Date(),
    }),
  );
}

function machineOf({ options, manifest }: Blueprint, session: AgentSession | null): EmbeddedMachine {
  const { grants = {}, ...rest } = options;
  if (session === null) return embedMachine(manifest, { ...rest, ...grants });
  const path = join(session.folder, "artifacts");
  const artifacts = makeArtifactFolder(() => path, { made: realOrNull(path) });
  return embedMachine(manifest, { ...rest, ...grants, session: diskSession(session.folder) }, artifacts);
}

async function messagesOf(
  { options, offered }: Blueprint,
  { task, emit }: OneRun,
  { session, embedded }: { session: AgentSession | null; embedded: EmbeddedMachine },
): Promise<Message[]> {
  return await openingMessages({
    prompt: task ?? null,
    stdin: null,
    images: [],
    roles: options.roles ?? [],
    project: options.project ?? true,
    cwd: options.workspace,
    machine: embedded.machine,
    offered,
    boxed: await embedded.box.isUsed(),
    hasPerson: options.ask !== undefined,
    earlier: session?.earlier ?? [],
    warn: (message) => emit({ type: "warning", message }),
  });
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
