import { type BatchAnswer, failureReason, verdictOf } from "./batch_call.ts";
import { cutEnd } from "../show/tables/columns.ts";
import { showCall, showResult, showTime } from "../show/show_call.ts";

const STYLES = { ok: "32", refused: "33", failed: "31", stopped: "31" } as const;

/** Returns a call of a batch as a person reads it: a row, and why it failed below. */
export function renderRow(call: BatchAnswer, options: { width: number; colorful: boolean }): string {
  const { id, toolName, input, result, met } = call;
  const { width, colorful } = options;
  const verdict = verdictOf(call);
  const paint = (style: string, text: string) => colorful ? `\x1b[${style}m${text}\x1b[0m` : text;
  const time = showTime(result.metadata.duration_ms);
  const what = met ? `(${time}): ${showResult(result)}` : `(${time})`;
  const named = toolName === "" ? "" : ` ${showCall(toolName, input)}`;
  const row = `${verdict.padEnd(7)} ${
    cutEnd(`${showCall(String(id), undefined)}${named} ${what}`, width - 8)
  }`;
  const head = `${paint(STYLES[verdict], row.slice(0, 7))}${row.slice(7)}\n`;
  return met ? head : `${head}        ${failureReason(call)}\n`;
}
