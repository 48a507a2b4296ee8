import type { AuditedProgram } from "../../schemas/audit.ts";
import type { CommandAnalysis } from "../../schemas/command.ts";
import type { FileChange } from "../../schemas/context.ts";
import type { ErrorInfo } from "../../schemas/error.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Connection } from "../../schemas/net.ts";
import type { Artifact, Place } from "../../schemas/result.ts";
import type { ProgramCall } from "../programs/process/program_host.ts";
import type { ExecutedLookup } from "../programs/git/executed_lookup.ts";
import type { Ask } from "../rooms/asks/ask.ts";
import { profileOf, type RoomModule } from "../rooms/profile.ts";
import type { Outcome } from "../rooms/protocol.ts";
import type { Room } from "../rooms/room.ts";
import type { RoomPool } from "../rooms/room_pool.ts";
import type { ArtifactFolder } from "../state/artifact_folder.ts";
import { ArtifactWriter } from "../state/artifact_writer.ts";
import type { ClosedPaths } from "../walls/box/bubblewrap.ts";
import { mapTexts } from "../text/map_texts.ts";
import { onOneLine, stripControls } from "../text/strip_controls.ts";
import { reachesNothing } from "../walls/net/net_rules.ts";
import { instructionsChanged, isInstructions } from "../walls/grants/protected_paths.ts";
import { answerAsk, type Answers } from "./answer_ask.ts";
import type { CallEnd, Carrier, CarrierOptions, Explanation } from "./catalog/carrier.ts";
import { cancelled, failedResult, toToolError } from "./failed_result.ts";
import { timedOut, timesOf } from "./room_call/call_times.ts";
import { tellTool } from "./room_call/tell_tool.ts";
import type { ToolDoor, ToolGate } from "./room_call/tool_gate.ts";
import { KeptAttributes } from "../walls/owned/kept_attributes.ts";

/** Tells what a call started for itself that the call is over. Made once: most calls have started nothing. */
const ENDED = cancelled(undefined);

/** What rooms need around them. */
export interface RoomServices {
  grants: Grants;
  /** The user's home folder, `""` if it is unknown. */
  home: string;
  rooms: RoomPool;
  artifacts: ArtifactFolder;
  /** Called when a call has begun and its room is on its way; `mode` as the room is told. */
  onCall?(tool: ManifestEntry, mode: "run" | "explain"): void;
  /** Answers what rooms ask. */
  answers: Answers;
  /** Opens the way to the network of tools that need it. */
  gate: ToolGate;
  /** What is special about some paths. @default names alone tell it */
  paths?: {
    /** Finds what the user's tools execute in the folders that calls may write. */
    executed: ExecutedLookup;
    /** What the programs that run beside calls must not reach. */
    closed(): ClosedPaths;
  };
  /** Variables of the user's environment; a tool is told those that it declares. */
  settings: Readonly<Record<string, string>>;
  /** Longest time of any call in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
}

/**
 * Makes the carrier of tools that run in rooms, the built-in ones above all: each call runs in a room that holds exactly what its tool needs and the user
 * granted.
 *
 * The room is asked to stop shortly before the limit and discarded at the limit, so the call ends within it. A program
 * has all of the limit, and its end comes within a second after it.
 *
 * @param module Where the tools are defined, if they are not built in
 */
export function makeRoomCarrier(services: RoomServices, module?: RoomModule): Carrier {
  const own = { services, module };
  return {
    call: (tool, input, options) => runCall({ tool, input, options, ...own, mode: "run" }),
    explain: (tool, input, options) => explainCall({ tool, input, options, ...own, mode: "explain" }),
  };
}

/** One call on its way through its room. */
interface RoomCall {
  tool: ManifestEntry;
  input: unknown;
  options: CarrierOptions;
  services: RoomServices;
  module: RoomModule | undefined;
  mode: "run" | "explain";
}

async function runCall(call: RoomCall): Promise<CallEnd> {
  const { tool, options: { signal } } = call;
  const started = performance.now();
  let place: Place = "none";
  let end: RoomEnd;
  try {
    const { room, door } = await openRoom(call);
    place = room.place;
    end = await callRoom(room, call, door);
  } catch (error) {
    end = failed(signal?.aborted ? cancelled(signal.reason) : error);
  }
  const { outcome, programs, artifacts } = end;
  const durationMs = Math.round(performance.now() - started);
  const { targets, ok, result, text, summary, images, warnings, error } = outcome;
  const facts = { targets, analyses: end.analyses, programs, connections: end.connections };
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
    const { room } = await openRoom(call);
    end = await callRoom(room, call, null);
  } catch (error) {
    end = failed(error);
  }
  const { targets, warnings, preview = null, error } = end.outcome;
  return { targets, analyses: end.analyses, warnings, preview, error: end.unanswered ?? error };
}

async function openRoom(
  { tool, services, module, options: { signal }, mode }: RoomCall,
): Promise<{ room: Room; door: ToolDoor | null }> {
  if (signal?.aborted) throw cancelled(signal.reason);
  const executed = tool.needs.write === undefined ? {} : await services.paths?.executed();
  const profile = profileOf(tool, services.grants, {
    ...services,
    executed,
    closed: services.paths?.closed(),
    module,
  });
  // A call that is only explained reaches nothing, and one without a grant is refused in its room.
  const door = profile.net === null || reachesNothing(profile.net) || mode === "explain"
    ? null
    : await services.gate.toolDoor(tool, profile.net);
  const room = await services.rooms.acquire(
    door === null ? profile : { ...profile, gate: { path: door.path, token: door.token } },
    () => services.onCall?.(tool, mode),
  );
  if (!signal?.aborted) return { room, door };
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
  connections: Connection[];
  artifacts: Artifact[];
}

async function callRoom(room: Room, call: RoomCall, door: ToolDoor | null): Promise<RoomEnd> {
  const name = door === null ? null : crypto.randomUUID();
  const end = await askRoom(room, call, name);
  if (door !== null && name !== null) end.connections.unshift(...await door.take(name));
  return end;
}

async function askRoom(room: Room, call: RoomCall, name: string | null): Promise<RoomEnd> {
  const { tool, input, mode, options, services: { rooms, settings, gate, maxCallMs } } = call;
  const { signal, onProgress, judged } = options;
  const times = timesOf(tool, maxCallMs);
  const end = Promise.withResolvers<never>();
  // A call may end before its time is up. Then its caller no longer waits.
  end.promise.catch(() => {});
  const programs = new AbortController();
  const mask = gate.maskOf(tool);
  // A service may tell the room its key in a form that the gate does not know.
  const masked = <T>(data: T): T => mask === null ? data : mapTexts(data, mask);
  const served = serve(call, programs.signal);
  const onTimeUp = () => {
    const why = timedOut(tool, times.timeoutMs);
    programs.abort(why);
    timers.push(setTimeout(() => end.reject(why), times.discardMs - times.timeoutMs));
  };
  const timers = [setTimeout(onTimeUp, times.timeoutMs)];
  const onAbort = () => {
    room.cancel();
    programs.abort(cancelled(signal?.reason));
    timers.push(setTimeout(() => end.reject(cancelled(signal?.reason)), times.graceMs));
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { timeoutMs, stopAfterMs } = times;
    const about = {
      tool: tool.full_name,
      input,
      mode,
      told: tellTool(tool, {
        ...{ settings, names: options.names, model: options.model },
        keys: gate.keysOf(tool),
      }),
      ...typeOf(tool),
      ...(judged && { judged }),
      ...(name !== null && { name }),
    };
    const message = { ...about, timeoutMs, stopAfterMs };
    const answered = room.call(message, {
      onProgress: onProgress && ((progress) => onProgress(masked(progress))),
      onChange: served.onChange,
      answer: (ask) => served.answer(masked(ask)),
    });
    const outcome = masked(await Promise.race([answered, end.promise]));
    rooms.release(room);
    outcome.warnings.push(...served.takeWarnings());
    return { outcome, ...served.done };
  } catch (error) {
    rooms.discard(room);
    const { outcome, unanswered } = failed(signal?.aborted ? cancelled(signal.reason) : error);
    outcome.warnings.push(...served.takeWarnings());
    return { outcome, ...(unanswered && { unanswered }), ...served.done };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // Ends what the call started for itself.
    programs.abort(ENDED);
  }
}

function typeOf({ chosen_type: chosen, input_schema, output_schema }: ManifestEntry) {
  return chosen && { typed: { ...chosen, input: input_schema, output: output_schema } };
}

/** What main does for one call while it runs. */
function serve({ tool, mode, options, services }: RoomCall, signal: AbortSignal) {
  const done: Pick<RoomEnd, "analyses" | "programs" | "connections" | "artifacts"> = {
    analyses: [],
    programs: [],
    connections: [],
    artifacts: [],
  };
  const warnings: string[] = [];
  const kept = new KeptAttributes();
  const program: ProgramCall = {
    toolset: tool.toolset,
    interprets: tool.interprets,
    signal,
    onAnalysis: (analysis) => done.analyses.push(analysis),
    onProgram: (one) => done.programs.push(one),
    onConnections: (connections) => done.connections.push(...connections),
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
    kept,
    onProgress: options.onProgress,
    onQuestion: options.onQuestion,
  };
  const onChange = (change: FileChange) => {
    if (isInstructions(change.path)) warnings.push(onOneLine(instructionsChanged(change.path)));
    options.onChange?.(change);
  };
  /** Called at the end. */
  const takeWarnings = () => [...warnings, ...kept.giveBack().map(onOneLine)];
  return { answer: (ask: Ask) => answerAsk(ask, asking, services.answers), onChange, done, takeWarnings };
}

/** The end of a call that its room did not answer. */
function failed(thrown: unknown): RoomEnd {
  const error = toToolError(thrown).toInfo();
  const nothing = { images: [], warnings: [], targets: [] };
  const outcome = { ok: false, result: null, text: error.message, error, ...nothing };
  return { outcome, unanswered: error, analyses: [], programs: [], connections: [], artifacts: [] };
}
