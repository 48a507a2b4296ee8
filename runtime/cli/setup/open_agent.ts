import { resolve } from "node:path";

import type { AgentLimits } from "../../../schemas/agent/agent.ts";
import type { Message } from "../../../schemas/agent/chat.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import type { Model, ModelProfile } from "../../../schemas/agent/model.ts";
import {
  checkPrices,
  chooseLimits,
  chooseModel,
  chooseName,
  type ModelChoice,
  modelProfileOf,
  replayFile,
} from "../../model/choose_model.ts";
import { type AgentSession, openSession } from "../../state/sessions/open_session.ts";
import { openingMessages } from "../../agent/opening/opening_messages.ts";
import { openRecorder } from "../../agent/replay/record.ts";
import { openReplay, type Replay } from "../../agent/replay/replay.ts";
import { openSchemaCheck } from "../../calls/json_schema/schema_check.ts";
import { type AgentStart, placesOf, readPicture } from "../../agent/start_agent.ts";
import { openModel } from "../../model/open_model.ts";
import { chooseTools, type OfferedTool } from "../../calls/catalog/find_tool.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { AgentReport } from "../show/agent_report.ts";
import { type ConfiguredRun, configureRun } from "./configure_run.ts";
import { type Io, userFolder } from "../io/io.ts";
import type { Options } from "../args/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { readRoles, readSchema } from "./read_agent_files.ts";
import { type Prompt, readPrompt } from "./read_prompt.ts";
import { type Run, type RunPlan, startRun } from "./open_run.ts";

/** Longest time of one request with its reply, in milliseconds. */
const REQUEST_MS = 20 * 60 * 1000;

/** An agent that is ready to run. Close it with `await using`. */
export interface OpenAgent extends AsyncDisposable {
  start: AgentStart;
}

/** Who watches the run. */
export interface OpenAgentOptions {
  report: AgentReport;
  /** Aborts when the run is to end. */
  signal: AbortSignal;
}

/**
 * Makes an agent of a command line, the environment and the configuration. Main keeps no permission that it does not
 * need any more.
 *
 * @throws {ToolError} For whatever keeps the run from beginning
 */
export async function openAgent(
  { positionals, options }: Invocation,
  io: Io,
  { report, signal }: OpenAgentOptions,
): Promise<OpenAgent> {
  checkOptions(options);
  const { tools } = await io.manifest();
  const offered = chooseTools({ version: 1, tools }, {
    toolsets: options.toolset ?? [],
    tools: options.tool ?? [],
    extraTools: options.extraTool ?? [],
  });
  const prompt = await readPrompt(positionals, options, io);
  await using stack = new AsyncDisposableStack();
  const called = offered.map(({ entry }) => entry);
  const plan: RunPlan = { tools, called, runsCalls: true, stdinTaken: prompt.stdinTaken };
  const configured = stack.use(configureRun(options, io, plan));
  const roles = await readRoles(options.rolePrompt ?? [], io);
  const cwd = userFolder(io);
  const setting: Setting = { options, io, report, signal, configured, offered, prompt, roles, cwd, stack };
  const limits = chooseLimits(limitsOf(options), configured.config.agent ?? {});
  const source = chooseSource(setting, limits);
  const output = await openForm(setting);
  const session = await openTheSession(setting);
  const opened = await openSource(source, setting, session);
  const { model } = opened;
  report.facts.model = model.name;
  const run = stack.use(
    startRun(withSession(options, session), io, { ...plan, configured, keepsFiles: true }),
  );
  const messages = await allMessages(setting, { run, session, replay: opened.replay });
  const recorder = openTheRecorder(setting, { run, session, ...opened });
  const { machine, maxParallel } = run;
  const start: AgentStart = {
    runId: configured.dispatch.runId,
    ...opened,
    limits,
    machine,
    offered,
    maxParallel,
    session,
    messages,
    recorder,
    replay: opened.replay && {
      replay: opened.replay,
      replayTools: options.replayTools ?? false,
      strict: options.strict ?? false,
    },
    ...(output && { output }),
    emit: (event) => report.emit(event),
    onQuestion: (state) => report.follow(state),
    signal,
  };
  const moved = stack.move();
  return { start, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** What all steps on the way to an agent need. */
interface Setting extends OpenAgentOptions {
  options: Options;
  io: Io;
  configured: ConfiguredRun;
  offered: readonly OfferedTool[];
  prompt: Prompt;
  roles: readonly string[];
  /** The user's folder. */
  cwd: string;
  /** Takes what is to be closed with the agent. */
  stack: AsyncDisposableStack;
}

function checkOptions({ model, replayTools, strict, resume, session }: Options): void {
  for (const [flag, given] of [["--replay-tools", replayTools], ["--strict", strict]] as const) {
    if (!given || model?.startsWith("replay:")) continue;
    throw new ToolError("invalid_input", `Option ${flag} is for a replay: --model replay:FILE`);
  }
  if (typeof resume === "string" && session !== undefined && session !== resume) {
    throw new ToolError(
      "invalid_input",
      `Options --resume ${resume} and --session ${session} name two sessions`,
    );
  }
}

function limitsOf({ maxRounds, maxCalls, maxTime, maxTokens, maxCost }: Options): Partial<AgentLimits> {
  return {
    ...(maxRounds !== undefined && { rounds: maxRounds }),
    ...(maxCalls !== undefined && { calls: maxCalls }),
    ...(maxTime !== undefined && { seconds: maxTime }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    ...(maxCost !== undefined && { cost: maxCost }),
  };
}

/** Where replies come from: a model, or the file of a recording. */
type Source = ModelChoice | { file: string };

function chooseSource({ options, io, configured, cwd }: Setting, limits: AgentLimits): Source {
  const { agent = {}, models = {} } = configured.config;
  const sources = { name: options.model, baseUrl: options.baseUrl, env: io.env, agent, models };
  const file = replayFile(chooseName(sources));
  if (file !== null) return { file: resolve(cwd, file) };
  const choice = chooseModel(sources);
  checkPrices(choice.name, choice.profile, limits);
  return choice;
}

async function openForm(
  { options, io, stack }: Setting,
): Promise<(Disposable & NonNullable<AgentStart["output"]>) | undefined> {
  const { outputSchema: file } = options;
  if (file === undefined) return undefined;
  const schema: JsonSchema = await readSchema(file, io);
  return stack.use(await openSchemaCheck(schema, file));
}

async function openTheSession(
  { options, io, report, configured, cwd, stack }: Setting,
): Promise<AgentSession | null> {
  if (options.noSession) return null;
  const folder = resolve(cwd, options.workspace ?? ".");
  const workspace = realOrNull(folder);
  if (workspace === null) {
    throw new ToolError(
      "configuration",
      `Cannot use "${folder}" as the workspace: there is no such folder`,
    );
  }
  const state = stateFolder(io.env("XDG_STATE_HOME"), io.env("HOME") ?? "");
  if (state === null) {
    throw new ToolError(
      "configuration",
      "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path, or pass --no-session",
    );
  }
  const session = stack.use(
    await openSession(state, {
      resume: options.resume === true ? options.session ?? true : options.resume,
      id: options.session,
      workspace,
      redact: configured.dispatch.redact,
      now: new Date(),
    }),
  );
  report.facts.session_id = session.id;
  report.facts.trace_path = session.trace.path;
  return session;
}

/** A model that was opened, and the recording behind it if it is one. */
interface OpenSource {
  model: Model;
  profile: ModelProfile;
  replay: Replay | null;
}

async function openSource(
  source: Source,
  { configured, signal, stack }: Setting,
  session: AgentSession | null,
): Promise<OpenSource> {
  if ("file" in source) {
    const replay = await openReplay(source.file, { earlier: session?.earlier ?? [] });
    const profile = modelProfileOf(replay.recordedModel, { models: configured.config.models ?? {} });
    return { model: stack.use(replay.model), profile, replay };
  }
  const { profile, ...choice } = source;
  const model = await orAborted(openModel({ ...choice, requestTimeoutMs: REQUEST_MS }), signal);
  if (model === null) throw signal.reason;
  return { model: stack.use(model), profile, replay: null };
}

function withSession({ session: _, ...options }: Options, session: AgentSession | null): Options {
  return session ? { ...options, session: session.id } : options;
}

async function allMessages(
  { options, report, configured, offered, prompt, roles, cwd }: Setting,
  { run, session, replay }: { run: Run; session: AgentSession | null; replay: Replay | null },
): Promise<Message[]> {
  return await openingMessages({
    prompt: prompt.prompt ?? (prompt.stdin === null && !hasTask(session) ? replay?.task ?? null : null),
    stdin: prompt.stdin,
    images: options.image ?? [],
    roles,
    project: !options.noProject,
    cwd,
    machine: run.machine,
    offered,
    boxed: await run.box.isUsed(),
    hasPerson: configured.dispatch.ask !== null,
    earlier: session?.earlier ?? [],
    warn: (message) => report.emit({ type: "warning", message }),
  });
}

/** Whether earlier runs were told what to do: a replay says it only once. */
function hasTask(session: AgentSession | null): boolean {
  return session?.earlier.some((line) =>
    line.t === "message" && line.message.role === "user" && line.message.kind === "task"
  ) ?? false;
}

function openTheRecorder(
  { options, report, configured, offered, cwd, stack }: Setting,
  { run, session, model, replay }: OpenSource & { run: Run; session: AgentSession | null },
) {
  if (options.record === undefined) return null;
  return stack.use(openRecorder(resolve(cwd, options.record), {
    model: replay?.recordedModel ?? model.name,
    places: placesOf(run.machine, session),
    tools: offered.map(({ name }) => name),
    redact: configured.dispatch.redact,
    readPicture,
    warn: (message) => report.emit({ type: "warning", message }),
  }));
}
