import { sayThrown } from "../../../schemas/own/thrown_error.ts";
import { toFrame } from "../frames.ts";
import type { FromRoom } from "../protocol.ts";

/** The part of a worker's global scope that a room uses. */
export interface RoomScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromRoom): void;
  /** Hears of errors that nobody caught. */
  addEventListener(type: "error" | "unhandledrejection", listener: (event: UncaughtEvent) => void): void;
}

/** An error that nobody caught. */
type UncaughtEvent = Pick<Event, "preventDefault"> & { error?: unknown; reason?: unknown };

/** How a room speaks: to the thread that made it or, once nobody listens there, to main itself. */
export class RoomVoice {
  readonly #scope: RoomScope;
  readonly #write: (bytes: Uint8Array) => void;
  #writes = false;
  /** A call runs: an error that nobody catches may be why it never ends. Between calls it harms nobody. */
  isBusy = false;

  /** @param write Writes all bytes to the stdout of the room's process, before it returns */
  constructor(scope: RoomScope, write: (bytes: Uint8Array) => void) {
    this.#scope = scope;
    this.#write = write;
  }

  say(message: FromRoom): void {
    if (this.#writes) toFrame(message).forEach(this.#write);
    else this.#scope.postMessage(message);
  }

  /**
   * From now on, writes what it says. Its process waits for main alone, so the room also says itself that it cannot go
   * on; main then ends it.
   */
  write(): void {
    this.#writes = true;
    for (const type of ["error", "unhandledrejection"] as const) {
      this.#scope.addEventListener(type, (event) => {
        event.preventDefault();
        if (!this.isBusy) return;
        this.say({ t: "died", what: sayThrown(event.reason ?? event.error) });
      });
    }
  }
}
