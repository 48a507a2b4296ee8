import { ToolError } from "../../../schemas/error.ts";
import type { Runs } from "../runs/runs.ts";
import { toAgentId } from "./agent_id.ts";
import type { ToldConversation } from "./read_messages.ts";
import type { Detail } from "./run_ending.ts";

/** A run that works for a client, and the number of the event before its work. */
export interface Begun {
  id: string;
  after: number;
  /** What it had used before. */
  used: Detail["usage"];
}

/** Returns the run of an id if it waits for an answer, `null` for all others and if there is none. */
export async function waitingRun(runs: Runs, id: string | null): Promise<Detail | null> {
  if (id === null) return null;
  try {
    const detail = await runs.get(id);
    return detail.state === "waiting" ? detail : null;
  } catch (error) {
    // The id may be of another server, or of a run that is gone.
    if (error instanceof ToolError && error.code === "not_found") return null;
    throw error;
  }
}

/**
 * Goes on with a run: what it asked is answered, and one that has ended gets a further task.
 *
 * @throws {ToolError} `conflict` while it works
 */
export async function continueRun(
  runs: Runs,
  detail: Detail,
  { prompt, images, client, traceparent }:
    & Pick<ToldConversation, "prompt" | "images">
    & { client: string; traceparent: string | undefined },
): Promise<Begun> {
  const { id, events: after, usage: used } = detail;
  if (detail.state === "waiting" && images.length === 0) {
    await runs.answer(id, answerTo(detail, prompt));
  } else if (detail.can.resume) {
    const more = { ...images.length > 0 && { images }, ...traceparent !== undefined && { traceparent } };
    await runs.resume(id, { prompt, client, ...more });
  } else {
    throw new ToolError(
      "conflict",
      `Agent ${toAgentId(id)} is at work (${detail.state}): wait for its end, or cancel it`,
    );
  }
  return { id, after, used };
}

/** Only a text that says nothing else is a consent: "Yes, but first…" is none. */
const CONSENT = /^\s*(once|yes|run|always)\s*[.!]?\s*$/i;

function answerTo({ id, questions }: Detail, text: string): Parameters<Runs["answer"]>[1] {
  const [question] = questions;
  if (question === undefined) return { answer: text };
  if (questions.length > 1 && questions.some(({ kind }) => kind === "consent")) {
    throw new ToolError(
      "conflict",
      `Run ${id} asks for ${questions.length} things at once: answer each on the server's page or by POST /runs/${id}/answer`,
    );
  }
  if (question.kind === "question") return { question: question.id, answer: text };
  const word = CONSENT.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return { question: question.id, consent: "no", reason: text };
  return { question: question.id, consent: word === "run" || word === "always" ? "run" : "once" };
}
