import { LOADED } from "./say_loaded.ts";
import { requireWorkerOptions } from "./worker_options.ts";

/** Longest time that a worker may go on loading after its end, in milliseconds. */
const LOAD_MS = 60_000;

/**
 * Starts one of the program's entries as a worker. Needs these permissions until it is loaded, and `read` of the program's own
 * files.
 *
 * Its `terminate()` returns at once. Nothing is heard of the worker after it, but one that still loads is let finish first: Deno
 * does not stop the loading, and where it takes 2 more seconds, some versions end the whole process. What was posted to it may
 * still reach it then, so what must not begin any more is posted after its first word only.
 *
 * @throws {ToolError} `configuration` if Deno was started without the flag for it
 */
export function startWorker(url: URL, permissions: Deno.PermissionOptions): Worker {
  requireWorkerOptions();
  return new EntryWorker(url, permissions);
}

class EntryWorker extends Worker {
  #isLoading = true;
  #isEnded = false;
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(url: URL, permissions: Deno.PermissionOptions) {
    super(url, { type: "module", deno: { permissions } });
    // They are the first listeners: others do not hear what is stopped here.
    this.addEventListener("message", (event) => {
      if (event.data === LOADED || this.#isEnded) event.stopImmediatePropagation();
      this.#settle();
    });
    this.addEventListener("error", (event) => {
      if (this.#isEnded) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      this.#settle();
    });
  }

  override terminate(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#isLoading) this.#late = setTimeout(() => super.terminate(), LOAD_MS);
    else super.terminate();
  }

  override postMessage(message: unknown, options: Transferable[] | StructuredSerializeOptions = []): void {
    if (!this.#isEnded) super.postMessage(message, options as Transferable[]);
  }

  /** A worker that speaks or fails is not loading. */
  #settle(): void {
    this.#isLoading = false;
    clearTimeout(this.#late);
    if (this.#isEnded) super.terminate();
  }
}
