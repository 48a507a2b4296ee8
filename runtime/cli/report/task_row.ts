import type { TaskAnswer } from "../../queue/tasks/answer_task.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { clip, showResult, showTime } from "../show/show_call.ts";
import { cutEnd } from "../show/tables/columns.ts";
import { type BatchAnswer, failureReason, verdictOf } from "./batch_call.ts";

const STYLES = { ok: "32", asks: "33", refused: "33", failed: "31", stopped: "31" } as const;
/** Longest id that is shown, in characters. */
const MAX_ID = 40;

/** Returns a task as a person reads it: a row, and why it failed below. */
export function renderTaskRow(
  { answer, call }: { answer: TaskAnswer; call: BatchAnswer },
  { width, colorful }: { width: number; colorful: boolean },
): string {
  const verdict = answer.termination_reason === "waiting_for_clarification" ? "asks" : verdictOf(call);
  const cost = answer.usage?.cost ?? null;
  const used = [showTime(answer.duration_ms), ...cost === null ? [] : [`$${cost.toFixed(4)}`]].join(", ");
  const id = clip(onOneLine(String(answer.id)), MAX_ID);
  const row = `${id} (${used})${call.met ? `: ${showResult(call.result)}` : ""}`;
  const word = verdict.padEnd(7);
  const head = `${colorful ? `\x1b[${STYLES[verdict]}m${word}\x1b[0m` : word} ${cutEnd(row, width - 8)}\n`;
  return call.met ? head : `${head}        ${failureReason(call)}\n`;
}
