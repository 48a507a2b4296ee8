import { ToolError } from "../../../../../schemas/error.ts";
import type { GateFetch } from "../../../../net/port/fetch_over_port.ts";
import { MAX_SERVER_MESSAGE } from "../../wire/mcp_wire.ts";

/** How many bytes of a refusal are read. */
const MAX_REFUSAL = 64 * 1024;
/** Longest silence within an answer that is no stream of events, in milliseconds. */
const SILENCE_MS = 60_000;
/** Most answers that are open at once: the oldest one gives way. */
const MAX_OPEN = 64;
const LF = 10;
const CR = 13;

/** What requests to a server get. */
export interface FetchRules {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Hears why a request failed here or at the gate: some clients tell it to nobody. */
  onFailure(error: ToolError): void;
}

/**
 * Bounds what a server answers: in the bytes of a message, and in silence. Its headers go to its own origin alone, and to
 * a place of its own they do not win over what the protocol says.
 */
export function boundedFetch(fetch: GateFetch, { url, headers, onFailure }: FetchRules): GateFetch {
  const { origin } = new URL(url);
  const open = new Set<AbortController>();
  return async (target, init = {}) => {
    const sent = new Headers(init.headers);
    if (new URL(target).origin === origin) {
      for (const [name, value] of Object.entries(headers)) if (!sent.has(name)) sent.set(name, value);
    }
    const abort = new AbortController();
    const onAbort = () => abort.abort(init.signal?.reason);
    if (init.signal?.aborted) onAbort();
    init.signal?.addEventListener("abort", onAbort, { once: true });
    const end = () => {
      init.signal?.removeEventListener("abort", onAbort);
      open.delete(abort);
    };
    try {
      makeRoom(open);
      open.add(abort);
      const response = await fetch(target, { ...init, headers: sent, signal: abort.signal });
      if (response.body === null) end();
      return response.body === null
        ? response
        : boundedAnswer(response, response.body, { abort, end, onFailure });
    } catch (error) {
      end();
      if (error instanceof ToolError) onFailure(error);
      throw error;
    }
  };
}

function makeRoom(open: Set<AbortController>): void {
  for (const oldest of open) {
    if (open.size < MAX_OPEN) return;
    open.delete(oldest);
    oldest.abort(new ToolError("limit_exceeded", `it has more than ${MAX_OPEN} answers open`));
  }
}

function boundedAnswer(
  response: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { abort, end, onFailure }: Pick<FetchRules, "onFailure"> & { abort: AbortController; end: () => void },
): Response {
  const { status, headers, ok } = response;
  const isEvents = ok && /^\s*text\/event-stream\b/i.test(headers.get("content-type") ?? "");
  const reader = body.getReader();
  const count = isEvents ? new EventCounter() : { bytes: 0, add: plainAdd };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    end();
  };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (!isEvents) timer = setTimeout(() => abort.abort(silent()), SILENCE_MS);
      try {
        const { done, value } = await reader.read();
        clearTimeout(timer);
        if (done) {
          close();
          return controller.close();
        }
        count.add(value);
        if (!ok && count.bytes > MAX_REFUSAL) {
          controller.enqueue(value.subarray(0, value.length - (count.bytes - MAX_REFUSAL)));
          controller.close();
          return abort.abort();
        }
        if (count.bytes > MAX_SERVER_MESSAGE) throw tooLong();
        controller.enqueue(value);
      } catch (error) {
        close();
        abort.abort(error);
        if (error instanceof ToolError) onFailure(error);
        controller.error(error);
      }
    },
    async cancel(reason) {
      close();
      await reader.cancel(reason).catch(() => {});
    },
  }, { highWaterMark: 0 });
  return new Response(stream, { status, headers });
}

interface ByteCounter {
  bytes: number;
  add(piece: Uint8Array): void;
}

function plainAdd(this: ByteCounter, piece: Uint8Array): void {
  this.bytes += piece.length;
}

/** Counts the bytes since the last event has ended: by an empty line. */
class EventCounter implements ByteCounter {
  bytes = 0;
  #isLineEmpty = true;

  add(piece: Uint8Array): void {
    let from = 0;
    for (let end = piece.indexOf(LF); end >= 0; end = piece.indexOf(LF, from)) {
      const isEmpty = this.#isLineEmpty && (end === from || (end === from + 1 && piece[from] === CR));
      this.bytes = isEmpty ? 0 : this.bytes + end + 1 - from;
      this.#isLineEmpty = true;
      from = end + 1;
    }
    const rest = piece.length - from;
    this.bytes += rest;
    if (rest > 1 || (rest === 1 && piece[from] !== CR)) this.#isLineEmpty = false;
  }
}

function tooLong(): ToolError {
  return new ToolError("external_failure", `it sent a message of more than ${MAX_SERVER_MESSAGE} bytes`, {
    retryable: false,
  });
}

function silent(): ToolError {
  return new ToolError("timeout", `it stopped in its answer: nothing came for ${SILENCE_MS / 1_000} seconds`);
}
