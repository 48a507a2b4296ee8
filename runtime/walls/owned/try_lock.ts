import { findProgram } from "../files/find_program.ts";
import { SYSTEM_PATH } from "../files/trusted_path.ts";
import { tryProgram } from "../process/try_program.ts";

/** Time that the program of the system has besides, in milliseconds. */
const SLACK_MS = 2_000;

/**
 * Takes the lock of an open file if nobody has it. The system frees a lock with its process, however that ends.
 *
 * @returns `null` if this Deno can only wait for locks, as 2.6 does
 * @throws {Error} What the system says: not every file system has locks
 */
export async function tryLock(file: Deno.FsFile): Promise<boolean | null> {
  const one = file as Deno.FsFile & { tryLock?(exclusive: boolean): Promise<boolean> };
  return typeof one.tryLock === "function" ? await one.tryLock(true) : null;
}

/**
 * Takes the lock of an open file if it comes in time. A lock that comes too late is given back at once: the file is closed.
 *
 * @throws {Error} What the system says; the file is closed
 */
export async function lockWithin(file: Deno.FsFile, ms: number): Promise<boolean> {
  let isLate = false;
  const locked = file.lock(true).then(() => isLate ? file.close() : undefined, (error) => {
    file.close();
    throw error;
  });
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    const isTaken = await Promise.race([locked.then(() => true), over]);
    isLate = !isTaken;
    return isTaken;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Says whether a program of the system finds a file's lock free within a time, `true` where it has none: for a Deno that can
 * only wait, which would leave a thread behind for each lock that somebody holds. Needs `run`.
 */
export async function isLockFree(path: string, ms: number, searchPath = ""): Promise<boolean> {
  const flock = findProgram("flock", `${SYSTEM_PATH}:${searchPath}`);
  if (flock === null) return true;
  const argv = [flock, "-w", String(ms / 1_000), path, "true"];
  return (await tryProgram(argv, { ms: ms + SLACK_MS, env: { PATH: SYSTEM_PATH } })).success;
}
