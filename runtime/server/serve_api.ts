import type { ErrorInfo } from "../../schemas/error.ts";
import { ToolError } from "../../schemas/error.ts";
import type { HandlerAnswer, Handlers } from "./contract/answer.ts";
import type {
  AnswerBody,
  AskedOperation,
  AskId,
  FromListener,
  ListenSettings,
  ToListener,
} from "./contract/protocol.ts";
import type { ListenerWorker } from "./start_listener.ts";

/** What {@linkcode serveApi} needs. */
export interface ApiOptions {
  settings: Omit<ListenSettings, "operations">;
  handlers: Handlers;
  /** Ends the server. */
  signal: AbortSignal;
  /** Called once clients can connect. */
  onReady(port: number): void;
  warn(message: string): void;
}

/** How long the worker may take beyond its own time to say goodbye to its clients, in milliseconds. */
const CLOSING_MS = 5_000;

/**
 * Answers clients of the server's API until the signal aborts. The worker has checked each request; nothing but plain data
 * comes from it.
 *
 * @returns Why it ended, `null` if that is no failure
 */
export async function serveApi(started: ListenerWorker, options: ApiOptions): Promise<ErrorInfo | null> {
  const { signal } = options;
  using api = new Api(started, options);
  const onAbort = () => api.close();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await api.closed;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** A request that is being answered, or a stream that is being read. */
interface Open {
  gone: AbortController;
  pieces?: AsyncIterator<string>;
}

/** Main's side of the worker. */
class Api implements Disposable {
  readonly #worker: Worker;
  readonly #options: ApiOptions;
  readonly #open = new Map<AskId, Open>();
  readonly #end = Promise.withResolvers<ErrorInfo | null>();
  #isClosing = false;

  constructor({ worker, early }: ListenerWorker, options: ApiOptions) {
    this.#worker = worker;
    this.#options = options;
    worker.onmessage = ({ data }: MessageEvent<FromListener>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end.resolve(new ToolError("internal", `The server broke down: ${event.message}`).toInfo());
    };
    this.#send({
      t: "open",
      settings: { ...options.settings, operations: Object.keys(options.handlers) },
    });
    for (const message of early.splice(0)) this.#receive(message);
  }

  /** Settles when nothing is served any more. */
  get closed(): Promise<ErrorInfo | null> {
    return this.#end.promise;
  }

  /** Takes no more requests, and lets those end that are at work. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#send({ t: "close" });
    const late = setTimeout(() => this.#end.resolve(null), CLOSING_MS);
    this.#end.promise.finally(() => clearTimeout(late));
  }

  [Symbol.dispose](): void {
    for (const id of this.#open.keys()) this.#leave(id);
    this.#worker.terminate();
  }

  #send(message: ToListener): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromListener): void {
    const { onReady, warn } = this.#options;
    if (message.t === "ready") onReady(message.port);
    else if (message.t === "warning") warn(message.message);
    else if (message.t === "closed") this.#end.resolve(message.error);
    else if (message.t === "gone") this.#leave(message.id);
    else if (message.t === "ask") this.#answer(message.id, message.asked);
    else this.#pull(message.id);
  }

  async #answer(id: AskId, { operation, ...request }: AskedOperation): Promise<void> {
    const gone = new AbortController();
    const open: Open = { gone };
    this.#open.set(id, open);
    try {
      const handler = this.#options.handlers[operation];
      if (!handler) throw new ToolError("not_found", `There is no operation ${operation}`);
      const answer = await handler({ ...request, signal: gone.signal });
      if (answer.stream) open.pieces = answer.stream.pieces[Symbol.asyncIterator]();
      // Nobody is there to read it.
      if (gone.signal.aborted) return void end(open);
      if (!answer.stream) this.#open.delete(id);
      const { status = 200, headers = {} } = answer;
      this.#send({ t: "answer", id, status, headers, body: bodyOf(answer) });
    } catch (error) {
      this.#open.delete(id);
      if (!gone.signal.aborted) this.#fail(id, error);
    }
  }

  async #pull(id: AskId): Promise<void> {
    const open = this.#open.get(id);
    if (!open?.pieces) return;
    try {
      const { done, value } = await open.pieces.next();
      if (done) this.#open.delete(id);
      if (!open.gone.signal.aborted) this.#send({ t: "piece", id, text: done ? null : value });
    } catch (error) {
      this.#open.delete(id);
      if (!open.gone.signal.aborted) this.#fail(id, error);
    }
  }

  /** What is no error of the closed list is a defect: its words may tell of the machine, and go to the user alone. */
  #fail(id: AskId, error: unknown): void {
    if (error instanceof ToolError) return this.#send({ t: "failed", id, error: error.toInfo() });
    const said = error instanceof Error ? error.message : String(error);
    this.#options.warn(`A request could not be answered: ${said}`);
    const info = new ToolError("internal", "The server could not answer: this is a defect of bulkhead")
      .toInfo();
    this.#send({ t: "failed", id, error: info });
  }

  #leave(id: AskId): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.gone.abort(new ToolError("cancelled", "The client has gone"));
    end(open);
  }
}

function end({ pieces }: Open): void {
  // How it ends is nobody's matter any more.
  pieces?.return?.().catch(() => {});
}

function bodyOf({ json, bytes, stream }: HandlerAnswer): AnswerBody {
  if (stream) return { kind: "stream", type: stream.type };
  if (bytes) return { kind: "bytes", ...bytes };
  return json === undefined ? { kind: "empty" } : { kind: "json", text: JSON.stringify(json) };
}
