import type { Machine } from "./machine.ts";
import type { Target } from "../../schemas/access.ts";
import type { AuditedProgram } from "../../schemas/audit.ts";
import type { CommandAnalysis } from "../../schemas/command.ts";
import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import type { Progress } from "../../schemas/context.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Artifact, Place, ToolResult } from "../../schemas/result.ts";
import { ArtifactWriter } from "../state/artifact_writer.ts";
import { answerAsk } from "./answer_ask.ts";
import type { CallControl } from "./control.ts";
import type { Outcome } from "../rooms/protocol.ts";
import type { PersonAsk } from "../rooms/asks/person.ts";
import type { DocumentAsk } from "../rooms/asks/documents.ts";
import type { Ask } from "../rooms/asks/ask.ts";
import { orAborted } from "../wait/or_aborted.ts";
import { profileOf } from "../rooms/profile.ts";
import type { ProgramCall } from "../programs/process/program_host.ts";
import { readDocument } from "../rooms/read_document.ts";
import type { Room } from "../rooms/room.ts";
import { onOneLine, stripControls } from "../text/strip_controls.ts";

/** Longest time that a timer takes, in milliseconds: some weeks. */
const LONGEST_MS = 2 ** 31 - 1;

/** Options of {@linkcode runCall}. */
export interface RunCallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Hears of the tool's own questions to a person. */
  onQuestion?: (state: "asked" | "answered") => void;
  /** Takes what is known of the call beside its result, once, before the result is there. */
  onFacts?: (facts: CallFacts) => void;
}

/** What a call touched and started. */
export interface CallFacts {
  targets: Target[];
  analyses: CommandAnalysis[];
  programs: AuditedProgram[];
}

/** How long a call has to come back after it was told to stop, in milliseconds; then its room is discarded. */
const GRACE_MS = 250;
/** The same for calls that start programs, which have to be ended and heard out; it comes after the limit. */
const PROGRAM_GRACE_MS = 900;

/**
 * Runs one call behind its walls. Never rejects: every end, also a bug, is a {@linkcode ToolResult}.
 *
 * The room is asked to stop shortly before the limit and discarded at the limit, so the call ends within it. A program
 * has all of the limit, and its end comes within a second after it.
 */
export async function runCall(
  entry: ManifestEntry,
  input: unknown,
  options: RunCallOptions & { machine: Machine },
): Promise<ToolResult> {
  const started = performance.now();
  let place: Place = "none";
  let outcome: CallEnd;
  try {
    const room = await openRoom(entry, options);
    place = room.place;
    outcome = await callRoom(room, { entry, input, options, mode: "run" });
  } catch (error) {
    const aborted = options.signal?.aborted ?? false;
    outcome = failed(toInfo(aborted ? cancelled(options.signal?.reason) : error), entry);
  }
  const { ok, result, text, images, artifacts, warnings, error } = outcome;
  options.onFacts?.({ targets: outcome.targets, analyses: outcome.analyses, programs: outcome.programs });
  const metadata = { duration_ms: Math.round(performance.now() - started), place };
  return { tool_name: entry.full_name, ok, result, text, images, artifacts, warnings, error, metadata };
}

/** What a call would touch and whether it would be let, without running it. */
export interface Explanation {
  targets: Target[];
  analyses: CommandAnalysis[];
  warnings: string[];
  error: ErrorInfo | null;
}

/** Does everything of a call up to the check of its targets. Never rejects. */
export async function explainCall(
  entry: ManifestEntry,
  input: unknown,
  options: { machine: Machine; signal?: AbortSignal },
): Promise<Explanation> {
  try {
    const room = await openRoom(entry, options);
    return await callRoom(room, { entry, input, options, mode: "explain" });
  } catch (error) {
    return failed(toInfo(error), entry);
  }
}

async function openRoom(
  entry: ManifestEntry,
  { machine, signal }: RunCallOptions & { machine: Machine },
): Promise<Room> {
  if (signal?.aborted) throw cancelled(signal.reason);
  const room = await machine.rooms.acquire(profileOf(entry, machine.grants, machine));
  if (!signal?.aborted) return room;
  // Cancelled while the room was made: the call itself would not hear of it any more.
  machine.rooms.release(room);
  throw cancelled(signal.reason);
}

interface RoomCall {
  entry: ManifestEntry;
  input: unknown;
  options: RunCallOptions & { machine: Machine };
  mode: "run" | "explain";
}

/** The room's answer, and what main did for it. */
interface CallEnd extends Outcome {
  programs: AuditedProgram[];
  artifacts: Artifact[];
}

async function callRoom(room: Room, { entry, input, options, mode }: RoomCall): Promise<CallEnd> {
  const { machine, signal, onProgress } = options;
  const times = timesOf(entry, machine);
  const end = Promise.withResolvers<never>();
  // A call may end, and nobody be left to hear, before its time is up.
  end.promise.catch(() => {});
  const programs = new AbortController();
  const served = serve(entry, machine, { ...options, signal: programs.signal, mode });
  const timers: ReturnType<typeof setTimeout>[] = [];
  timers.push(setTimeout(() => programs.abort(timedOut(entry, times.timeoutMs)), times.timeoutMs));
  timers.push(setTimeout(() => end.reject(timedOut(entry, times.timeoutMs)), times.discardMs));
  const onAbort = () => {
    room.cancel();
    programs.abort(cancelled(signal?.reason));
    timers.push(setTimeout(() => end.reject(cancelled(signal?.reason)), times.graceMs));
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { timeoutMs, stopAfterMs } = times;
    const call = {
      tool: entry.full_name,
      input,
      timeoutMs,
      stopAfterMs,
      mode,
      settings: settingsOf(entry, machine),
    };
    const answered = room.call(call, { onProgress, answer: served.answer });
    const outcome = await Promise.race([answered, end.promise]);
    machine.rooms.release(room);
    outcome.warnings.push(...served.warnings);
    return { ...outcome, programs: served.programs, artifacts: served.artifacts };
  } catch (error) {
    machine.rooms.discard(room);
    const why = signal?.aborted ? cancelled(signal.reason) : error;
    const { programs: started, artifacts, warnings } = served;
    return { ...failed(toInfo(why), entry), programs: started, artifacts, warnings };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // Nothing that the call started for itself outlives it.
    programs.abort(cancelled(undefined));
  }
}

function settingsOf(entry: ManifestEntry, { settings }: Machine): Record<string, string> {
  const isDeclared = ([name]: [string, string]) => entry.settings.includes(name);
  return Object.fromEntries(Object.entries(settings).filter(isDeclared));
}

/** When a call is to stop, and how long its end is waited for. */
function timesOf(entry: ManifestEntry, machine: Machine) {
  const timeoutMs = Math.min(entry.limits.timeout_ms ?? LONGEST_MS, machine.maxCallMs ?? LONGEST_MS);
  if (entry.needs.run !== undefined) {
    const discardMs = timeoutMs + PROGRAM_GRACE_MS;
    return { timeoutMs, stopAfterMs: timeoutMs, discardMs, graceMs: PROGRAM_GRACE_MS };
  }
  const stopAfterMs = Math.max(timeoutMs - GRACE_MS, timeoutMs * 0.75);
  return { timeoutMs, stopAfterMs, discardMs: timeoutMs, graceMs: GRACE_MS };
}

/** What main does for one call while it runs. */
function serve(
  entry: ManifestEntry,
  { session, programs, rooms, artifacts: folder, dispatch }: Machine,
  { signal, mode, onProgress, onQuestion }: RunCallOptions & { signal: AbortSignal; mode: RoomCall["mode"] },
) {
  const started: AuditedProgram[] = [];
  const artifacts: Artifact[] = [];
  const warnings: string[] = [];
  const call: ProgramCall = {
    toolset: entry.toolset,
    signal,
    onProgram: (program) => started.push(program),
    onArtifact: (artifact) => artifacts.push(artifact),
    // Names that programs choose stand in it.
    warn: (message) => warnings.push(onOneLine(message)),
  };
  const writer = new ArtifactWriter(folder, call.onArtifact);
  const reading = { rooms, artifacts: writer, onProgress, warn: call.warn, signal };
  const sources = {
    session,
    programs,
    call,
    artifacts: writer,
    readDocument: entry.needs.read === undefined ? null : (ask: DocumentAsk) => readDocument(ask, reading),
    mayAsk: entry.asks,
    askPerson: asker(entry, dispatch, { signal, onQuestion }),
    mayRun: entry.needs.run !== undefined,
    explains: mode === "explain",
  };
  const answer = (ask: Ask) => answerAsk(ask, sources);
  return { answer, programs: started, artifacts, warnings };
}

/** Takes the questions of a tool to a person; they end with the call. */
function asker(
  entry: ManifestEntry,
  dispatch: CallControl | undefined,
  { signal, onQuestion }: { signal: AbortSignal; onQuestion: RunCallOptions["onQuestion"] },
): ((ask: PersonAsk) => Promise<string | null>) | null {
  const askPerson = dispatch?.ask;
  if (!askPerson) return null;
  return async ({ question, context }) => {
    onQuestion?.("asked");
    try {
      const answer = await orAborted(
        askPerson({ tool: entry.full_name, question, context }, { signal }),
        signal,
      );
      if (signal.aborted) throw signal.reason;
      return answer;
    } finally {
      onQuestion?.("answered");
    }
  };
}

function timedOut(entry: ManifestEntry, timeoutMs: number): ToolError {
  return new ToolError("timeout", `${entry.full_name} was stopped: it took longer than ${timeoutMs} ms`, {
    details: { timeout_ms: timeoutMs },
  });
}

function cancelled(reason: unknown): ToolError {
  return reason instanceof ToolError
    ? reason
    : new ToolError("cancelled", "The call was cancelled", { cause: reason });
}

function toInfo(error: unknown): ErrorInfo {
  if (error instanceof ToolError) return error.toInfo();
  if (error instanceof Deno.errors.NotCapable) return outerRefusal(error).toInfo();
  const message = error instanceof Error ? error.message : String(error);
  return new ToolError("internal", message, { cause: error }).toInfo();
}

/** From source the flags of the outer Deno bind as well: a room cannot hold what its process was not given. */
function outerRefusal(error: Error): ToolError {
  return new ToolError(
    "permission_denied",
    `Deno itself was started without a permission that this call needs (${error.message}): start it with the flags ` +
      "of the start task in deno.json",
    { cause: error },
  );
}

/** The outcome of a call that its tool could not answer itself, worded as the tool words its failures. */
function failed(error: ErrorInfo, entry: ManifestEntry): CallEnd {
  const text = stripControls(`${entry.error_lead}${error.message}`);
  const nothing = { images: [], artifacts: [], warnings: [], targets: [], analyses: [], programs: [] };
  return { ok: false, result: null, text, error, ...nothing };
}
