import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { LONGEST_MS } from "../../wait/longest.ts";

/** How long a call has to come back after it was told to stop, in milliseconds; then its room is discarded. */
const GRACE_MS = 250;
/** The same for calls that start programs, which have to be ended and heard out; it comes after the limit. */
const PROGRAM_GRACE_MS = 900;

/** When a call is to stop, and how long its end is waited for. All in milliseconds. */
export interface CallTimes {
  timeoutMs: number;
  stopAfterMs: number;
  discardMs: number;
  graceMs: number;
}

/** Returns the times of a tool's calls. */
export function timesOf({ limits, needs }: ManifestEntry, maxCallMs = LONGEST_MS): CallTimes {
  const timeoutMs = Math.min(limits.timeout_ms ?? LONGEST_MS, maxCallMs);
  if (needs.run !== undefined) {
    const discardMs = timeoutMs + PROGRAM_GRACE_MS;
    return { timeoutMs, stopAfterMs: timeoutMs, discardMs, graceMs: PROGRAM_GRACE_MS };
  }
  const stopAfterMs = Math.max(timeoutMs - GRACE_MS, timeoutMs * 0.75);
  return { timeoutMs, stopAfterMs, discardMs: timeoutMs, graceMs: GRACE_MS };
}

/** Returns the error of a call whose time is up. */
export function timedOut(tool: ManifestEntry, timeoutMs: number): ToolError {
  return new ToolError("timeout", `${tool.full_name} was stopped: it took longer than ${timeoutMs} ms`, {
    details: { timeout_ms: timeoutMs },
  });
}
