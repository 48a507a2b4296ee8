import { lstat } from "../files/file_facts.ts";
import { isLockFree, lockWithin, tryLock } from "./try_lock.ts";

/** How long a lock is waited for, in milliseconds, where nobody can ask whether it is free. */
const ASK_MS = 50;

/** A lock that this process has. Disposing of it gives it back; its end does, too. */
export interface OwnerLock extends Disposable {
  /** Gives it back, and removes its file. */
  remove(): void;
}

/**
 * Makes what says that its owner lives: a file with a lock, for as long as this process does. Only whoever gets the lock may
 * tidy up what lies beside it, as {@linkcode takeDead} does. Needs `read` and `write`.
 *
 * @param path Absolute; nothing may be there yet
 * @returns `null` if somebody tidies up there, or did: then it begins anew at another place
 * @throws {Error} What else the system says
 */
export function ownFile(path: string): OwnerLock | null {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true, write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  try {
    // Who saw the file before its lock holds it for a moment, and removes it.
    file.lockSync(true);
  } catch {
    // Where the system has no locks, nobody can get one, and so nobody tidies up.
  }
  return lockAt(path, file);
}

/**
 * Takes what an owner left that is dead for sure: nobody has its lock. The lock is made if it is not there, so that nobody
 * begins to own it meanwhile. Needs `read` and `write`, and `run` in a Deno that can only wait for locks.
 *
 * @returns `null` if its owner lives, or another tidies up, and where it cannot be told
 */
export async function takeDead(path: string): Promise<OwnerLock | null> {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  } catch {
    // It is gone, or somebody else's.
    return null;
  }
  try {
    const isTaken = await tryLock(file);
    if (isTaken === true) return lockAt(path, file);
    if (isTaken === null && await isLockFree(path, ASK_MS)) {
      return await lockWithin(file, ASK_MS) ? lockAt(path, file) : null;
    }
  } catch {
    // A file system without locks.
  }
  closeQuietly(file);
  return null;
}

/** `null` if the file went before its lock was taken. */
function lockAt(path: string, file: Deno.FsFile): OwnerLock | null {
  const [own, named] = [file.statSync(), lstat(path)];
  if (named === null || named.ino !== own.ino || named.dev !== own.dev) {
    file.close();
    return null;
  }
  return {
    [Symbol.dispose]: () => closeQuietly(file),
    remove() {
      try {
        Deno.removeSync(path);
      } catch {
        // It went with its folder.
      }
      closeQuietly(file);
    },
  };
}

function closeQuietly(file: Deno.FsFile): void {
  try {
    file.close();
  } catch {
    // It is closed already.
  }
}
