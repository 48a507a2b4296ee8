import type { ToolContext } from "../../../schemas/context.ts";

/** If the call's time ends at most this much earlier, no warning is needed. */
const TOLERANCE_SECONDS = 0.5;

/** Returns how long a program may run, in seconds: as asked, or the rest of the call's time, with a warning. */
export function boundSeconds(asked: number, context: Pick<ToolContext, "deadline" | "warn">): number {
  const left = Math.max(0, (context.deadline - Date.now()) / 1000);
  if (asked <= left + TOLERANCE_SECONDS) return asked;
  const seconds = roundSeconds(left);
  context.warn(`timeout ${asked} was lowered to ${seconds} seconds, the longest time of this call`);
  return seconds;
}

/** Returns a time for people, in seconds: short ones with a decimal; never zero. */
export function roundSeconds(seconds: number): number {
  return Math.max(0.1, seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds));
}
