import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import { failedResult, toToolError } from "../../calls/failed_result.ts";
import type { CallMachines } from "../../server/calls/call_machines.ts";
import type { Served } from "../../server/contract/served.ts";
import type { Runs } from "../../server/runs/runs.ts";
import type { QueueEngine, TakenOrder } from "../contract/engine.ts";
import type { LeftFile, Order, OrderAnswer, OrderTold } from "../orders/orders.ts";
import { readOrder, toBody } from "../orders/read_orders.ts";
import { gaveUp, lostOrder } from "../submit/no_answer.ts";
import { type CallOrder, doCall } from "./do_call.ts";
import { doTask, type TaskOrder } from "./do_task.ts";
import { keepLeftFiles, keepRunFiles } from "./left_files.ts";

/** What orders are done with. */
export interface OrderBench {
  engine: QueueEngine;
  /** Id of the worker. */
  worker: string;
  machines: CallMachines;
  runs: Runs;
  served: Served;
  /** Hears of each order that has come out, and how long it took, in milliseconds. */
  onDone(done: { order: TakenOrder; error: ErrorInfo | null; ms: number }): void;
}

/** An order that is at work here. */
interface Running {
  /** As it was taken last: one whose lease was over comes once more. */
  taken: TakenOrder;
  stop: AbortController;
  /** The lowest number that no other order at work has. */
  slot: number;
  /** It may have changed something that a second beginning could change once more. */
  isUnsafe: boolean;
  /** Settles when a beginning is recorded that the work did not wait for. */
  recorded: Promise<unknown>;
  /** Nobody wants it any more. */
  isCancelled: boolean;
}

/** Most events on their way at once; others are left out. */
const MAX_TOLD = 64;

/** Does the orders that a worker has taken, each once. */
export class OrderWorker {
  readonly #bench: OrderBench;
  readonly #running = new Map<string, Running>();
  #done = 0;
  #failed = 0;
  #told = 0;
  #idle: PromiseWithResolvers<void> | null = null;
  /** Called when an order begins or ends. */
  onChange: () => void = () => {};

  constructor(bench: OrderBench) {
    this.#bench = bench;
  }

  /** What the worker's card says of its work. */
  get count(): { busy: number; done: number; failed: number } {
    return { busy: this.#running.size, done: this.#done, failed: this.#failed };
  }

  /** Resolves when nothing is at work. */
  get idle(): Promise<void> {
    return this.#idle?.promise ?? Promise.resolve();
  }

  /** Begins an order. */
  take(taken: TakenOrder): void {
    const key = `${taken.job}/${taken.number}`;
    const already = this.#running.get(key);
    if (already) {
      already.taken = taken;
      return;
    }
    const slots = new Set([...this.#running.values()].map(({ slot }) => slot));
    let slot = 0;
    while (slots.has(slot)) slot++;
    const running: Running = {
      taken,
      stop: new AbortController(),
      slot,
      isUnsafe: false,
      recorded: Promise.resolve(),
      isCancelled: false,
    };
    this.#running.set(key, running);
    this.#idle ??= Promise.withResolvers();
    this.onChange();
    void this.#do(running).finally(() => {
      this.#running.delete(key);
      if (this.#running.size === 0) {
        this.#idle?.resolve();
        this.#idle = null;
      }
      this.onChange();
    });
  }

  /** Ends the orders of a job that are at work. */
  stopJob(job: string, reason: ToolError): void {
    for (const running of this.#running.values()) {
      if (running.taken.job !== job) continue;
      running.isCancelled = true;
      running.stop.abort(reason);
    }
  }

  /** Ends all orders that are at work. */
  stopAll(reason: ToolError): void {
    for (const { stop } of this.#running.values()) stop.abort(reason);
  }

  /** Never rejects: an engine that refuses everything has told it elsewhere, and the lease runs out. */
  async #do(running: Running): Promise<void> {
    const { engine, onDone } = this.#bench;
    const begun = performance.now();
    try {
      const { answer, isDeclined, order } = await this.#answer(running);
      await running.recorded;
      const { taken, stop } = running;
      const error = errorOf(answer);
      if (stop.signal.aborted && !running.isUnsafe) {
        // Nothing was changed: somebody else may do it, unless nobody wants it any more.
        if (running.isCancelled) await engine.recall(taken);
        return await engine.giveBack(taken);
      }
      const dead = error?.details.outcome === "dead" ? error.message : null;
      if (!isDeclined) answer.files = await this.#keepFiles(answer, taken);
      await engine.finish(taken, toBody(answer), {
        declined: isDeclined,
        dead: order === null ? error!.message : dead,
      });
      if (isDeclined) return;
      if (error === null) this.#done++;
      else this.#failed++;
      onDone({ order: taken, error, ms: performance.now() - begun });
    } catch (error) {
      await this.#giveUp(running, toToolError(error));
      onDone({ order: running.taken, error: toToolError(error).toInfo(), ms: performance.now() - begun });
    }
  }

  async #answer(
    running: Running,
  ): Promise<{ answer: OrderAnswer; isDeclined: boolean; order: Order | null }> {
    const { worker } = this.#bench;
    const { body } = running.taken;
    let order: Order;
    try {
      order = readOrder(body);
    } catch (error) {
      const result = failedResult({ full_name: "?", error_lead: "" }, toToolError(error).toInfo());
      return {
        answer: { v: 1, digest: "", worker, result, task: null, files: [] },
        isDeclined: false,
        order: null,
      };
    }
    const blank: OrderAnswer = { v: 1, digest: order.digest, worker, result: null, task: null, files: [] };
    return { order, ...await this.#doWork(order, running, blank) };
  }

  async #doWork(
    order: Order,
    running: Running,
    blank: OrderAnswer,
  ): Promise<{ answer: OrderAnswer; isDeclined: boolean }> {
    const { machines, worker } = this.#bench;
    const { taken, slot, stop: { signal } } = running;
    const steps = {
      signal,
      begin: (isSafe: boolean) => this.#begin(order, running, isSafe),
      tell: (event: RunEvent) => this.#tell(taken, { t: "event", event }),
    };
    if (order.work.kind === "task") {
      const task = await doTask(order as TaskOrder, this.#bench, { ...steps, worker });
      return { answer: { ...blank, task: { ...task } }, isDeclined: false };
    }
    // No two orders at once share what tools remember.
    const owner = `${taken.job}.${slot}`;
    const { result, isDeclined } = await doCall(order as CallOrder, machines, { ...steps, owner });
    return { answer: { ...blank, result }, isDeclined };
  }

  /** The outcome itself cannot be kept, since it is too large perhaps: that is the outcome then. */
  async #giveUp({ taken }: Running, why: ToolError): Promise<void> {
    const { engine, worker } = this.#bench;
    const said = new ToolError(why.code, `The result could not be kept by the queue: ${why.message}`);
    const result = failedResult({ full_name: "?", error_lead: "" }, said.toInfo());
    try {
      const { digest } = readOrder(taken.body);
      const answer: OrderAnswer = { v: 1, digest, worker, result, task: null, files: [] };
      await engine.finish(taken, toBody(answer), { declined: false, dead: null });
    } catch {
      // The lease runs out, and others find out what has begun.
    }
  }

  async #keepFiles({ result, task }: OrderAnswer, taken: TakenOrder): Promise<LeftFile[]> {
    const { engine, served } = this.#bench;
    if (result) return await keepLeftFiles(engine, taken, result);
    return task === null ? [] : await keepRunFiles(engine, taken, { served, session: task.session_id });
  }

  /** Records that an order begins, unless it has begun before and must not begin again. */
  async #begin({ work, terms }: Order, running: Running, isSafe: boolean): Promise<void> {
    const { engine, worker } = this.#bench;
    const { taken, stop: { signal } } = running;
    const once = !isSafe && !terms.retriesUnsafe;
    const recorded = engine.begin(taken, { worker, time: new Date().toISOString() }, { once });
    // Nobody has begun it, and if this worker is lost at once, beginning again does no harm: it need not wait.
    const mayGoOn = isSafe && terms.isNew && taken.isFirst;
    if (mayGoOn) running.recorded = recorded;
    running.recorded.catch(() => {});
    const before = mayGoOn ? [] : await recorded;
    if (once && before.length > 0) throw lostOrder(work, before);
    if (before.length >= terms.tries) throw gaveUp(work, before);
    running.isUnsafe = once;
    signal.throwIfAborted();
    if (terms.isWatched) this.#tell(taken, { t: "begun", worker });
  }

  /** Some may be lost: the work does not wait for them. */
  #tell(taken: TakenOrder, told: OrderTold): void {
    if (this.#told >= MAX_TOLD) return;
    this.#told++;
    void this.#bench.engine.tell(taken, toBody(told)).catch(() => {}).finally(() => this.#told--);
  }
}

function errorOf({ result, task }: OrderAnswer): ErrorInfo | null {
  const error = result ? result.error : task?.error;
  return error as ErrorInfo | null | undefined ?? null;
}
