import { cancelledBy, LiveRun } from "./live_run.ts";
import { doRun, type RunBench } from "./do_run.ts";
import { RunLog } from "./run_log.ts";
import { type QueuedRun, RunQueue } from "./run_queue.ts";
import type { NumberedEvent } from "./runs.ts";
import { keepRequest, type KeptRequest } from "./settings/kept_request.ts";

/** How long a run that ends with its client goes on for one that comes back, in milliseconds. */
const COME_BACK_MS = 5_000;

/** What a run begins with. */
export interface RunOpening {
  id: string;
  request: KeptRequest;
  /** It goes on with a session that was at work before. */
  isResumed: boolean;
  /** Path of its events. */
  log: string;
  /** Texts that no event shows. */
  secrets: readonly string[];
  /** Where it stands in the trace of whoever asked. */
  traceparent: string | undefined;
}

/** The runs that are at work, and those that wait for their turn. */
export class WorkingRuns {
  readonly #bench: RunBench;
  readonly #queue: RunQueue;
  readonly #runs = new Map<string, { live: LiveRun; queued: QueuedRun }>();

  constructor(bench: RunBench) {
    this.#bench = bench;
    this.#queue = new RunQueue(bench.served.maxRuns);
  }

  /** How many wait for their turn. */
  get queued(): number {
    return this.#queue.waiting;
  }

  /** By their ids. */
  get all(): ReadonlyMap<string, LiveRun> {
    return new Map([...this.#runs].map(([id, { live }]) => [id, live]));
  }

  get(id: string): LiveRun | null {
    return this.#runs.get(id)?.live ?? null;
  }

  /**
   * Throws unless one more may come.
   *
   * @throws {ToolError} `rate_limited`
   */
  check(): void {
    this.#queue.check();
  }

  /**
   * Lets a run begin, or wait for its turn.
   *
   * @throws {ToolError} What the system says
   */
  begin({ id, request, isResumed, log, secrets, traceparent }: RunOpening): LiveRun {
    const { state } = this.#bench;
    keepRequest(state, id, request);
    const live = new LiveRun({ id, state, request, log: new RunLog(log, secrets), isResumed, traceparent });
    const { prompt, images } = request.said!;
    if (prompt !== null) live.emit({ type: "prompt", text: prompt, images: images.length });
    const queued: QueuedRun = {
      client: request.client,
      onPlace: (ahead) => live.tellPlace(ahead),
      start: async () => {
        await doRun(live, this.#bench);
        this.#over(live);
      },
    };
    this.#runs.set(id, { live, queued });
    this.#queue.add(queued);
    return live;
  }

  /** Ends a run, which is kept and can be resumed; returns when nothing of it is at work. */
  async end(id: string, why: string): Promise<void> {
    const working = this.#runs.get(id);
    if (!working) return;
    const { live, queued } = working;
    live.stop(cancelledBy(why));
    if (this.#queue.remove(queued)) {
      await doRun(live, this.#bench);
      this.#over(live);
    }
    await live.over;
  }

  /** Ends all runs. */
  async endAll(why: string): Promise<void> {
    await Promise.all([...this.#runs.keys()].map((id) => this.end(id, why)));
  }

  /** Counts who follows a run: if the server was started so, it ends some time after the last one has gone. */
  async *watched(
    live: LiveRun,
    events: AsyncGenerator<readonly NumberedEvent[]>,
  ): AsyncGenerator<readonly NumberedEvent[]> {
    live.followers++;
    try {
      yield* events;
    } finally {
      live.followers--;
      if (this.#bench.served.stopOnDisconnect && !live.log.isClosed) awaitReturn(live);
    }
  }

  #over(live: LiveRun): void {
    if (this.#runs.get(live.id)?.live === live) this.#runs.delete(live.id);
    live.end();
  }
}

/** Somebody may only have lost the connection. */
function awaitReturn(live: LiveRun): void {
  const timer = setTimeout(() => {
    if (live.followers === 0) live.stop(cancelledBy("The client has gone"));
  }, COME_BACK_MS);
  live.over.then(() => clearTimeout(timer));
}
