import { ToolError } from "../../../../schemas/error.ts";
import type { Connection } from "../../../../schemas/net.ts";
import { toToolError } from "../../../calls/failed_result.ts";
import { orAborted } from "../../../wait/or_aborted.ts";
import type { ChangedList, ServerAsk } from "../wire/protocol.ts";
import { type ListedTool, readTools } from "../tools/read_tools.ts";
import { CallTime } from "./call_time.ts";
import type { ClientAskOptions } from "./pending_asks.ts";
import { type ClientPlan, ServerLink } from "./server_link.ts";

/** What a session is made with. */
export interface SessionPlan extends Omit<ClientPlan, "onChanged"> {
  /** The server's name in messages. */
  name: string;
  /** Longest time until the server has started, was greeted, and has listed its tools, in milliseconds. */
  startMs: number;
  warn(message: string): void;
}

/** A server that ends again and again is not started more often than this within a minute. */
const MAX_STARTS = 5;
const MINUTE_MS = 60_000;

/** A server that runs, and what it said about its tools. */
interface Running {
  link: ServerLink;
  /** What it says now about each tool, by name; `null` if it must be asked. */
  said: { tools: Map<string, ListedTool> | null };
}

/**
 * A server for the time of a run: one that has ended is started again for the next call. What it said about its tools at
 * first holds for the run: a tool that is described in another way later cannot be called. Close it with `await using`.
 */
export class ServerSession implements AsyncDisposable {
  readonly name: string;
  readonly #plan: SessionPlan;
  readonly #closing = new AbortController();
  readonly #starts: number[] = [];
  #first: Map<string, ListedTool> | null = null;
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
      const { link } = await this.#inTime(this.#prepare(ask), options);
      return await link.ask(ask, options);
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** Where a remote server was connected to since this was asked the last time. */
  async connections(): Promise<readonly Connection[]> {
    // A server that starts is not waited for.
    return await this.#ready?.link.connections() ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new ToolError("cancelled", "the run is over"));
    const running = await this.#running?.catch(() => null);
    await running?.link[Symbol.asyncDispose]();
    await this.#ended;
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
    if (running && running.link.end === null) return running;
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
    // Another caller may have started it anew while this one waited.
    if (this.#running === asked) this.#running = this.#start(running ?? null);
    return await this.#running!;
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
      const said: Running["said"] = { tools: null };
      const onChanged = (list: ChangedList) => {
        if (list === "tools") said.tools = null;
      };
      const link = await ServerLink.open({ ...this.#plan, onChanged }, { signal });
      const running = { link, said };
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
    const { link } = running;
    const { has } = await link.facts();
    const answer = has.tools
      ? await link.ask({ method: "tools/list" }, options)
      : { items: [], isCut: false };
    const { tools, problems } = readTools(answer);
    const listed = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#first === null) {
      this.#first = listed;
      for (const problem of problems) this.#plan.warn(`server "${this.name}": ${problem}`);
    } else this.#tellNew(listed);
    return running.said.tools = listed;
  }

  /** What is new has been offered to nobody. */
  #tellNew(listed: Map<string, ListedTool>): void {
    const added = [...listed.keys()].filter((name) => !this.#first!.has(name));
    if (added.length === 0) return;
    const names = added.slice(0, 5).map((name) => JSON.stringify(name)).join(", ");
    this.#plan.warn(`server "${this.name}" has more tools than before (${names}): the next run has them too`);
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
