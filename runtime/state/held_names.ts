import { orAborted } from "../wait/or_aborted.ts";
import { tryLock } from "../walls/owned/try_lock.ts";

/** Time between two looks at a lock that another process has, in milliseconds: short at first. */
const LEAST_PAUSE_MS = 5;
const MOST_PAUSE_MS = 100;

/** Names of which each is held by one at a time; the others wait in line. */
export class HeldNames {
  /** Settles when the last one in line has given the name back. */
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Waits until it has the name.
   *
   * @throws {unknown} The signal's reason
   */
  async hold(name: string, signal: AbortSignal): Promise<Disposable> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = before.then(() => promise);
    this.#last.set(name, line);
    const giveBack = () => {
      resolve();
      if (this.#last.get(name) === line) this.#last.delete(name);
    };
    await orAborted(before, signal);
    if (!signal.aborted) return { [Symbol.dispose]: giveBack };
    giveBack();
    throw signal.reason;
  }
}

/**
 * Holds a file against other processes of this program, by a lock of the system, which ends with its process. The file is
 * there only while somebody holds it or waits for it. Where the system has no such locks, nothing is waited for. Needs
 * `read` and `write` of its folder.
 *
 * @param path A file that holds nothing
 * @throws {unknown} The signal's reason; what opening the file throws
 */
export async function holdLockFile(path: string, signal: AbortSignal): Promise<Disposable> {
  for (let pauseMs = LEAST_PAUSE_MS;; pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS)) {
    signal.throwIfAborted();
    const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
    if (await isTaken(file, signal)) {
      // The one before removes the file: then this is the lock of a file that nobody else finds.
      if (isThere(file, path)) return { [Symbol.dispose]: () => giveBack(file, path) };
      file.close();
      continue;
    }
    file.close();
    await pause(pauseMs, signal);
  }
}

/** Says whether the lock was taken. Deno 2.6 can only wait for it. */
async function isTaken(file: Deno.FsFile, signal: AbortSignal): Promise<boolean> {
  try {
    const isFree = await tryLock(file);
    if (isFree !== null) return isFree;
    const waiting = file.lock(true).then(() => true);
    return await orAborted(waiting, signal) ?? false;
  } catch (error) {
    if (error instanceof Deno.errors.BadResource) throw error;
    return true;
  }
}

function isThere(file: Deno.FsFile, path: string): boolean {
  try {
    const [held, named] = [file.statSync(), Deno.lstatSync(path)];
    return held.ino === named.ino && held.dev === named.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function giveBack(file: Deno.FsFile, path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Somebody removed the session meanwhile.
  } finally {
    file.close();
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await orAborted(promise, signal);
  clearTimeout(timer);
}
