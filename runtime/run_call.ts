import type { Target } from "../schemas/access.ts";
import { type ErrorInfo, ToolError } from "../schemas/error.ts";
import type { Progress } from "../schemas/context.ts";
import type { Grants } from "../schemas/grants.ts";
import type { ManifestEntry } from "../schemas/manifest.ts";
import type { Place, ToolResult } from "../schemas/result.ts";
import type { Outcome } from "./messages.ts";
import { profileOf } from "./profile.ts";
import type { Room, RoomPool } from "./rooms.ts";
import { stripControls } from "./strip_controls.ts";

/** What every call of a run shares. */
export interface Machine {
  grants: Grants;
  home: string;
  rooms: RoomPool;
  /** Longest time of any call in milliseconds, below the tool's own limit. */
  maxCallMs?: number;
}

/** Options of {@linkcode runCall}. */
export interface RunCallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** How long a call has to come back after it was told to stop, in milliseconds; then its room is discarded. */
const GRACE_MS = 250;

/**
 * Runs one call behind its walls. Never rejects: every end, also a bug, is a {@linkcode ToolResult}.
 *
 * The room is asked to stop shortly before the limit and discarded at the limit, so the call ends within it.
 */
export async function runCall(
  entry: ManifestEntry,
  input: unknown,
  options: RunCallOptions & { machine: Machine },
): Promise<ToolResult> {
  const started = performance.now();
  let place: Place = "none";
  let outcome: Outcome;
  try {
    const room = await openRoom(entry, options);
    place = room.place;
    outcome = await callRoom(room, { entry, input, options, mode: "run" });
  } catch (error) {
    const aborted = options.signal?.aborted ?? false;
    outcome = failed(toInfo(aborted ? cancelled(options.signal?.reason) : error), entry);
  }
  const { ok, result, text, images, warnings, error } = outcome;
  const metadata = { duration_ms: Math.round(performance.now() - started), place };
  return { tool_name: entry.full_name, ok, result, text, images, artifacts: [], warnings, error, metadata };
}

/** What a call would touch and whether it would be let, without running it. */
export interface Explanation {
  targets: Target[];
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
  const room = await machine.rooms.acquire(profileOf(entry, machine.grants, machine.home));
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

async function callRoom(room: Room, { entry, input, options, mode }: RoomCall): Promise<Outcome> {
  const { machine, signal, onProgress } = options;
  const timeoutMs = Math.min(entry.limits.timeout_ms, machine.maxCallMs ?? Infinity);
  const stopAfterMs = Math.max(timeoutMs - GRACE_MS, timeoutMs * 0.75);
  const stop = Promise.withResolvers<never>();
  // A call may end, and nobody be left to hear, before its time is up.
  stop.promise.catch(() => {});
  const limit = setTimeout(() => stop.reject(timedOut(entry, timeoutMs)), timeoutMs);
  let grace: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    room.cancel();
    grace = setTimeout(() => stop.reject(cancelled(signal?.reason)), GRACE_MS);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const call = room.call({ tool: entry.full_name, input, timeoutMs, stopAfterMs, mode }, onProgress);
    const outcome = await Promise.race([call, stop.promise]);
    machine.rooms.release(room);
    return outcome;
  } catch (error) {
    machine.rooms.discard(room);
    throw error;
  } finally {
    clearTimeout(limit);
    clearTimeout(grace);
    signal?.removeEventListener("abort", onAbort);
  }
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
function failed(error: ErrorInfo, entry: ManifestEntry): Outcome {
  const text = stripControls(`${entry.error_lead}${error.message}`);
  return { ok: false, result: null, text, images: [], warnings: [], error, targets: [] };
}
