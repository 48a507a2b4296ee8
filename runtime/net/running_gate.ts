import { ToolError } from "../../schemas/error.ts";
import type { Connection } from "../../schemas/net.ts";
import { entryUrl } from "../self/entry_urls.ts";
import { startWorker } from "../self/start_worker.ts";
import { settlesWithin } from "../wait/settles_within.ts";
import { proxyGreeting } from "./forms/gate_headers.ts";
import type { DoorSettings, FromGate, GateSettings, ToGate } from "./protocol.ts";
import { orRefusedNetwork } from "./refused_network.ts";

/** Longest time until the worker is loaded, in milliseconds. */
const READY_MS = 20_000;
/** Longest time for an answer of a loaded gate, in milliseconds: after that it is taken for dead. */
const ANSWER_MS = 10_000;
/** Longest time for the gate to go, in milliseconds: it may not be loaded yet. */
const END_MS = 5_000;
/** A way to the network: a socket, and what went through it. */
export interface GateDoor {
  /** Path of the socket. */
  path: string;
  /** What each request of a room must carry. */
  token: string;
  /** What must be said first where programs are served. */
  greeting: string;
  /** Its port, for a door that listens on loopback. */
  loopback?: number;
  /** False once it is closed or the gate has ended: a new door is needed. */
  readonly isOpen: boolean;
  /**
   * Returns what a call connected to, what is still open included, and forgets it.
   *
   * @param call The call's name in its requests, `null` for those without one
   */
  take(call: string | null): Promise<readonly Connection[]>;
  /** Closes the socket and all its connections, and returns those that nobody asked for yet. */
  close(): Promise<readonly Connection[]>;
}

/** What a door is opened for. */
export type DoorRequest = Omit<DoorSettings, "id" | "path" | "token">;

/** A way to the network for a worker that holds nothing: a port of messages in the place of a socket. */
export interface PortDoor extends Omit<GateDoor, "path" | "greeting" | "loopback"> {
  /** Goes to the worker, as it is. */
  port: MessagePort;
  /** Settles when the gate has ended. */
  ended: Promise<void>;
}

/** How a gate is started. */
export interface GateStart {
  /** Starts the worker with this folder. @default the gate itself */
  start?: (folder: string) => Worker;
  /** Longest time for an answer of the worker, in milliseconds. @default 10_000 */
  answerMs?: number;
}

/** A worker that is the gate. */
export class RunningGate {
  readonly folder: string;
  readonly #worker: Worker;
  readonly #answerMs: number;
  /** `null` once it is loaded. */
  #settings: GateSettings | null = null;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #doors = new Map<number, PromiseWithResolvers<number | undefined>>();
  readonly #taken = new Map<number, PromiseWithResolvers<readonly Connection[]>>();
  readonly #closed = new Map<number, PromiseWithResolvers<readonly Connection[]>>();
  #asked = 0;
  #isOpen = true;

  constructor(settings: GateSettings, { start = startGate, answerMs = ANSWER_MS }: GateStart) {
    this.folder = settings.folder;
    this.#answerMs = answerMs;
    this.#worker = start(settings.folder);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromGate>) => this.#receive(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.kill();
    });
    // Who opens a door hears of it.
    this.#ready.promise.catch(() => {});
    this.#settings = settings;
  }

  /** Loads it. One that may never be needed waits for its first door. */
  load(): void {
    if (this.#settings) this.#send({ t: "open", settings: this.#settings });
    this.#settings = null;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Settles when it has ended. */
  get gone(): Promise<void> {
    return this.#ended.promise;
  }

  /** @param ports The gate's end of a door without a path */
  async door(settings: DoorSettings, ports: MessagePort[] = []): Promise<GateDoor> {
    const { id, path, token } = settings;
    this.load();
    if (!await settlesWithin(this.#ready.promise, READY_MS)) {
      this.kill();
      throw new ToolError("internal", `The gate to the network did not start within ${READY_MS / 1_000} s`);
    }
    const opened = Promise.withResolvers<number | undefined>();
    this.#doors.set(id, opened);
    this.#send({ t: "door", door: settings }, ports);
    const loopback = await this.#answer(opened.promise).finally(() => this.#doors.delete(id));
    let isClosed = false;
    const isOpen = () => this.#isOpen && !isClosed;
    return {
      path: path ?? "",
      token,
      greeting: proxyGreeting(token),
      ...loopback !== undefined && { loopback },
      get isOpen() {
        return isOpen();
      },
      take: (call) => this.#take(id, call),
      close: () => {
        isClosed = true;
        return this.#close(id);
      },
    };
  }

  #close(id: number): Promise<readonly Connection[]> {
    if (!this.#isOpen) return Promise.resolve([]);
    const closed = Promise.withResolvers<readonly Connection[]>();
    this.#closed.set(id, closed);
    this.#send({ t: "close", id });
    return this.#answer(closed.promise);
  }

  /** Waits for an answer; a gate that gives none is ended, which settles what waits for it. */
  async #answer<T>(answered: Promise<T>): Promise<T> {
    if (!await settlesWithin(answered.catch(() => {}), this.#answerMs)) this.kill();
    return await answered;
  }

  async removeFolder(): Promise<void> {
    this.load();
    this.#send({ t: "end" });
    await settlesWithin(this.#ended.promise, END_MS);
  }

  kill(): void {
    this.#isOpen = false;
    this.#worker.terminate();
    const gone = new ToolError(
      "external_failure",
      "The gate to the network ended; the next call has another one",
    );
    this.#ready.reject(gone);
    for (const opened of this.#doors.values()) opened.reject(gone);
    for (const asked of [...this.#taken.values(), ...this.#closed.values()]) asked.resolve([]);
    this.#ended.resolve();
  }

  #take(id: number, call: string | null): Promise<readonly Connection[]> {
    if (!this.#isOpen) return Promise.resolve([]);
    const n = ++this.#asked;
    const taken = Promise.withResolvers<readonly Connection[]>();
    this.#taken.set(n, taken);
    this.#send({ t: "take", n, id, call });
    return this.#answer(taken.promise);
  }

  #receive(message: FromGate): void {
    if (message.t === "ready") this.#ready.resolve();
    else if (message.t === "opened") this.#doors.get(message.id)?.resolve(message.loopback);
    else if (message.t === "failed") this.#doors.get(message.id)?.reject(notOpened(message.message));
    else if (message.t === "taken") {
      this.#taken.get(message.n)?.resolve(message.connections);
      this.#taken.delete(message.n);
    } else if (message.t === "closed") {
      this.#closed.get(message.id)?.resolve(message.connections);
      this.#closed.delete(message.id);
    } else this.#ended.resolve();
  }

  #send(message: ToGate, ports: MessagePort[] = []): void {
    if (this.#isOpen) this.#worker.postMessage(message, ports);
  }
}

function notOpened(why: string): ToolError {
  return new ToolError("internal", `The gate to the network could not open a socket: ${why}`);
}

function startGate(folder: string): Worker {
  const none = { run: false, env: false, sys: false, ffi: false, import: false };
  const permissions = { ...none, net: true, read: [folder], write: [folder] };
  try {
    return startWorker(entryUrl("gate"), permissions);
  } catch (error) {
    throw orRefusedNetwork(error);
  }
}
