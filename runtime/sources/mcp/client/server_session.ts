import { ToolError } from "../../../../schemas/error.ts";
import type { Connection } from "../../../../schemas/net.ts";
import { toToolError } from "../../../calls/failed_result.ts";
import { orAborted } from "../../../wait/or_aborted.ts";
import type { ChangedList, ServerAsk } from "../wire/protocol.ts";
import { type ListedTool, MAX_TOOLS, readTools } from "../tools/read_tools.ts";
import { CallTime } from "./call_time.ts";
import { ListRest } from "./list_rest.ts";
import type { ClientAskOptions } from "./pending_asks.ts";
import { type ClientPlan, ServerLink } from "./server_link.ts";

/** What a session is made with. */
export interface SessionPlan extends Omit<ClientPlan, "onChanged"> {
  /** The server's name in messages. */
  name: string;
  /** Longest time until the server has started, was greeted, and has listed its tools, in milliseconds. */
  startMs: number;
  /** Longest time of a list that changed while the run goes on, in milliseconds. @default 5_000 */
  listMs?: number | undefined;
  /** Longest wait for a sign of life of a server that left a request without an answer, in milliseconds. @default 2_000 */
  signMs?: number | undefined;
  /** Called when the server may have more tools: {@linkcode ServerSession.added} tells. */
  onMore(): void;
  warn(message: string): void;
}

/** A server that ends again and again is not started more often than this within a minute. */
const MAX_STARTS = 5;
const MINUTE_MS = 60_000;
/** A run that goes on waits for this. */
const LIST_MS = 5_000;
/** The next call waits for this. */
const SIGN_MS = 2_000;
/** Most sentences about lists that changed. */
const MAX_TOLD = 20;

/** A server that runs, and what it said about its tools. */
interface Running {
  link: ServerLink;
  /** What it says now about each tool, by name; `null` if it must be asked. */
  said: { tools: Map<string, ListedTool> | null; changes: number };
  /** It left a request without an answer: it may hang. */
  isDoubted: boolean;
  /** Whether it gives the sign of life that it was asked for; all callers share one. */
  sign: Promise<boolean> | null;
}

/**
 * A server for the time of a run: one that has ended, or that hangs, is started again for the next call. What it said about a tool at
 * first holds for the run: one that is described in another way later cannot be called. Close it with `await using`.
 */
export class ServerSession implements AsyncDisposable {
  readonly name: string;
  readonly #plan: SessionPlan;
  readonly #closing = new AbortController();
  readonly #starts: number[] = [];
  readonly #rest = new ListRest();
  readonly #told = new Set<string>();
  #first: Map<string, ListedTool> | null = null;
  /** The list whose new tools were taken last. */
  #taken: Map<string, ListedTool> | null = null;
  #waking: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<Running> | undefined;
  /** The last one that was started. */
  #ready: Running | null = null;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(plan: SessionPlan) {
    this.#plan = plan;
    this.name = plan.name;
  }

  /**
   * Returns the tools of the server, as it described them at first.
   *
   * @throws {ToolError} If it does not start, or does not tell
   */
  async tools(): Promise<readonly ListedTool[]> {
    await this.#run();
    return [...(this.#first ?? new Map<string, ListedTool>()).values()];
  }

  /**
   * Returns the tools that the server has added since this was asked the last time, each once in a run. It is asked only
   * if it said that its list is another one. Never rejects.
   *
   * @param isWanted Says by its name whether a tool counts
   */
  async added(isWanted: (name: string) => boolean): Promise<readonly ListedTool[]> {
    const running = await this.#running?.catch(() => null);
    if (!running || running.link.end !== null || this.#first === null) return [];
    if (running.said.tools !== null) return this.#takeNew(running.said.tools, isWanted);
    const waitMs = this.#rest.take();
    if (waitMs > 0) {
      this.#tell("it changes its tools again and again, so it is not asked for them each time");
      this.#wakeIn(waitMs);
      return [];
    }
    try {
      const { signal } = this.#closing;
      const time = new CallTime(this.#plan.listMs ?? LIST_MS);
      return this.#takeNew(await this.#list(running, { signal, time }), isWanted);
    } catch (error) {
      if (this.#closing.signal.aborted) return [];
      this.#rest.fail();
      this.#wakeIn(this.#rest.take());
      this.#tell(`it did not tell its new tools: ${toToolError(error).message}`);
      return [];
    }
  }

  /** What the server can be asked for besides its tools. */
  async has(): Promise<{ resources: boolean; prompts: boolean }> {
    const { link } = await this.#run();
    return (await link.facts()).has;
  }

  /**
   * Asks the server, which is started again if it has ended.
   *
   * @throws {ToolError} That names the server
   */
  async ask(ask: ServerAsk, options: ClientAskOptions): Promise<unknown> {
    try {
      return await this.#askOnce(ask, options).catch((error) => {
        // A session that the server has forgotten is opened anew.
        if (toToolError(error).details.not_taken !== true) throw error;
        return this.#askOnce(ask, options);
      });
    } catch (error) {
      throw this.#named(error);
    }
  }

  async #askOnce(ask: ServerAsk, options: ClientAskOptions): Promise<unknown> {
    const running = await this.#inTime(this.#prepare(ask), options);
    return await this.#askRunning(running, ask, options);
  }

  /** Where a remote server was connected to since this was asked the last time. */
  async connections(): Promise<readonly Connection[]> {
    // A server that starts is not waited for.
    return await this.#ready?.link.connections() ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new ToolError("cancelled", "the run is over"));
    clearTimeout(this.#waking);
    const running = await this.#running?.catch(() => null);
    await running?.link[Symbol.asyncDispose]();
    await this.#ended;
  }

  /** What was given up may go on in the server, and keep it from all that comes after. */
  async #askRunning(running: Running, ask: ServerAsk, options: ClientAskOptions): Promise<unknown> {
    try {
      return await running.link.ask(ask, options);
    } catch (error) {
      if (["timeout", "cancelled"].includes(toToolError(error).code)) running.isDoubted = true;
      throw error;
    }
  }

  async #prepare(ask: ServerAsk): Promise<Running> {
    const running = await this.#run();
    if (ask.method === "tools/call") await this.#requireSame(ask.name, running);
    return running;
  }

  /** Others may wait for the same: it goes on without a call that does not wait any more. */
  async #inTime<T>(work: Promise<T>, { signal, time }: ClientAskOptions): Promise<T> {
    const { promise: over, reject } = Promise.withResolvers<never>();
    time.start(reject);
    try {
      const done = await orAborted(Promise.race([work, over]), signal);
      if (done === null) throw signal.reason;
      return done;
    } finally {
      time.stop();
    }
  }

  /** All callers share one start, so none of them can end it. */
  async #run(): Promise<Running> {
    const asked = this.#running;
    const running = await asked?.catch(() => null);
    if (running && running.link.end === null && await this.#isAlive(running)) return running;
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
    // Another caller may have started it anew while this one waited.
    if (this.#running === asked) this.#running = this.#start(running ?? null);
    return await this.#running!;
  }

  async #isAlive(running: Running): Promise<boolean> {
    if (!running.isDoubted) return true;
    const isAlive = await (running.sign ??= this.#givesSign(running));
    running.sign = null;
    return isAlive;
  }

  /** Nobody loses an answer: a server that others wait for goes on. */
  async #givesSign(running: Running): Promise<boolean> {
    const time = new CallTime(this.#plan.signMs ?? SIGN_MS);
    try {
      await running.link.ask({ method: "ping" }, { signal: this.#closing.signal, time });
    } catch (error) {
      if (toToolError(error).code === "timeout") {
        if (running.link.isBusy) return true;
        this.#tell("it hung after a request that it left without an answer, so it was started again");
        return false;
      }
    }
    // A server that does not know the question answers, too.
    running.isDoubted = false;
    return true;
  }

  async #start(last: Running | null): Promise<Running> {
    if (last) this.#ended = last.link[Symbol.asyncDispose]();
    this.#requireRest();
    const { startMs } = this.#plan;
    const start = new AbortController();
    const { signal } = start;
    const timer = setTimeout(() => start.abort(tooSlow(startMs)), startMs);
    // One that has started is closed, and not ended by force.
    const onClose = () => start.abort(this.#closing.signal.reason);
    this.#closing.signal.addEventListener("abort", onClose);
    try {
      const said: Running["said"] = { tools: null, changes: 0 };
      const onChanged = (list: ChangedList) => {
        if (list !== "tools") return;
        said.changes++;
        said.tools = null;
        this.#plan.onMore();
      };
      const link = await ServerLink.open({ ...this.#plan, onChanged }, { signal });
      const running: Running = { link, said, isDoubted: false, sign: null };
      try {
        await this.#list(running, { signal, time: new CallTime(startMs) });
      } catch (error) {
        await link[Symbol.asyncDispose]();
        throw error;
      }
      return this.#ready = running;
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener("abort", onClose);
    }
  }

  #requireRest(): void {
    const now = Date.now();
    const recent = this.#starts.filter((time) => now - time < MINUTE_MS);
    this.#starts.splice(0, this.#starts.length, ...recent, now);
    if (recent.length < MAX_STARTS) return;
    this.#starts.pop();
    throw new ToolError("unavailable", `it ended ${recent.length} times within a minute: try again later`);
  }

  async #list(running: Running, options: ClientAskOptions): Promise<Map<string, ListedTool>> {
    const { link, said } = running;
    const { has } = await link.facts();
    const { changes } = said;
    const answer = has.tools
      ? await link.ask({ method: "tools/list" }, options)
      : { items: [], isCut: false };
    const { tools, problems } = readTools(answer);
    const listed = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#first === null) {
      this.#first = listed;
      this.#taken = listed;
    } else if ([...listed.keys()].some((name) => !this.#first!.has(name))) this.#plan.onMore();
    for (const problem of problems) this.#tell(problem);
    // What has changed again meanwhile must be asked again.
    if (said.changes === changes) said.tools = listed;
    return listed;
  }

  #takeNew(
    listed: Map<string, ListedTool>,
    isWanted: (name: string) => boolean,
  ): readonly ListedTool[] {
    if (this.#taken === listed) return [];
    this.#taken = listed;
    const first = this.#first!;
    const added = [...listed.values()].filter(({ name }) => !first.has(name) && isWanted(name));
    const taken = added.slice(0, Math.max(0, MAX_TOOLS - first.size));
    for (const tool of taken) first.set(tool.name, tool);
    if (taken.length < added.length) {
      this.#tell(`a run takes ${MAX_TOOLS} of its tools: what it adds from now on is left out`);
    }
    return taken;
  }

  /** A server may find something new to complain about each time. */
  #tell(message: string): void {
    if (this.#told.has(message) || this.#told.size > MAX_TOLD) return;
    this.#told.add(message);
    const said = this.#told.size > MAX_TOLD ? "there is more to tell about its tools" : message;
    this.#plan.warn(`server "${this.name}": ${said}`);
  }

  /** Whoever was not told now is told then. */
  #wakeIn(ms: number): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#waking);
    this.#waking = setTimeout(() => this.#plan.onMore(), ms);
  }

  /** The user and the model agreed to what the server said at first. */
  async #requireSame(name: string, running: Running): Promise<void> {
    const { startMs } = this.#plan;
    const signal = this.#closing.signal;
    const now = (running.said.tools ?? await this.#list(running, { signal, time: new CallTime(startMs) }))
      .get(name);
    if (now === undefined) throw new ToolError("not_found", `it has no tool "${name}" any more`);
    if (now.mark === this.#first?.get(name)?.mark) return;
    throw new ToolError(
      "conflict",
      `it describes its tool "${name}" in another way than at first, so the call is not made: begin a new run to see how`,
    );
  }

  #named(error: unknown): ToolError {
    const { code, message, retryable, details } = toToolError(error);
    if (code === "cancelled") return toToolError(error);
    return new ToolError(code, `Server "${this.name}" failed: ${message}`, {
      retryable,
      details: { ...details, server: this.name },
      cause: error,
    });
  }
}

function tooSlow(startMs: number): ToolError {
  return new ToolError("timeout", `it was not ready within ${startMs / 1000} seconds`, {
    details: { timeout_ms: startMs },
  });
}
