import { orAborted } from "../../wait/or_aborted.ts";
import type { NumberedEvent, Runs, ServedEvent } from "../runs/runs.ts";
import { usageSince } from "../runs/used.ts";
import { type Detail, type Ending, endingOf } from "./run_ending.ts";

/** How long a stream waits for a failure that it can still tell as one of the request, in milliseconds. */
const EARLY_MS = 1_000;

/** Turns the events of a run into the text of a stream. */
export interface RunStream {
  /** Returns what begins the stream. */
  begin(): string;
  /** Returns what is told of an event, `""` for nothing. */
  hear(event: ServedEvent): string;
  /** Returns what ends the stream. */
  end(ending: Ending, usage: object | null): string;
}

/** What happened in a run so far, and what comes. */
export interface Watch {
  /** The run failed before it did anything: no stream is needed to say so. */
  failure: Extract<Ending, { kind: "failure" }> | null;
  /** The pieces of the stream. */
  pieces: AsyncIterable<string>;
}

/** Options of {@linkcode watchRun}. */
export interface WatchRunOptions {
  runs: Pick<Runs, "follow" | "get">;
  id: string;
  /** Number of the last event that is not told. */
  after: number;
  /** What the run had used before. */
  used: Detail["usage"];
  stream: RunStream;
  mustBeJson: boolean;
  /** Nobody reads any more. */
  signal: AbortSignal;
}

/** Follows a run until it ends or asks something, as a stream of chunks. */
export async function watchRun(options: WatchRunOptions): Promise<Watch> {
  const { runs, id, after, mustBeJson, signal } = options;
  const batches = await runs.follow(id, after);
  const events = new Ahead(batches?.[Symbol.asyncIterator]() ?? null, signal);
  await events.hearUntil(isTelling, EARLY_MS);
  const isOver = events.isEnded || events.heard.some(isEnd);
  if (isOver && !events.heard.some(isShown)) {
    const ending = endingOf(await runs.get(id), mustBeJson);
    if (ending.kind === "failure") return { failure: ending, pieces: none() };
  }
  return { failure: null, pieces: piecesOf(events, options) };
}

async function* piecesOf(
  events: Ahead,
  { runs, id, used, stream, mustBeJson }: WatchRunOptions,
): AsyncGenerator<string> {
  try {
    yield stream.begin();
    for (let batch: readonly ServedEvent[] | null; (batch = await events.next()) !== null;) {
      const end = batch.findIndex(isEnd);
      const text = (end < 0 ? batch : batch.slice(0, end)).map((event) => stream.hear(event)).join("");
      if (text !== "") yield text;
      if (end >= 0) break;
    }
    if (events.isGone) return;
    const detail: Detail = await runs.get(id);
    yield stream.end(endingOf(detail, mustBeJson), usageSince(detail.usage, used));
  } finally {
    events.close();
  }
}

/** The events of a run, of which some may be heard before they are told. */
class Ahead {
  heard: ServedEvent[] = [];
  isEnded = false;
  readonly #iterator: AsyncIterator<readonly NumberedEvent[]> | null;
  readonly #signal: AbortSignal;
  #coming: Promise<IteratorResult<readonly NumberedEvent[]>> | null = null;

  constructor(iterator: AsyncIterator<readonly NumberedEvent[]> | null, signal: AbortSignal) {
    this.#iterator = iterator;
    this.#signal = signal;
    this.isEnded = iterator === null;
  }

  get isGone(): boolean {
    return this.#signal.aborted;
  }

  /** Hears events until one of a kind has come, or the time is over. */
  async hearUntil(isWanted: (event: ServedEvent) => boolean, ms: number): Promise<void> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), ms);
    const until = AbortSignal.any([timeout.signal, this.#signal]);
    try {
      while (!this.isEnded && !this.heard.some(isWanted)) {
        if (!await this.#hear(until)) return;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns what comes next; `null` at the end, or once nobody reads. */
  async next(): Promise<readonly ServedEvent[] | null> {
    while (this.heard.length === 0 && !this.isEnded) {
      if (!await this.#hear(this.#signal)) return null;
    }
    const events = this.heard;
    this.heard = [];
    return events.length === 0 ? null : events;
  }

  close(): void {
    // It ends behind what is asked for, which may take long: nobody waits for it.
    this.#iterator?.return?.().catch(() => {});
  }

  async #hear(until: AbortSignal): Promise<boolean> {
    this.#coming ??= this.#iterator!.next();
    // Whoever asks next gets the failure.
    this.#coming.catch(() => {});
    const got = await orAborted(this.#coming, until);
    if (got === null) return false;
    this.#coming = null;
    if (got.done === true) this.isEnded = true;
    else this.heard.push(...got.value.map(({ event }) => event));
    return true;
  }
}

/** Events that say nothing of how the run will go. */
const QUIET: readonly string[] = ["prompt", "run.start", "turn.start", "attached", "state", "tools.added"];

function isTelling(event: ServedEvent): boolean {
  return !QUIET.includes(event.type);
}

function isShown(event: ServedEvent): boolean {
  return isTelling(event) && !isEnd(event) && event.type !== "warning";
}

/** The run has ended, or waits for the client. Consents are given elsewhere meanwhile. */
function isEnd(event: ServedEvent): boolean {
  return event.type === "run.end" || (event.type === "question" && event.question.kind === "question");
}

async function* none(): AsyncGenerator<string> {}
