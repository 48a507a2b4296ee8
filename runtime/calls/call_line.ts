import type { AsyncLocalStorage } from "node:async_hooks";

/** What the line must know of a call. */
export interface LinedCall {
  /** May run beside others of its kind. */
  parallel: boolean;
  /** Tool that the `concurrency` counts for. */
  toolName: string;
  /** Most calls of this tool at once; `null` for no bound of its own. */
  concurrency: number | null;
}

/** The place of one call. */
export interface Place extends Disposable {
  /** Ends the call's turn. A second time does nothing. */
  leave(): void;
  /**
   * Waits for another turn after `leave`, before all calls that came later.
   *
   * @returns Whether the turn has come; `false` if the signal aborted first
   */
  comeBack(): Promise<boolean>;
}

/**
 * The line in which all calls of a host wait, whoever makes them. Parallel calls run beside each other; any other call
 * waits for all before it and holds back all after it. A parallel call whose tool has its most calls running lets
 * later parallel calls pass.
 *
 * A call that asks a person leaves its place meanwhile: nobody is held up, and whoever answers may make calls. A call
 * that is made in the middle of another, by a hook of it, takes a line of its own within the other's turn.
 */
export class CallLine {
  /** Most calls that run at once. */
  readonly maxParallel: number;
  /** In the order of arrival. */
  #waiting: Turn[] = [];
  readonly #running = new Set<Turn>();
  #arrivals = 0;
  /** The line of calls in the middle of calls; made with the first hook. */
  #inner: CallLine | undefined;
  #inside: AsyncLocalStorage<{ line: CallLine; isOpen: boolean }> | undefined;

  /** @param maxParallel Most calls at once, at least 1 */
  constructor(maxParallel: number) {
    if (!(maxParallel >= 1)) {
      throw new RangeError(`A line needs room for at least 1 call, got ${maxParallel}`);
    }
    this.maxParallel = maxParallel;
  }

  /**
   * Waits for the turn of a call.
   *
   * @returns `null` if the signal aborted first
   */
  async enter(call: LinedCall, signal: AbortSignal): Promise<Place | null> {
    const within = this.#inside?.getStore();
    const line = within?.isOpen ? within.line : this;
    const turn: Turn = { call, arrival: line.#arrivals++, begin: () => {} };
    if (!await line.#wait(turn, signal)) return null;
    const leave = () => line.#leave(turn);
    return { leave, comeBack: () => line.#wait(turn, signal), [Symbol.dispose]: leave };
  }

  /** Runs a part of a call that may make calls itself, and waits for them: a hook. */
  async inside<T>(work: () => Promise<T>): Promise<T> {
    const { AsyncLocalStorage } = await import("node:async_hooks");
    this.#inside ??= new AsyncLocalStorage();
    const line = this.#inside.getStore()?.line ?? this;
    const within = { line: line.#inner ??= new CallLine(this.maxParallel), isOpen: true };
    try {
      return await this.#inside.run(within, work);
    } finally {
      // What the hook left behind, as a timer, is no longer in the middle of the call.
      within.isOpen = false;
    }
  }

  async #wait(turn: Turn, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    turn.begin = () => resolve(true);
    const onAbort = () => {
      this.#waiting = this.#waiting.filter((other) => other !== turn);
      this.#next();
      resolve(false);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    const behind = this.#waiting.findIndex(({ arrival }) => arrival > turn.arrival);
    this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, turn);
    this.#next();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #leave(turn: Turn): void {
    if (this.#running.delete(turn)) this.#next();
  }

  /** Begins the turns of all calls that need not wait. */
  #next(): void {
    const held: Turn[] = [];
    for (const [index, turn] of this.#waiting.entries()) {
      const passes = held.length === 0 || turn.call.parallel;
      if (passes && this.#mayRun(turn.call)) {
        this.#running.add(turn);
        turn.begin();
        continue;
      }
      held.push(turn);
      if (turn.call.parallel) continue;
      held.push(...this.#waiting.slice(index + 1));
      break;
    }
    this.#waiting = held;
  }

  #mayRun({ parallel, toolName, concurrency }: LinedCall): boolean {
    const running = [...this.#running];
    if (running.length === 0) return true;
    if (!parallel || running.length >= this.maxParallel || running.some(({ call }) => !call.parallel)) {
      return false;
    }
    return concurrency === null ||
      running.filter(({ call }) => call.toolName === toolName).length < concurrency;
  }
}

/** A call that waits for its turn, or has it. */
interface Turn {
  call: LinedCall;
  /** Place in the order of arrival, which it keeps. */
  arrival: number;
  begin(): void;
}
