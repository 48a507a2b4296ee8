import { Buffer } from "node:buffer";

import type { AgentLimits, AgentOutcome, AgentTermination } from "../../schemas/agent/agent.ts";
import type { Message } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import type { RunEnding } from "../../schemas/agent/ending.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";
import type { TraceLine } from "../../schemas/agent/trace.ts";
import type { SessionSettings } from "../../schemas/agent/session_settings.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Plan } from "../../schemas/step/plan.ts";
import type { ThinkingSettings } from "../../schemas/step/thinking.ts";
import type { ModelProfile } from "../../schemas/agent/model.ts";
import type { Machine } from "../calls/machine.ts";
import { sleep } from "../wait/sleep.ts";
import { quoteWord } from "../text/shell_quote.ts";
import { MAX_PICTURE_BYTES, pictureType } from "../state/keep_picture.ts";
import { isInside } from "../walls/grants/inside.ts";
import { namedFileError } from "../walls/files/system_error.ts";
import { readPlainSlowly } from "../walls/files/open_plain.ts";
import { VERSION } from "../self/version.ts";
import { toAgentTools } from "./tool_search/agent_tools.ts";
import { RunRecord } from "./ending/run_record.ts";
import { liveCalls } from "./live_calls.ts";
import { foldTrace } from "./conversation/conversation.ts";
import type { AgentSession } from "../state/sessions/open_session.ts";
import type { AgentParts, CallTool, RunModel, RunWatcher } from "./loop/parts.ts";
import { compareRequest, systemOf } from "./replay/compare_request.ts";
import { recordCalls, recordEarlier, type Recorder, recordModel, taskText } from "./replay/record.ts";
import type { RecordedPlaces } from "../state/sessions/recording_lines.ts";
import type { Replay } from "./replay/replay.ts";
import { replayCalls } from "./replay/replay_calls.ts";
import { replayRules } from "./replay/replay_rules.ts";
import { runAgent } from "./loop/run_agent.ts";
import { growingShelf } from "./tool_search/growing_shelf.ts";
import type { ModelTools } from "./tool_search/model_tools.ts";
import { personOf } from "./run_person.ts";
import { today } from "./opening/today.ts";
import { tellRun } from "./told_run.ts";
import { makeThinking } from "./thinking/make_thinking.ts";

/** How a recording is played back. */
export interface ReplayStart {
  replay: Replay;
  /** Really run every call. */
  replayTools: boolean;
  /** A difference from the recording ends the run. */
  strict: boolean;
}

/** What a run says of itself at its beginning. */
export interface RunBeginning {
  /** What the session keeps for its next run. */
  settings: SessionSettings;
  /** Name of the agent, if it is not the usual one. */
  agent?: string;
  /** Flags of a resumed run that allow more than its session did. */
  widened: readonly string[];
  /** What is to be told of the prompt. */
  notes: readonly RunEvent[];
}

/** Who hears of a run and of what it asks, and ends it. */
export interface RunListeners extends RunWatcher {
  /** Hears of questions to a person, so that the view can make room for them. */
  onQuestion?: (state: "asked" | "answered" | "confirmed" | "declined") => void;
}

/** What a run of an agent is assembled from. */
export interface AgentStart extends RunListeners {
  runId: string;
  model: RunModel;
  profile: ModelProfile;
  limits: AgentLimits;
  /** How it works from step to step, and all tools that there are. */
  thinking: { settings: ThinkingSettings; known: readonly ManifestEntry[] };
  machine: Machine;
  /** Ends the programs of calls that still run. */
  endPrograms(): Promise<void>;
  tools: ModelTools;
  /** Where the trace is kept, with what earlier runs left in it; `null` to keep no trace. */
  session: AgentSession | null;
  begun: RunBeginning;
  /** What is said now: all of a new conversation, or what is added to an old one. */
  messages: readonly Message[];
  recorder?: Recorder | null;
  replay?: ReplayStart | null;
  output?: AgentParts["output"];
}

/**
 * Runs an agent from its first event to the last line of its trace; `run.end` is the caller's. Never rejects once the
 * trace has begun. Needs `read` of pictures, and `write` of the session's folder.
 *
 * @throws {ToolError} If the trace cannot be written at all
 */
export async function startAgent(start: AgentStart): Promise<AgentOutcome & RunEnding> {
  return await tellRun(start, toItsEnd);
}

async function toItsEnd(start: AgentStart): Promise<AgentOutcome & RunEnding> {
  const { session, emit, recorder } = start;
  session?.trace.write(runLine(start));
  emit(startEvent(start));
  start.begun.notes.forEach(emit);
  const conversation = foldTrace(session?.earlier ?? []);
  conversation.beginRun(start.model.name);
  for (const message of start.messages) {
    session?.trace.write({ t: "message", message });
    conversation.add(message);
  }
  if (recorder && session) await recordEarlier(session.earlier, recorder);
  const record = new RunRecord(start.machine.grants);
  const parts = makeParts(start, record);
  const plan = noteEarlier(start, parts);
  if (plan) emit({ type: "plan", plan });
  const outcome = await runAgent(conversation, parts);
  // Before the last event: their ends are events too.
  await start.endPrograms();
  try {
    session?.trace.write({ t: "end", time: new Date().toISOString(), outcome });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    emit({ type: "warning", message: `The trace is not whole: ${error.message}` });
  }
  if (session && isUnanswered(outcome, session)) {
    session.forget();
    return { ...outcome, ...record.end(null) };
  }
  const resume = session && `bulkhead run --resume ${quoteWord(session.id)} '…'`;
  return { ...outcome, ...record.end(resume) };
}

/** Ends of a run that needs another setting, another task or a server that answers. */
const FAILED_STARTS: readonly AgentTermination[] = [
  "unauthenticated",
  "model_unknown",
  "model_unreachable",
  "rate_limited",
  "context_overflow",
];

/** Says whether a new session ended before the first reply of a model: there is nothing to go on with. */
function isUnanswered({ termination_reason, usage }: AgentOutcome, { earlier }: AgentSession): boolean {
  return earlier.length === 0 && usage.rounds === 0 && FAILED_STARTS.includes(termination_reason);
}

/** Tells the way of thinking what was said before. @returns The plan of the session, if it has one */
function noteEarlier({ session, messages }: AgentStart, { thinking }: AgentParts): Plan | null {
  const earlier = session?.earlier ?? [];
  for (const line of earlier) thinking?.note(line);
  for (const message of messages) thinking?.note({ t: "message", message });
  const isNew = messages.some((message) => message.role === "user" && message.kind === "task");
  return isNew ? null : earlier.findLast((line) => line.t === "plan")?.plan ?? null;
}

/** Returns the folders of a run whose paths differ from machine to machine. */
export function placesOf(
  { grants, artifacts }: Machine,
  session: Pick<AgentSession, "folder"> | null,
): RecordedPlaces {
  const folder = session ? `${session.folder}/artifacts` : artifacts.made ?? "";
  return { workspace: grants.workspace, artifacts: folder };
}

/** Returns what reads a picture's file of the run, as base64. Throws {@linkcode ToolError} for any other file. */
export function pictureReader({ artifacts }: Pick<Machine, "artifacts">): AgentParts["readPicture"] {
  return async (path) => {
    try {
      const real = await Deno.realPath(path);
      const isOurs = artifacts.made !== null && isInside(artifacts.made, real);
      const bytes = isOurs ? await readPlainSlowly(real, { maxBytes: MAX_PICTURE_BYTES }) : null;
      if (bytes === null || pictureType(bytes) === null) throw noPicture(path);
      return Buffer.from(bytes).toString("base64");
    } catch (error) {
      throw error instanceof ToolError ? error : namedFileError(error, "read", path);
    }
  };
}

function noPicture(path: string): ToolError {
  return new ToolError(
    "configuration",
    `Cannot send "${path}" as a picture: it is not a picture that this session keeps`,
  );
}

function runLine({ runId, model, machine, tools, session, begun }: AgentStart) {
  const { settings, widened, agent } = begun;
  const { workspace, commands } = machine.grants;
  return {
    t: "run",
    v: 1,
    run_id: runId,
    session_id: session?.id ?? "",
    time: new Date().toISOString(),
    version: VERSION,
    ...(agent !== undefined && { agent }),
    model: model.name,
    workspace,
    policy: commands.name,
    tools: tools.offered.all.map(({ name }) => name),
    resumed: (session?.earlier.length ?? 0) > 0,
    state: "researching",
    settings,
    ...(widened.length > 0 && { widened }),
  } as const;
}

function startEvent({ runId, model, machine, session, begun: { widened, agent } }: AgentStart): RunEvent {
  const { policy, workspace, allow, deny } = machine.grants;
  return {
    type: "run.start",
    run_id: runId,
    command: "run",
    workspace,
    grants: { policy, allow, deny },
    ...(agent !== undefined && { agent }),
    model: model.name,
    state: "researching",
    ...(session && { session_id: session.id }),
    ...(widened.length > 0 && { widened }),
  };
}

function makeParts(start: AgentStart, record: RunRecord): AgentParts {
  const { model, profile, limits, session, emit, recorder, output } = start;
  const { settings, known } = start.thinking;
  const tools = toAgentTools(start.tools.offered.all);
  const ended = new AbortController();
  if (start.replay?.strict) checkRequest(start, start.replay.replay, ended);
  const trace = (line: TraceLine) => session?.trace.write(line);
  const callTool = replayed(liveCalls({ ...callOptions(start), record }), start, ended);
  return {
    model: recorder ? recordModel(model, recorder) : model,
    profile,
    tools: growingShelf(start.tools, session?.earlier ?? [], (added) => {
      trace({ t: "tools", added });
      recorder?.tools(added);
      emit({ type: "tools.added", tools: added.map(({ name }) => name) });
    }),
    thinking: makeThinking({ settings, limits, tools, date: today() }, known),
    ...personOf(start),
    line: start.machine.line,
    callTool: notingRefusals(recorder ? recordCalls(callTool, recorder) : callTool, record),
    limits,
    trace,
    emit,
    onUsage: start.onUsage,
    readPicture: pictureReader(start.machine),
    ...(output && { output }),
    signal: AbortSignal.any([start.signal, ended.signal]),
    now: () => performance.now(),
    sleep,
    random: () => Math.random(),
  };
}

/** Under `--strict` the requests of a replay must begin as the recorded ones did. */
function checkRequest(start: AgentStart, replay: Replay, ended: AbortController): void {
  const { messages, session, tools: { offered }, machine, emit } = start;
  const { redact } = machine.control;
  const now = {
    task: session?.earlier.length ? null : taskText(messages),
    request: { system: systemOf(messages, session), tools: toAgentTools(offered.all) },
    places: placesOf(machine, session),
  };
  const { difference, warning } = compareRequest(now, replay, redact);
  if (warning !== null) emit({ type: "warning", message: warning });
  if (difference === null) return;
  const told = `Not as recorded: ${difference}`;
  emit({ type: "warning", message: told });
  ended.abort(new ToolError("conflict", told));
}

/** What the recording says was refused is not a refusal of this run. */
function notingRefusals(callTool: CallTool, record: RunRecord): CallTool {
  return async (call, options) => {
    const result = await callTool(call, options);
    if (!result.recorded) record.addRefusal(call.tool.full_name, result.error);
    return result;
  };
}

function callOptions({ machine, tools: { offered }, emit, onQuestion, model: { name: model } }: AgentStart) {
  return { machine, offered, emit, model, pictures: machine.artifacts, ...(onQuestion && { onQuestion }) };
}

function replayed(callTool: CallTool, start: AgentStart, ended: AbortController): CallTool {
  const { machine, tools: { offered }, session, emit, replay } = start;
  if (!replay) return callTool;
  return replayCalls(callTool, replay.replay, {
    ...replayRules({ machine, offered, emit }),
    replayTools: replay.replayTools,
    onDifference(message) {
      const told = `Not as recorded: ${message}`;
      emit({ type: "warning", message: told });
      if (replay.strict) ended.abort(new ToolError("conflict", told));
    },
    redact: (text) => machine.control.redact(text),
    places: placesOf(machine, session),
    pictures: machine.artifacts,
  });
}
