import { ToolError } from "../../../schemas/error.ts";
import type { EngineSettings, LinkState, QueueEngine } from "../contract/engine.ts";
import type { EngineFeed, FromEngine, ToEngine, Verb } from "../contract/protocol.ts";

/** The part of a worker's global scope that an engine uses. */
export interface EngineScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromEngine, transfer: Transferable[]): void;
}

/** Opens one kind of engine. */
export type OpenEngine = (
  settings: EngineSettings,
  tell: (state: LinkState) => void,
) => Promise<QueueEngine>;

/** Answers the messages of main: the whole life of an engine's worker. */
export function serveEngine(open: OpenEngine, scope: EngineScope): void {
  const service = new EngineService(open, (message, sent) => scope.postMessage(message, buffersOf(sent)));
  scope.onmessage = ({ data }: MessageEvent<ToEngine>) => void service.receive(data);
}

type Post = (message: FromEngine, sent?: unknown) => void;

class EngineService {
  readonly #open: OpenEngine;
  readonly #post: Post;
  readonly #feeds = new Map<number, AsyncIterator<unknown>>();
  #engine: QueueEngine | null = null;

  constructor(open: OpenEngine, post: Post) {
    this.#open = open;
    this.#post = post;
  }

  async receive(message: ToEngine): Promise<void> {
    if (message.t === "open") return await this.#start(message.settings);
    if (message.t === "end") return await this.#end();
    const engine = this.#engine;
    if (!engine) return;
    const { id } = message;
    try {
      if (message.t === "ask") await this.#answer(engine, message);
      else if (message.t === "feed") this.#feeds.set(id, openFeed(engine, message.feed, message.args));
      else if (message.t === "next") await this.#give(id);
      else await this.#close(id);
    } catch (error) {
      this.#feeds.delete(id);
      this.#post({ t: "failed", id, error: infoOf(error) });
    }
  }

  async #start(settings: EngineSettings): Promise<void> {
    try {
      this.#engine = await this.#open(settings, (state) => this.#post({ t: "link", state }));
      this.#post({ t: "opened" });
    } catch (error) {
      this.#post({ t: "refused", error: infoOf(error) });
    }
  }

  async #answer(
    engine: QueueEngine,
    { id, verb, args }: { id: number; verb: Verb; args: readonly unknown[] },
  ): Promise<void> {
    const ask = engine[verb] as (...args: readonly unknown[]) => Promise<unknown>;
    const value = await ask.apply(engine, [...args]);
    this.#post({ t: "answer", id, value }, value);
  }

  async #give(id: number): Promise<void> {
    const feed = this.#feeds.get(id);
    if (!feed) return;
    const { done, value } = await feed.next();
    // It was closed while it waited.
    if (!this.#feeds.has(id)) return;
    if (done) this.#feeds.delete(id);
    if (done) this.#post({ t: "done", id });
    else this.#post({ t: "item", id, item: value }, value);
  }

  async #close(id: number): Promise<void> {
    const feed = this.#feeds.get(id);
    this.#feeds.delete(id);
    await feed?.return?.();
  }

  async #end(): Promise<void> {
    for (const id of [...this.#feeds.keys()]) await this.#close(id);
    await this.#engine?.[Symbol.asyncDispose]();
    this.#post({ t: "ended" });
  }
}

function openFeed(engine: QueueEngine, feed: EngineFeed, args: readonly unknown[]): AsyncIterator<unknown> {
  const open = engine[feed] as (...args: readonly unknown[]) => AsyncIterableIterator<unknown>;
  return open.apply(engine, [...args]);
}

function infoOf(error: unknown) {
  const failure = error instanceof ToolError
    ? error
    : new ToolError("internal", `The client of the queue failed: ${String(error)}`);
  return failure.toInfo();
}

/** Bodies are handed over, not copied: nobody here needs them any more. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  if (Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null || !("body" in value)) return [];
  return buffersOf(value.body);
}
