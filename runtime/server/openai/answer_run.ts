import type { HandlerAnswer } from "../contract/answer.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import type { Runs } from "../runs/runs.ts";
import { usageSince } from "../runs/used.ts";
import { toAgentId } from "./agent_id.ts";
import type { Begun } from "./continue_run.ts";
import type { MeantModel } from "./meant_model.ts";
import { type Detail, type Ending, endingOf } from "./run_ending.ts";
import { type RunStream, watchRun } from "./watch_run.ts";

/** How a run answers a request. */
export interface RunAnswer {
  begun: Begun;
  meant: MeantModel;
  /** The answer is one JSON text. */
  mustBeJson: boolean;
  /** `null` for an answer as a whole. */
  stream: RunStream | null;
  /** Returns the answer as a whole. */
  whole(ending: Extract<Ending, { kind: "answer" }>, detail: Pick<Detail, "state" | "usage">): unknown;
  signal: AbortSignal;
}

/** A failed run must not be started again by itself: clients ask again after most failures. */
const NO_RETRY = { "x-should-retry": "false" };

/** Answers a request by a run that has begun, as a whole or as a stream. */
export async function answerByRun(runs: Runs, answer: RunAnswer): Promise<HandlerAnswer> {
  const { begun, meant, mustBeJson, stream, signal } = answer;
  const agentId = toAgentId(begun.id);
  const headers = { "x-agent-id": agentId, "x-agent-model": meant.kind === "agent" ? meant.name : agentId };
  // A title is nobody's run. Nobody waits until it is away.
  const isBare = meant.kind === "agent" && meant.isBare;
  const leave = () => void (isBare && forget(runs, begun.id));
  if (stream === null) {
    const detail = await orAborted(runs.settled(begun.id, ["question"]), signal);
    leave();
    // Nobody reads the answer.
    if (detail === null) return { headers };
    const ending = endingOf(detail, mustBeJson);
    if (ending.kind === "failure") return failed(ending, headers);
    const { state, usage } = detail;
    return { headers, json: answer.whole(ending, { state, usage: usageSince(usage, begun.used) }) };
  }
  const { failure, pieces } = await watchRun({ runs, ...begun, stream, mustBeJson, signal });
  if (failure === null) {
    // Of a stream that nobody began to read nothing else tells the end.
    signal.addEventListener("abort", leave, { once: true });
    return { headers, stream: { pieces: thenLeave(pieces, leave), type: "text/event-stream" } };
  }
  leave();
  return failed(failure, headers);
}

function failed(
  { status, body }: Extract<Ending, { kind: "failure" }>,
  headers: Readonly<Record<string, string>>,
): HandlerAnswer {
  return { status, headers: { ...headers, ...NO_RETRY }, json: body };
}

async function forget(runs: Runs, id: string): Promise<void> {
  try {
    await runs.settled(id, ["question"]);
    await runs.remove(id);
  } catch {
    // It is gone, or the server ends: then it stays in the list.
  }
}

async function* thenLeave(pieces: AsyncIterable<string>, leave: () => void): AsyncGenerator<string> {
  try {
    yield* pieces;
  } finally {
    leave();
  }
}
