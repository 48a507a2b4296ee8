// The messages of a request may hold pictures as base64 (`data`); the worker makes the provider's form of them all.
import type { Message } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import type {
  CompleteOptions,
  Model,
  ModelReply,
  ModelRequest,
  OfferedModel,
} from "../../schemas/agent/model.ts";
import { entryUrl } from "../self/entry_urls.ts";
import { startNetWorker } from "../self/net_worker.ts";
import type { FromModel, ModelSettings, ToModel } from "./protocol.ts";
import { type PresetName, presetOf } from "./providers/presets.ts";
import type { Quirks } from "./quirks/learn.ts";

/** What {@linkcode openModel} needs to know. */
export interface OpenModelOptions {
  /** For people and for the trace. */
  name: string;
  /** Names that the server may know the model by, best first. @default the name */
  names?: readonly string[];
  /** With its path, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** `""` if the model needs no key. */
  apiKey: string;
  /** Headers of every request besides the usual ones; their values count as secrets. @default no others */
  headers?: Readonly<Record<string, string>>;
  /** Whose server it is, if that is known. */
  provider?: PresetName | null;
  /** Longest time of a request with its reply, in milliseconds. */
  requestTimeoutMs: number;
  /** Longest silence within a reply, in milliseconds. @default 600_000 */
  idleTimeoutMs?: number;
  /** Fields of every request besides the usual ones, or in their place. */
  extraBody?: Readonly<Record<string, unknown>>;
  /** What is known of its server besides what is known of its provider. @default it is learned */
  quirks?: Readonly<Quirks>;
}

const IDLE_TIMEOUT_MS = 600_000;
/** Longest time until the worker has loaded its library, in milliseconds. */
const READY_MS = 20_000;

/**
 * Opens a model behind an OpenAI-compatible API. All that speaks with it is a worker that may reach its host and port
 * and nothing else. Needs `net` for that host until it has opened, and `read` of the program's own files.
 *
 * @throws {ToolError} `configuration` if the address is not valid; `permission_denied` if its host is not
 * allowed
 */
export async function openModel(options: OpenModelOptions): Promise<Model> {
  return await openWorker(options);
}

async function openWorker(options: OpenModelOptions): Promise<WorkerModel> {
  const { name, names: [sent = name, other = null] = [], baseUrl, apiKey, headers = {} } = options;
  const { extraBody = {}, quirks = {} } = options;
  const { requestTimeoutMs, idleTimeoutMs = IDLE_TIMEOUT_MS, provider = null } = options;
  const known = provider === null ? null : presetOf(provider);
  const host = hostOf(baseUrl);
  const model = new WorkerModel(name, startWorker(host));
  try {
    await model.open({
      name: sent,
      alias: { prefix: name.endsWith(sent) ? name.slice(0, name.length - sent.length) : "", other },
      baseUrl,
      apiKey,
      headers,
      ...(known?.list && { list: known.list }),
      requestTimeoutMs,
      idleTimeoutMs,
      extraBody,
      quirks: { ...known?.quirks, ...quirks },
    });
  } catch (error) {
    await model[Symbol.asyncDispose]();
    throw error;
  }
  return model;
}

/**
 * Asks a server which models it offers. The permissions are those of {@linkcode openModel}.
 *
 * @throws {ToolError} As {@linkcode openModel} and the model do
 */
export async function listOffered(
  options: OpenModelOptions,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  await using model = await openWorker(options);
  return await model.list(signal);
}

/** Returns host and port. */
function hostOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new ToolError(
      "configuration",
      "Cannot use the model's base URL: it must begin with http:// or https:// and hold no name and no password",
    );
  }
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
}

function startWorker(host: string): Worker {
  try {
    return startNetWorker(entryUrl("model"), [host]);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    throw new ToolError(
      "permission_denied",
      `Cannot reach the model: Deno was started without --allow-net=${host}`,
      { details: { kind: "net", target: host, flag: `--allow-net=${host}` }, cause: error },
    );
  }
}

/** A request that waits for its reply. */
interface Pending extends PromiseWithResolvers<ModelReply | readonly OfferedModel[]> {
  onText: ((delta: string) => void) | undefined;
  onRestart: (() => void) | undefined;
  onWarning: ((message: string) => void) | undefined;
}

class WorkerModel implements Model {
  readonly name: string;
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  readonly #pending = new Map<number, Pending>();
  #asked = 0;
  /** Of the last request: the worker keeps them, so that a round costs no copy of all that was said. */
  #sent: readonly Message[] = [];
  /** The reason why the model can no longer be asked. */
  #ended: ToolError | undefined;

  constructor(name: string, worker: Worker) {
    this.name = name;
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<FromModel>) => this.#receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(new ToolError("internal", `The model's client broke down: ${event.message}`));
    });
  }

  async open(settings: ModelSettings): Promise<void> {
    const late = new ToolError("internal", `The model's client did not start within ${READY_MS / 1_000} s`);
    const timer = setTimeout(() => this.#ready.reject(late), READY_MS);
    this.#send({ t: "open", settings });
    try {
      await this.#ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async complete(request: ModelRequest, options: CompleteOptions): Promise<ModelReply> {
    return await this.#answer((id) => this.#ask(id, request), options) as ModelReply;
  }

  /** Returns what the model's server offers. */
  async list(signal: AbortSignal): Promise<readonly OfferedModel[]> {
    return await this.#answer((id) => this.#send({ t: "list", id }), { signal }) as readonly OfferedModel[];
  }

  async #answer(ask: (id: number) => void, { signal, onText, onRestart, onWarning }: CompleteOptions) {
    throwIfAborted(signal);
    if (this.#ended) throw this.#ended;
    const id = ++this.#asked;
    const pending: Pending = {
      ...Promise.withResolvers<ModelReply | readonly OfferedModel[]>(),
      onText,
      onRestart,
      onWarning,
    };
    const onAbort = () => {
      this.#send({ t: "cancel", id });
      pending.reject(reasonOf(signal));
    };
    this.#pending.set(id, pending);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      ask(id);
      return await pending.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#pending.delete(id);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#end(new ToolError("cancelled", `The model ${this.name} is closed`));
    this.#worker.terminate();
    return Promise.resolve();
  }

  #ask(id: number, request: ModelRequest): void {
    const messages = [...request.messages];
    const kept = sharedLength(this.#sent, messages);
    this.#send({ t: "ask", id, request: { ...request, messages: messages.slice(kept) }, kept });
    this.#sent = messages;
  }

  #send(message: ToModel): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromModel): void {
    if (message.t === "ready") return this.#ready.resolve();
    const pending = this.#pending.get(message.id);
    if (message.t === "text") pending?.onText?.(message.delta);
    else if (message.t === "restart") pending?.onRestart?.();
    else if (message.t === "warning") pending?.onWarning?.(message.message);
    else if (message.t === "reply") pending?.resolve(message.reply);
    else if (message.t === "models") pending?.resolve(message.models);
    else {
      const { code, message: text, retryable, details } = message.error;
      pending?.reject(new ToolError(code, text, { retryable, details }));
    }
  }

  #end(error: ToolError): void {
    this.#ended ??= error;
    this.#ready.reject(error);
    // The caller may have stopped waiting.
    this.#ready.promise.catch(() => {});
    for (const pending of this.#pending.values()) pending.reject(error);
  }
}

/** Messages do not change: the same object says the same. */
function sharedLength(before: readonly Message[], now: readonly Message[]): number {
  const differs = now.findIndex((message, at) => message !== before[at]);
  return differs < 0 ? now.length : differs;
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

function reasonOf({ reason }: AbortSignal): ToolError {
  if (reason instanceof ToolError) return reason;
  return new ToolError("cancelled", "The request to the model was cancelled", { cause: reason });
}
