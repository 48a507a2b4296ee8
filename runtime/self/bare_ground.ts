/** What no worker of this program needs, of all that Deno leaves to one without a single permission. */
const GLOBALS = ["BroadcastChannel", "Worker"];
/** The runtime lets a worker without permissions end the whole program by them. */
const ENDS = ["kill", "abort"];
const SIGNALS = ["addSignalListener", "removeSignalListener"];

/**
 * Takes from a worker what permissions do not: the ways to end the whole program, to hear its signals, to speak with other
 * workers, and to start more of them. It is called first in workers that read foreign bytes or run foreign code; what a
 * module of Deno itself exports by name stays.
 */
export function leaveBareGround(): void {
  for (const name of GLOBALS) delete (globalThis as Record<string, unknown>)[name];
  const { process } = globalThis as { process?: object };
  for (const [holder, names] of [[process, ENDS], [Deno, SIGNALS]] as const) {
    if (!holder) continue;
    for (const name of names) {
      Object.defineProperty(holder, name, { value: refuse, writable: false, configurable: false });
    }
  }
}

function refuse(): never {
  throw new Deno.errors.NotCapable("A worker of this program may not do this");
}
