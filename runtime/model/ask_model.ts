import type { AgentLimits } from "../../schemas/agent/agent.ts";
import { ToolError } from "../../schemas/error.ts";
import type { CompleteOptions, Model, ModelReply, ModelRequest } from "../../schemas/agent/model.ts";

/** A try that failed, and when the next one comes. */
export interface Retry {
  /** Number of the try that failed, from 1. */
  n: number;
  max: number;
  wait_ms: number;
  code: string;
  message: string;
}

/** What {@linkcode askModel} needs. */
export interface AskModelOptions extends CompleteOptions {
  model: Model;
  limits: Pick<AgentLimits, "tries">;
  /** The end of all waiting, in milliseconds on the clock of `now`. */
  deadline: number;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
  /** Called before the wait: the caller must discard the text that came so far. */
  onRetry?: (retry: Retry) => void;
}

/** Most tries of a request that is not answered in time: each one may be paid for. */
const SILENT_TRIES = 2;
/** Longest wait that the server did not ask for, in seconds. */
const MAX_WAIT = 30;
const SECONDS = 1_000;

/**
 * Asks a model, again after a while for as long as it fails in a way that can pass. It waits as long as the server
 * asks, else longer each time. A request that is not answered in time is repeated once.
 *
 * @throws {ToolError} As the model's last failure
 */
export async function askModel(request: ModelRequest, options: AskModelOptions): Promise<ModelReply> {
  const { model, limits, deadline, now, sleep, onRetry, random, ...rest } = options;
  const { signal } = rest;
  let silences = 0;
  for (let n = 1;; n++) {
    signal.throwIfAborted();
    try {
      return await model.complete(request, rest);
    } catch (error) {
      if (signal.aborted || !(error instanceof ToolError) || !error.retryable || n >= limits.tries) {
        throw error;
      }
      if (error.code === "timeout" && ++silences >= SILENT_TRIES) throw error;
      const wait_ms = waitMs(error, n, random);
      if (now() + wait_ms >= deadline) throw error;
      onRetry?.({ n, max: limits.tries, wait_ms, code: error.code, message: error.message });
      await sleep(wait_ms, signal);
    }
  }
}

function waitMs({ details: { retry_after_ms: asked } }: ToolError, n: number, random: () => number): number {
  if (typeof asked === "number") return asked;
  return Math.round(Math.min(2 ** (n - 1) + random(), MAX_WAIT) * SECONDS);
}
