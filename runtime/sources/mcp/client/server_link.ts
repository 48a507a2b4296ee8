import { ToolError } from "../../../../schemas/error.ts";
import type { Connection } from "../../../../schemas/net.ts";
import { cancelled } from "../../../calls/failed_result.ts";
import { entryUrl } from "../../../self/entry_urls.ts";
import { VERSION } from "../../../self/version.ts";
import { startWorker } from "../../../self/start_worker.ts";
import { Backlog } from "../../../wait/backlog.ts";
import { settlesWithin } from "../../../wait/settles_within.ts";
import type {
  ChangedList,
  ClientSettings,
  ClientWay,
  FromClient,
  ServerAsk,
  ServerFacts,
  ServerQuestion,
  ToClient,
} from "../wire/protocol.ts";
import type { PortDoor } from "../../../net/open_gate.ts";
import { type ClientAskOptions, PendingAsks } from "./pending_asks.ts";
import { LoginDesk } from "./login_desk.ts";
import type { RemotePlan } from "./remote_plan.ts";
import type { McpWire, OpenWire, WireEnd } from "../wire/mcp_wire.ts";

/** How a server is reached, and what it may ask for. */
export interface ClientPlan {
  open: OpenWire | RemotePlan;
  offers: ClientSettings["offers"];
  /**
   * Answers a question of the server, in the form of the protocol.
   *
   * @throws {ToolError} Whose message the server gets
   */
  answer(
    question: ServerQuestion,
    options: { signal: AbortSignal },
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Hears that a list of the server is another one. */
  onChanged(list: ChangedList): void;
}

/** From so many bytes that the worker has not taken in, no more is read from the server. */
const HIGH_WATER = 1024 * 1024;
/** How long the worker may take to say goodbye, in milliseconds. */
const CLOSING_MS = 500;
/** Longest wait for a person's answer, in milliseconds. */
const PERSON_MS = 300_000;

/**
 * Main's side of the worker that speaks with one server. Messages of errors are parts of sentences whose subject is the
 * server. Close it with `await using`: the server ends with it.
 */
export class ServerLink implements AsyncDisposable {
  readonly #plan: ClientPlan;
  readonly #worker: Worker;
  readonly #asks: PendingAsks;
  readonly #questions = new Map<number, AbortController>();
  readonly #opened = Promise.withResolvers<ServerFacts>();
  readonly #goodbye = Promise.withResolvers<void>();
  #wire: McpWire | undefined;
  #door: PortDoor | undefined;
  #logins: LoginDesk | undefined;
  #end: ToolError | null = null;
  /** Bytes that the worker has not taken in. */
  readonly #backlog = new Backlog(HIGH_WATER);
  #closing: Promise<void> | undefined;

  private constructor(plan: ClientPlan) {
    this.#plan = plan;
    this.#asks = new PendingAsks((id) => this.#post({ t: "cancel", id }));
    // Somebody may wait for only one of them.
    this.#opened.promise.catch(() => {});
    this.#worker = startWorker(entryUrl("mcp_client"), "none");
    this.#worker.onmessage = ({ data }: MessageEvent<FromClient>) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new ToolError("internal", `the worker that speaks with it failed: ${event.message}`));
    };
  }

  /**
   * Starts a server and greets it. Needs what its wire needs.
   *
   * @throws {ToolError} If it does not start, does not answer, or does not speak the protocol
   */
  static async open(plan: ClientPlan, { signal }: { signal: AbortSignal }): Promise<ServerLink> {
    const client = new ServerLink(plan);
    const onAbort = () => client.#fail(cancelled(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      // Reading the worker's code and starting the server take their time beside each other.
      if (typeof plan.open === "function") await client.#openWire(plan.open, signal);
      else await client.#openRemote(plan.open);
      await client.#opened.promise;
      return client;
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw signal.aborted ? withNoise(cancelled(signal.reason), client.#wire?.noise?.() ?? "") : error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #openWire(open: OpenWire, signal: AbortSignal): Promise<void> {
    this.#wire = await open({ signal });
    this.#read(this.#wire);
    this.#begin({ kind: "wire" });
  }

  async #openRemote(plan: RemotePlan): Promise<void> {
    const { way, door, kept } = plan;
    this.#logins = new LoginDesk(plan, (message) => this.#post(message));
    const known = await kept();
    const opened = this.#door = await door();
    opened.ended.then(() => this.#fail(new ToolError("unavailable", "the way to it has ended")));
    this.#begin({ ...way, token: opened.token, kept: known }, [opened.port]);
  }

  #begin(way: ClientWay, memory: Transferable[] = []): void {
    const { offers } = this.#plan;
    this.#post({ t: "open", settings: { name: "bulkhead", version: VERSION, way, offers } }, memory);
  }

  /** What was connected to since this was asked the last time. */
  async connections(): Promise<readonly Connection[]> {
    return await this.#door?.take(null) ?? await this.#wire?.connections?.() ?? [];
  }

  /** What the server said of itself. */
  async facts(): Promise<ServerFacts> {
    return await this.#opened.promise;
  }

  /** Why it can be asked nothing any more, `null` if it can. */
  get end(): ToolError | null {
    return this.#end;
  }

  /** Somebody waits for an answer. */
  get isBusy(): boolean {
    return this.#asks.size > 0;
  }

  /**
   * Asks the server, and returns its answer in the form of the protocol.
   *
   * @throws {ToolError} `timeout`, `cancelled`, `unavailable` if it ended, and what it answered
   */
  async ask(ask: ServerAsk, options: ClientAskOptions): Promise<unknown> {
    if (options.signal.aborted) throw cancelled(options.signal.reason);
    if (this.#end !== null) throw this.#end;
    return await this.#asks.add(options, (id) => {
      this.#post({ t: "ask", id, ask, wantsProgress: options.onProgress !== undefined });
    });
  }

  /** Tells the server that the folders of the client are others. */
  tellRoots(): void {
    this.#post({ t: "roots" });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#fail(new ToolError("cancelled", "the run is over"));
    this.#post({ t: "close" });
    // The last of them ends first, and each ends whatever becomes of the others.
    await using parts = new AsyncDisposableStack();
    parts.defer(() => this.#worker.terminate());
    parts.defer(async () => void await this.#door?.close());
    parts.use(this.#logins);
    await Promise.all([
      settlesWithin(this.#goodbye.promise, CLOSING_MS),
      this.#wire?.[Symbol.asyncDispose](),
    ]);
  }

  #post(message: ToClient, memory: Transferable[] = []): void {
    this.#worker.postMessage(message, memory);
  }

  async #read(wire: McpWire): Promise<void> {
    try {
      for await (const bytes of wire.messages) {
        if (this.#end !== null) return;
        this.#backlog.add(bytes.length + 1);
        this.#post({ t: "message", bytes }, [bytes.buffer]);
        await this.#backlog.room();
      }
    } catch (error) {
      this.#fail(new ToolError("unavailable", `its pipe cannot be read: ${error}`));
    }
    this.#fail(endOf(await wire.ended));
  }

  #hear(message: FromClient): void {
    if (message.t === "send") this.#wire?.send(message.message);
    else if (message.t === "taken") this.#backlog.take(message.bytes);
    else if (message.t === "opened") this.#opened.resolve(message.server);
    else if (message.t === "unopened") this.#opened.reject(ofInfo(message.error));
    else if (message.t === "answer") this.#asks.get(message.id)?.resolve(message.answer);
    else if (message.t === "failed") this.#failed(message.id, ofInfo(message.error));
    else if (message.t === "progress") this.#asks.get(message.id)?.onProgress?.(message.progress);
    else if (message.t === "question") this.#answer(message.id, message.question);
    else if (message.t === "withdrawn") this.#questions.get(message.id)?.abort();
    else if (message.t === "changed") this.#plan.onChanged(message.list);
    else if (message.t === "lost") this.#fail(new ToolError("unavailable", message.why));
    else if (message.t === "closed") this.#goodbye.resolve();
    else this.#logins?.hear(message);
  }

  /** Only who asked knows that the server did nothing with the request; others wait for answers that do not come. */
  #failed(id: number, error: ToolError): void {
    this.#asks.get(id)?.reject(error);
    if (error.details.not_taken === true) this.#fail(new ToolError(error.code, error.message));
  }

  async #answer(id: number, question: ServerQuestion): Promise<void> {
    const withdrawn = new AbortController();
    this.#questions.set(id, withdrawn);
    const isForPerson = question.kind !== "roots";
    try {
      if (isForPerson) this.#asks.hold(1);
      const signal = AbortSignal.any([withdrawn.signal, AbortSignal.timeout(PERSON_MS)]);
      const answer = await this.#plan.answer(question, { signal });
      this.#post({ t: "told", id, answer });
    } catch (error) {
      const message = error instanceof ToolError ? error.message : "the client failed";
      this.#post({ t: "refused", id, message });
    } finally {
      this.#questions.delete(id);
      if (isForPerson) this.#asks.hold(-1);
    }
  }

  #fail(error: ToolError): void {
    if (this.#end !== null) return;
    this.#end = error;
    this.#opened.reject(error);
    this.#asks.rejectAll(error);
    for (const question of this.#questions.values()) question.abort();
    this.#backlog.end();
  }
}

/** A server that is not ready in time may have said why. */
function withNoise(error: ToolError, noise: string): ToolError {
  if (error.code !== "timeout" || noise === "") return error;
  const { code, message, retryable, details } = error;
  return new ToolError(code, `${message}; ${noise}`, { retryable, details, cause: error });
}

function ofInfo({ code, message, retryable, details }: ReturnType<ToolError["toInfo"]>): ToolError {
  return new ToolError(code, message, { retryable, details });
}

function endOf({ why, said }: WireEnd): ToolError {
  return said === ""
    ? new ToolError("unavailable", why)
    : new ToolError("unavailable", `${why}; it said: ${said}`, { details: { said } });
}
