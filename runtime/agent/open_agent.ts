import type { AgentLimits } from "../../schemas/agent/agent.ts";
import type { Message } from "../../schemas/agent/chat.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";
import type { Model, ModelProfile } from "../../schemas/agent/model.ts";
import { ToolError } from "../../schemas/error.ts";
import { chooseTools, type OfferedTool } from "../calls/catalog/choose_tools.ts";
import { laterTools } from "../calls/catalog/offered_tools.ts";
import { openSchemaCheck } from "../calls/json_schema/schema_check.ts";
import { type ConfiguredHost, configureHost, hasSources, readHostConfig } from "../host/configure_host.ts";
import { wallNotice } from "../host/no_box_notice.ts";
import { giveUp, type StillNeeded } from "../host/give_up.ts";
import { type Host, openHost } from "../host/open_host.ts";
import { modelProfileOf } from "../model/choose_model.ts";
import { openModel } from "../model/open_model.ts";
import { type AgentSession, openSession } from "../state/sessions/open_session.ts";
import { stateFolder } from "../state/state_folder.ts";
import type { PlacedOutput } from "../walls/files/place_output.ts";
import { isInside } from "../walls/grants/inside.ts";
import { orAborted } from "../wait/or_aborted.ts";
import { toAgentTools } from "./tool_search/agent_tools.ts";
import { LentModel } from "./loop/lent_model.ts";
import type { RunModel } from "./loop/parts.ts";
import type { AgentSettings } from "./agent_settings.ts";
import { openingMessages } from "./opening/opening_messages.ts";
import { systemOf } from "./replay/compare_request.ts";
import { type ModelSource, planAgent } from "./plan_agent.ts";
import { keepSettings, sessionSettings, widenedPolicy } from "./resume_settings.ts";
import { openRecorder, type Recorder } from "./replay/record.ts";
import { openReplay, type Replay } from "./replay/replay.ts";
import { findRecorded } from "./replay/recorded_tools.ts";
import { type FindAdded, ModelTools } from "./tool_search/model_tools.ts";
import { type AgentStart, pictureReader, placesOf, type ReplayStart } from "./start_agent.ts";
import { checkThinking } from "./thinking/make_thinking.ts";
import { toldOf } from "./definitions/known_agents.ts";
import { useAgent } from "./use_agent.ts";

/** Longest time of one request with its reply, in milliseconds, unless longer silence is allowed. */
const REQUEST_MS = 20 * 60 * 1000;

/** An agent that is ready to run. Close it with `await using`. */
export interface OpenAgent extends AsyncDisposable {
  start: AgentStart;
}

/**
 * Opens an agent for one run: the one place where its host, its model, its session and its first messages come
 * together.
 *
 * @throws {ToolError} For any reason why the run cannot begin
 */
export async function openAgent(given: AgentSettings): Promise<OpenAgent> {
  const { settings: asked, widened } = await keepSettings(given);
  const { settings, loaded, agent } = await useAgent(asked, readHostConfig(asked.host, asked.manifest.tools));
  const { manifest, emit, onFacts, signal, thinking = {} } = settings;
  const told = toldOf(agent);
  await using stack = new AsyncDisposableStack();
  const recording: Recording = { placed: null };
  const configured = stack.use(configureHost(withRecording(settings, recording), manifest.tools, loaded));
  const opening: Opening = { settings, configured, recording, stack };
  const { source, name, limits } = planAgent(settings, {
    config: configured.loaded.config,
    hasSources: hasSources(configured.sources),
  });
  const output = await openForm(opening);
  const session = await openKept(opening);
  const opened = await openSource(source, opening, session);
  onFacts?.({ model: opened.model.name, ...told });
  const host = openRunHost(opening, { opened, session });
  const tools = await toolsOf(host, settings, { limits, replay: opened.replay });
  const offered = tools.offered.all;
  await settleDown(host, offered.map(({ entry }) => entry.tool), settings);
  const notes: RunEvent[] = [];
  const messages = await firstMessages(opening, { host, session, offered, replay: opened.replay, notes });
  const recorder = openTheRecorder(opening, { host, session, offered, messages, ...opened });
  const start: AgentStart = {
    runId: host.control.runId,
    model: opened.model,
    profile: opened.profile,
    limits,
    thinking: { settings: thinking, known: manifest.tools },
    machine: host,
    endPrograms: () => host.programs.end(),
    tools,
    session,
    begun: {
      settings: sessionSettings({ ...asked, host: configured.settings }, {
        policy: configured.policy,
        name,
        agent,
      }),
      notes,
      ...told,
      widened: [...widenedPolicy(settings.host.grants.kept, configured.policy), ...widened],
    },
    messages,
    recorder,
    replay: replayOf(opened, settings),
    ...(output && { output }),
    emit,
    ...(settings.onQuestion && { onQuestion: settings.onQuestion }),
    ...{ signal, onUsage: settings.onUsage },
  };
  const moved = stack.move();
  return { start, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

function replayOf({ replay }: OpenSource, { replay: how }: AgentSettings): ReplayStart | null {
  return replay && { replay, ...how ?? { replayTools: false, strict: false } };
}

/** From here on the process needs no more than its tools do. */
async function settleDown(
  host: Host,
  called: StillNeeded["called"],
  { host: { programs }, ownsProcess, emit }: AgentSettings,
): Promise<void> {
  if (ownsProcess) await giveUp({ host, process: programs.process, called, keepsFiles: true });
  if (called.every(({ needs }) => needs.run === undefined)) return;
  if (ownsProcess) host.programs.stand();
  const notice = await wallNotice(host);
  if (notice !== null) emit({ type: "warning", message: notice });
}

function openRunHost(
  { settings: { host, manifest }, configured, stack }: Opening,
  { opened, session }: { opened: OpenSource; session: AgentSession | null },
): Host {
  const { lent: model } = opened;
  return stack.use(openHost(host, { manifest, configured, model, session: session?.id, undo: true }));
}

/** The tools of the run, and the search if they are too many. */
async function toolsOf(
  host: Host,
  { tools: choice, thinking = {}, manifest, emit, signal }: AgentSettings,
  { limits: { tools: most }, replay }: { limits: AgentLimits; replay: Replay | null },
): Promise<ModelTools> {
  await Promise.all([host.tidied, host.ready({ signal })]);
  const findLive: FindAdded = async (signal) => {
    if (choice === "none") return [];
    await host.ready({ signal });
    return laterTools(host.catalog, choice);
  };
  const chosen = choice === "none" ? [] : chooseTools(host.catalog, choice);
  checkThinking(thinking, { offered: chosen.map(({ entry }) => entry.tool), known: manifest.tools });
  return new ModelTools({
    chosen,
    most,
    findAdded: replay === null ? findLive : findRecorded(replay, findLive),
    warn: (message) => emit({ type: "warning", message }),
  });
}

/** What all steps of opening an agent need. */
interface Opening {
  settings: AgentSettings;
  configured: ConfiguredHost;
  recording: Recording;
  /** Takes a resource to close with the agent. */
  stack: AsyncDisposableStack;
}

/** Where the recording goes; `null` until it is known what calls can write, and if none is kept. */
interface Recording {
  placed: PlacedOutput | null;
}

/** No tool may write the recording. It is opened with its first lines, when the run begins. */
function withRecording({ host, record }: AgentSettings, recording: Recording): AgentSettings["host"] {
  if (record === undefined) return host;
  const output = { path: record, open: (placed: PlacedOutput) => void (recording.placed = placed) };
  return { ...host, control: { ...host.control, outputs: [...host.control.outputs ?? [], output] } };
}

async function openForm(
  { settings: { output }, stack }: Opening,
): Promise<(Disposable & NonNullable<AgentStart["output"]>) | undefined> {
  if (!output) return undefined;
  const { schema, name, refine } = output;
  const form = stack.use(await openSchemaCheck(schema, name));
  if (!refine) return form;
  const check = async (value: unknown) => {
    const problems = await form.check(value);
    return problems.length > 0 ? problems : await refine(value);
  };
  return { schema, check, [Symbol.dispose]: () => form[Symbol.dispose]() };
}

async function openKept({ settings, configured, stack }: Opening): Promise<AgentSession | null> {
  const { session: wish, host: { env, places }, onFacts } = settings;
  if (wish === null) return null;
  const { workspace, control: { redact } } = configured;
  if (workspace === null) {
    throw new ToolError(
      "configuration",
      `Cannot use "${places.workspace}" as the workspace: there is no such folder`,
    );
  }
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  if (state === null) {
    throw new ToolError(
      "configuration",
      "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path, or keep none " +
        "(--no-session, keep: false)",
    );
  }
  const session = stack.use(await openSession(state, { ...wish, workspace, redact, now: new Date() }));
  onFacts?.({ session_id: session.id, trace_path: session.trace.path });
  const forget = () => {
    if (wish.keepsUnanswered) return;
    session.forget();
    onFacts?.({ session_id: null, trace_path: null });
  };
  return { ...session, forget };
}

/** A model that was opened, and the recording behind it if it is one. */
interface OpenSource {
  model: RunModel;
  /** The model as MCP servers ask it; a recording holds no answers for them. */
  lent?: LentModel;
  profile: ModelProfile;
  replay: Replay | null;
}

async function openSource(
  source: ModelSource,
  { settings, configured, stack }: Opening,
  session: AgentSession | null,
): Promise<OpenSource> {
  if (source.from === "model") return lendable(source.model, source.profile);
  if (source.from === "recording") {
    const replay = await openReplay(source.file, { earlier: session?.earlier ?? [] });
    const { models = {} } = configured.loaded.config;
    const profile = { ...modelProfileOf(replay.recordedModel, { models }), ...settings.model.profile };
    return { model: stack.use(replay.model), profile, replay };
  }
  const { signal, openModel: open = openModel } = settings;
  const { profile, ...choice } = source.choice;
  const requestTimeoutMs = Math.max(REQUEST_MS, choice.idleTimeoutMs ?? 0);
  const model = await orAborted(open({ ...choice, requestTimeoutMs }), signal);
  if (model === null) throw signal.reason;
  return lendable(stack.use(model), profile);
}

function lendable(model: Model, profile: ModelProfile): OpenSource {
  const lent = new LentModel(model);
  return { model: lent.ofRun, lent, profile, replay: null };
}

/** What the run is made of so far. */
interface Made {
  host: Host;
  session: AgentSession | null;
  offered: readonly OfferedTool[];
}

async function firstMessages(
  { settings: { task, host: { places }, emit, thinking = {} } }: Opening,
  { host, session, offered, replay, notes }: Made & { replay: Replay | null; notes: RunEvent[] },
): Promise<Message[]> {
  const isAsked = task.prompt !== null || task.stdin !== null || hasTask(session);
  return await openingMessages({
    ...task,
    prompt: isAsked ? task.prompt : replay?.task ?? null,
    cwd: places.cwd,
    machine: host,
    offered,
    boxed: await host.box.isUsed(),
    hasPerson: host.control.ask !== null,
    earlier: session?.earlier ?? [],
    thinking,
    warn: (message) => emit({ type: "warning", message }),
    tell: (event) => void notes.push(event),
  });
}

/** Whether earlier runs were told what to do: a replay tells it only once. */
function hasTask(session: AgentSession | null): boolean {
  return session?.earlier.some((line) =>
    line.t === "message" && line.message.role === "user" && line.message.kind === "task"
  ) ?? false;
}

function openTheRecorder(
  { settings: { emit }, configured, recording: { placed }, stack }: Opening,
  { host, session, offered, model, replay, messages }: Made & OpenSource & { messages: readonly Message[] },
): Recorder | null {
  if (placed === null) return null;
  const { workspace } = host.grants;
  if (isInside(workspace, placed.real)) {
    const message =
      `The recording "${placed.asked}" lies in the workspace, where tools find it and it may be committed: ` +
      "choose a path outside";
    emit({ type: "warning", message });
  }
  return stack.use(openRecorder(placed, {
    model: replay?.recordedModel ?? model.name,
    places: placesOf(host, session),
    request: { system: systemOf(messages, session), tools: toAgentTools(offered) },
    redact: configured.control.redact,
    readPicture: pictureReader(host),
    warn: (message) => emit({ type: "warning", message }),
  }));
}
