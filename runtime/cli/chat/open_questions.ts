import type { TraceLine } from "../../../schemas/agent/trace.ts";

/** Returns what a session waits for an answer to; nothing once somebody has answered. */
export function openQuestions(lines: readonly TraceLine[]): readonly string[] {
  const last = lines.findLast(({ t }) => t === "message" || t === "reply" || t === "end");
  return last?.t === "end" ? last.outcome.questions ?? [] : [];
}
