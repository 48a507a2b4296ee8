import type { WebAnswer } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";

const FIRST_PAUSE_MS = 500;
/** A server that asks for a longer pause, in milliseconds, is told to whoever asked. */
const LONGEST_PAUSE_MS = 5_000;
/** Answers that another time may be better ones. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns how long to wait before a request is made again; `null` if it should not be.
 *
 * @param outcome What the last attempt gave
 * @param again How often it was made again before
 * @param leftMs The time that is left: a server may ask for more than that, or than a few seconds
 */
export function pauseBefore(outcome: WebAnswer | ToolError, again: number, leftMs: number): number | null {
  const mayPass = outcome instanceof ToolError
    ? outcome.code === "external_failure" && outcome.retryable
    : PASSING.has(outcome.status);
  if (!mayPass) return null;
  const wanted = outcome instanceof ToolError
    ? null
    : askedPauseMs(outcome.headers["retry-after"], Date.now());
  // Others that failed at the same time shall not come back at the same time.
  const pause = wanted ?? FIRST_PAUSE_MS * 2 ** again * (0.75 + Math.random() / 2);
  return pause < leftMs && pause <= LONGEST_PAUSE_MS ? pause : null;
}

/** Reads `Retry-After`: seconds, or a date. */
export function askedPauseMs(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1_000;
  // The date parser accepts nearly any text, so this checks the form first.
  const date = /^\s*[A-Za-z]{3,9},?\s.*\d\d:\d\d/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
