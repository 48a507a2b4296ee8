import type { Runs, RunWish } from "../runs/runs.ts";
import { type Begun, continueRun, waitingRun } from "./continue_run.ts";
import type { MeantModel } from "./meant_model.ts";
import type { ToldConversation } from "./read_messages.ts";

/** How long a run waits for consents, in seconds: its client waits as well, and may not know whom to ask. */
const CONSENT_SECONDS = 120;

/** What a client asks an agent for. */
export interface AskedOfAgent {
  /** The `model` as the client wrote it. */
  model: string | null;
  meant: MeantModel;
  conversation: ToldConversation;
  /** Whose turn it is, if runs wait. */
  client: string;
  /** Where it stands in the client's trace. @default nowhere */
  traceparent?: string | undefined;
  /** Absolute path. @default the server's */
  workspace?: string | undefined;
  /** The answer is JSON of this schema. */
  schema?: Record<string, unknown> | undefined;
  /** Fields of every request to the model besides the usual ones. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** What is kept of a request besides its run. */
export interface RequestTrace {
  /** The folder that was made for the run; absent if it works elsewhere. */
  workspace?: string;
  /** Tells which run it became. */
  begun(id: string): void;
}

/** Keeps a trace of requests that start runs. */
export type TraceRequest = (asked: Pick<AskedOfAgent, "model" | "meant" | "workspace">) => RequestTrace;

/**
 * Starts a run, or goes on with one: with the run that the client names, or with the one that its conversation names last if
 * that waits for an answer.
 *
 * @throws {ToolError} As `Runs` does
 */
export async function beginRun(
  runs: Runs,
  trace: TraceRequest | undefined,
  asked: AskedOfAgent,
): Promise<Begun> {
  const {
    meant,
    conversation: { prompt, before, images, run },
    client,
    traceparent,
    schema,
    extraBody,
    signal,
  } = asked;
  const more = { prompt, images, client, traceparent };
  if (meant.kind === "run") return await continueRun(runs, await runs.get(meant.id), more);
  const waiting = meant.isBare ? null : await waitingRun(runs, run);
  if (waiting !== null) return await continueRun(runs, waiting, more);
  const kept = meant.isBare ? undefined : trace?.(asked);
  const workspace = asked.workspace ?? kept?.workspace;
  const request: RunWish = {
    ...{ prompt, client, ask: false, consentSeconds: CONSENT_SECONDS, gone: signal },
    ...traceparent !== undefined && { traceparent },
    ...meant.agent !== undefined && { agent: meant.agent },
    ...meant.model !== undefined && { model: meant.model },
    ...meant.isBare && { grants: { tools: [] } },
    ...before !== "" && { before },
    ...images.length > 0 && { images },
    ...workspace !== undefined && { workspace },
    ...schema && { output_schema: schema },
    ...extraBody && { extraBody },
  };
  const { id } = await runs.start(request);
  kept?.begun(id);
  return { id, after: 0, used: null };
}
