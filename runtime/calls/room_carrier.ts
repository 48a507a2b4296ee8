import type { AuditedProgram } from "../../schemas/audit.ts";
import type { CommandAnalysis } from "../../schemas/command.ts";
import type { FileChange } from "../../schemas/context.ts";
import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Artifact, Place } from "../../schemas/result.ts";
import type { ProgramCall } from "../programs/process/program_host.ts";
import type { ExecutedLookup } from "../programs/git/executed_lookup.ts";
import type { Ask } from "../rooms/asks/ask.ts";
import { profileOf } from "../rooms/profile.ts";
import type { Outcome } from "../rooms/protocol.ts";
import type { Room } from "../rooms/room.ts";
import type { RoomPool } from "../rooms/room_pool.ts";
import type { ArtifactFolder } from "../state/artifact_folder.ts";
import { ArtifactWriter } from "../state/artifact_writer.ts";
import type { ClosedPaths } from "../walls/box/bubblewrap.ts";
import { onOneLine, stripControls } from "../text/strip_controls.ts";
import { LONGEST_MS } from "../wait/longest.ts";
import { instructionsChanged, isInstructions } from "../walls/grants/protected_paths.ts";
import { answerAsk, type Answers } from "./answer_ask.ts";
import type { CallEnd, Carrier, CarrierOptions, Explanation } from "./catalog/carrier.ts";
import { cancelled, failedResult, toToolError } from "./failed_result.ts";

/** What rooms need around them. */
export interface RoomServices {
  grants: Grants;
  /** The user's home folder, `""` if it is unknown. */
  home: string;
  rooms: RoomPool;
  artifacts: ArtifactFolder;
  /** Finds what the user's tools execute in the folders that calls may write. @default names alone tell it */
  executed?: ExecutedLookup | undefined;
  /** Called when a call has begun and its room is on its way. */
  onCall?(tool: ManifestEntry): void;
  /** Answers what rooms ask. */
  answers: Answers;
  /** What the programs that run beside calls must not reach. @default nothing */
  closed?(): ClosedPaths;
  /** Variables of the user's environment; a tool is told those that it declares. */
  settings: Readonly<Record<string, string>>;
  /** Longest time of any call in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
}

/** How long a call has to come back after it was told to stop, in milliseconds; then its room is discarded. */
const GRACE_MS = 250;
/** The same for calls that start programs, which have to be ended and heard out; it comes after the limit. */
const PROGRAM_GRACE_MS = 900;

/**
 * Makes the carrier of built-in tools: each call runs in a room that holds exactly what its tool needs and the user
 * granted.
 *
 * The room is asked to stop shortly before the limit and discarded at the limit, so the call ends within it. A program
 * has all of the limit, and its end comes within a second after it.
 */
export function makeRoomCarrier(services: RoomServices): Carrier {
  return {
    call: (tool, input, options) => runCall({ tool, input, options, services, mode: "run" }),
    explain: (tool, input, options) => explainCall({ tool, input, options, services, mode: "explain" }),
  };
}

/** One call on its way through its room. */
interface RoomCall {
  tool: ManifestEntry;
  input: unknown;
  options: CarrierOptions;
  services: RoomServices;
  mode: "run" | "explain";
}

async function runCall(call: RoomCall): Promise<CallEnd> {
  const { tool, options: { signal } } = call;
  const started = performance.now();
  let place: Place = "none";
  let end: RoomEnd;
  try {
    const room = await openRoom(call);
    place = room.place;
    end = await callRoom(room, call);
  } catch (error) {
    end = failed(signal?.aborted ? cancelled(signal.reason) : error);
  }
  const { outcome, programs, artifacts } = end;
  const durationMs = Math.round(performance.now() - started);
  const { targets, ok, result, text, summary, images, warnings, error } = outcome;
  const facts = { targets, analyses: end.analyses, programs };
  if (end.unanswered) {
    const failure = failedResult(tool, end.unanswered, { durationMs, place });
    return { result: { ...failure, warnings, artifacts }, facts };
  }
  const metadata = { duration_ms: durationMs, place, ...(summary !== undefined && { summary }) };
  // In this order everywhere: people and scripts read the lines.
  return {
    result: { tool_name: tool.full_name, ok, result, text, images, artifacts, warnings, error, metadata },
    facts,
  };
}

async function explainCall(call: RoomCall): Promise<Explanation> {
  let end: RoomEnd;
  try {
    end = await callRoom(await openRoom(call), call);
  } catch (error) {
    end = failed(error);
  }
  const { targets, warnings, preview = null, error } = end.outcome;
  return { targets, analyses: end.analyses, warnings, preview, error: end.unanswered ?? error };
}

async function openRoom({ tool, services, options: { signal } }: RoomCall): Promise<Room> {
  if (signal?.aborted) throw cancelled(signal.reason);
  const executed = tool.needs.write === undefined ? {} : await services.executed?.();
  const room = await services.rooms.acquire(
    profileOf(tool, services.grants, { ...services, executed, closed: services.closed?.() }),
    () => services.onCall?.(tool),
  );
  if (!signal?.aborted) return room;
  // Cancelled while the room was made: the call itself would not hear of it any more.
  services.rooms.release(room);
  throw cancelled(signal.reason);
}

/** The room's answer, and what main did for it. */
interface RoomEnd {
  outcome: Outcome;
  /** Why the room did not answer itself. */
  unanswered?: ErrorInfo;
  /** What the commands of the call were understood to do. */
  analyses: CommandAnalysis[];
  programs: AuditedProgram[];
  artifacts: Artifact[];
}

async function callRoom(room: Room, call: RoomCall): Promise<RoomEnd> {
  const { tool, input, mode, options, services: { rooms } } = call;
  const { signal, onProgress, judged } = options;
  const times = timesOf(call);
  const end = Promise.withResolvers<never>();
  // A call may end before its time is up. Then its caller no longer waits.
  end.promise.catch(() => {});
  const programs = new AbortController();
  const served = serve(call, programs.signal);
  const timers: ReturnType<typeof setTimeout>[] = [];
  timers.push(setTimeout(() => programs.abort(timedOut(tool, times.timeoutMs)), times.timeoutMs));
  timers.push(setTimeout(() => end.reject(timedOut(tool, times.timeoutMs)), times.discardMs));
  const onAbort = () => {
    room.cancel();
    programs.abort(cancelled(signal?.reason));
    timers.push(setTimeout(() => end.reject(cancelled(signal?.reason)), times.graceMs));
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { timeoutMs, stopAfterMs } = times;
    const settings = settingsOf(call);
    const about = {
      tool: tool.full_name,
      input,
      mode,
      settings,
      ...namesOf(call),
      ...typeOf(tool),
      ...(judged && { judged }),
    };
    const message = { ...about, timeoutMs, stopAfterMs };
    const answered = room.call(message, { onProgress, onChange: served.onChange, answer: served.answer });
    const outcome = await Promise.race([answered, end.promise]);
    rooms.release(room);
    outcome.warnings.push(...served.warnings);
    return { outcome, ...served.done };
  } catch (error) {
    rooms.discard(room);
    const { outcome, unanswered } = failed(signal?.aborted ? cancelled(signal.reason) : error);
    outcome.warnings.push(...served.warnings);
    return { outcome, ...(unanswered && { unanswered }), ...served.done };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // Ends what the call started for itself.
    programs.abort(cancelled(undefined));
  }
}

function settingsOf({ tool, services: { settings } }: RoomCall): Record<string, string> {
  const isDeclared = ([name]: [string, string]) => tool.settings.includes(name);
  return Object.fromEntries(Object.entries(settings).filter(isDeclared));
}

function typeOf({ chosen_type: chosen, input_schema, output_schema }: ManifestEntry) {
  return chosen && { typed: { ...chosen, input: input_schema, output: output_schema } };
}

function namesOf({ tool, options: { names } }: RoomCall): { names?: Record<string, string> } {
  if (!names) return {};
  const lead = `${tool.toolset}/`;
  const ofSet = [...names].filter(([full]) => full.startsWith(lead));
  return { names: Object.fromEntries(ofSet.map(([full, name]) => [full.slice(lead.length), name])) };
}

/** When a call is to stop, and how long its end is waited for. */
function timesOf({ tool, services: { maxCallMs = LONGEST_MS } }: RoomCall) {
  const timeoutMs = Math.min(tool.limits.timeout_ms ?? LONGEST_MS, maxCallMs);
  if (tool.needs.run !== undefined) {
    const discardMs = timeoutMs + PROGRAM_GRACE_MS;
    return { timeoutMs, stopAfterMs: timeoutMs, discardMs, graceMs: PROGRAM_GRACE_MS };
  }
  const stopAfterMs = Math.max(timeoutMs - GRACE_MS, timeoutMs * 0.75);
  return { timeoutMs, stopAfterMs, discardMs: timeoutMs, graceMs: GRACE_MS };
}

/** What main does for one call while it runs. */
function serve({ tool, mode, options, services }: RoomCall, signal: AbortSignal) {
  const done: Pick<RoomEnd, "analyses" | "programs" | "artifacts"> = {
    analyses: [],
    programs: [],
    artifacts: [],
  };
  const warnings: string[] = [];
  const program: ProgramCall = {
    toolset: tool.toolset,
    interprets: tool.interprets,
    signal,
    onAnalysis: (analysis) => done.analyses.push(analysis),
    onProgram: (one) => done.programs.push(one),
    ...(options.onProgram && { onEvent: options.onProgram }),
    ...(options.onProgress &&
      { onOutput: (lines: string) => options.onProgress?.({ output: stripControls(lines) }) }),
    onArtifact: (artifact) => done.artifacts.push(artifact),
    // It may hold names that programs choose.
    warn: (message) => warnings.push(onOneLine(message)),
  };
  const asking = {
    tool,
    explains: mode === "explain",
    program,
    artifacts: new ArtifactWriter(services.artifacts, program.onArtifact),
    onProgress: options.onProgress,
    onQuestion: options.onQuestion,
  };
  const onChange = (change: FileChange) => {
    if (isInstructions(change.path)) warnings.push(onOneLine(instructionsChanged(change.path)));
    options.onChange?.(change);
  };
  return { answer: (ask: Ask) => answerAsk(ask, asking, services.answers), onChange, done, warnings };
}

function timedOut(tool: ManifestEntry, timeoutMs: number): ToolError {
  return new ToolError("timeout", `${tool.full_name} was stopped: it took longer than ${timeoutMs} ms`, {
    details: { timeout_ms: timeoutMs },
  });
}

/** The end of a call that its room did not answer. */
function failed(thrown: unknown): RoomEnd {
  const error = toToolError(thrown).toInfo();
  const nothing = { images: [], warnings: [], targets: [] };
  const outcome = { ok: false, result: null, text: error.message, error, ...nothing };
  return { outcome, unanswered: error, analyses: [], programs: [], artifacts: [] };
}
