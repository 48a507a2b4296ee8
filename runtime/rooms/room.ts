import { ToolError } from "../../schemas/error.ts";
import type { FileChange, Progress } from "../../schemas/context.ts";
import type { Place } from "../../schemas/result.ts";
import type { CallMessage, FromRoom, OnMessage, Outcome, RoomEnd, RoomLink } from "./protocol.ts";
import type { Ask } from "./asks/ask.ts";
import { profileKey, type RoomProfile } from "./profile.ts";
import { readMessage } from "./check_message.ts";

/** Makes the connection to a new room, and decides where the room runs. */
export type OpenLink = (
  profile: RoomProfile,
  token: string,
  onMessage: OnMessage,
) => Promise<{ link: RoomLink; place: Place }>;

/** Longest time until a new room says that it is ready, in milliseconds. */
const READY_MS = 20_000;

/** Most questions of a room that wait for answers. */
const MAX_ASKS = 64;
/**
 * Shortest time between two progress reports that are passed on, in milliseconds. Honest rooms take longer.
 */
const PROGRESS_MS = 50;

/** What main does for a running call. */
export interface CallService {
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Hears of each file before the room changes it. */
  onChange?: ((change: FileChange) => void) | undefined;
  /** Answers what the room asks; rejects with a {@linkcode ToolError} to refuse. */
  answer?: (ask: Ask) => Promise<unknown>;
}

/** A room that is open: it serves one call at a time. */
export class Room {
  readonly place: Place;
  readonly key: string;
  /** Settles when the room is gone. */
  readonly ended: Promise<void>;
  readonly #link: RoomLink;
  #calls = 0;
  #asks = 0;
  #progressAt = -Infinity;
  #service: CallService = {};
  #done: PromiseWithResolvers<Outcome> | undefined;
  /** The reason why the room is gone. */
  #gone: RoomEnd | undefined;

  private constructor(key: string, link: RoomLink, place: Place) {
    this.key = key;
    this.#link = link;
    this.place = place;
    this.ended = link.closed.then((end) => {
      this.#gone = end;
      this.#done?.reject(roomEnded(end));
    });
  }

  /**
   * Opens a room and waits for its proof that its walls hold.
   *
   * @param options `meanwhile` is called before the wait
   */
  static async open(
    profile: RoomProfile,
    options: { openLink: OpenLink; meanwhile?: () => void },
  ): Promise<Room> {
    const ready = Promise.withResolvers<void>();
    const token = crypto.randomUUID().slice(0, 8);
    const { link, place } = await options.openLink(profile, token, (said) => {
      const message = readMessage(said);
      if (message === null) ready.reject(broken());
      else if (message.t === "ready") return ready.resolve();
      else if (message.t === "breach") return ready.reject(breach(message.what));
      // A room answers only questions, so these messages come after `room` is made.
      room.#receive(message);
    });
    const room = new Room(profileKey(profile), link, place);
    options.meanwhile?.();
    const timer = setTimeout(() => ready.reject(notReady()), READY_MS);
    try {
      await Promise.race([ready.promise, link.closed.then((end) => Promise.reject(roomEnded(end)))]);
    } catch (error) {
      link.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return room;
  }

  get alive(): boolean {
    return this.#gone === undefined;
  }

  /** Runs one call. Rejects with a {@linkcode ToolError} if the room ends before it answers. */
  call(call: Omit<CallMessage, "t" | "id">, service: CallService = {}): Promise<Outcome> {
    if (this.#gone !== undefined) return Promise.reject(roomEnded(this.#gone));
    const done = this.#done = Promise.withResolvers<Outcome>();
    this.#service = service;
    try {
      this.#link.send({ ...call, t: "call", id: ++this.#calls });
    } catch (error) {
      // The input does not fit into a message.
      done.reject(error);
    }
    return done.promise;
  }

  /** Asks the running call to stop. */
  cancel(): void {
    this.#link.send({ t: "cancel", id: this.#calls });
  }

  /** Ends the room, also in the middle of a call. */
  kill(): void {
    this.#link.kill();
  }

  #receive(message: FromRoom | null): void {
    if (message === null) this.#breakOff(broken());
    else if (message.t === "died") {
      this.#breakOff(roomEnded({ outOfMemory: false, detail: `error in the room: ${message.what}` }));
    } else if (message.t === "ask") this.#answer(message.n, message.ask);
    else if (message.t === "progress" && message.id === this.#calls) {
      const now = performance.now();
      if (now - this.#progressAt < PROGRESS_MS) return;
      this.#progressAt = now;
      this.#service.onProgress?.(message.progress);
    } else if (message.t === "change" && message.id === this.#calls) {
      this.#service.onChange?.(message.change);
    } else if (message.t === "done" && message.id === this.#calls) {
      this.#done?.resolve(message.outcome);
      // An idle room has no call to ask for.
      this.#service = {};
    }
  }

  /** Ends a room that breaks the protocol, or is broken itself. */
  #breakOff(why: ToolError): void {
    this.#done?.reject(why);
    this.#link.kill();
  }

  async #answer(n: number, ask: Ask): Promise<void> {
    if (this.#asks >= MAX_ASKS) return this.#breakOff(broken());
    this.#asks++;
    try {
      const value = await this.#service.answer?.(ask);
      this.#link.send({ t: "answer", n, value: value ?? null, error: null });
    } catch (cause) {
      const error = cause instanceof ToolError
        ? cause
        : new ToolError("internal", `Main failed to answer ${ask.kind}: ${cause}`, { cause });
      this.#link.send({ t: "answer", n, value: null, error: error.toInfo() });
    } finally {
      this.#asks--;
    }
  }
}

function breach(what: string): ToolError {
  return new ToolError(
    "internal",
    `The room was not opened: its walls did not refuse ${what}, see bulkhead doctor`,
  );
}

function broken(): ToolError {
  return new ToolError("internal", "The room was ended: it sent a message that is not of the protocol");
}

function notReady(): ToolError {
  return new ToolError("internal", `The room was not ready within ${READY_MS} ms, see bulkhead doctor`);
}

function roomEnded({ outOfMemory, detail }: RoomEnd): ToolError {
  return outOfMemory
    ? new ToolError("limit_exceeded", `The room ran out of memory: ${detail}`)
    : new ToolError("internal", `The room ended unexpectedly: ${detail}`);
}
