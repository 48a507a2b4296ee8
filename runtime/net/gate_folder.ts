import { join } from "@std/path";

import { type OwnerLock, ownFile, takeDead } from "../walls/owned/owner_lock.ts";
import { GATE_PREFIX, GATES_PARENT } from "./seen_gate_folders.ts";

/** The file whose lock says that a folder's run lives. */
const OWNER = "owner";
/** How often a folder is made that another run, which tidies up, has taken for a dead one before it had its lock. */
const ATTEMPTS = 20;

/** The folder of a run's sockets. */
export interface GateFolder {
  path: string;
  /** Gives up its lock: from now on it may be removed. */
  close(): void;
}

/**
 * Makes a folder for sockets that only this user can open. This process owns it as long as it lives, also between two gates:
 * a folder that nobody owns is removed by other runs. Needs `read` and `write`.
 */
export async function makeGateFolder(): Promise<GateFolder> {
  for (let attempt = 1;; attempt++) {
    const path = await Deno.makeTempDir({ dir: GATES_PARENT, prefix: GATE_PREFIX });
    const lock = ownFile(join(path, OWNER));
    if (lock !== null) return { path, close: () => lock[Symbol.dispose]() };
    await isRemoved(path);
    if (attempt === ATTEMPTS) throw new Error(`Cannot make a folder for sockets in "${GATES_PARENT}"`);
  }
}

/** Removes a folder, and says whether it is gone: without `write` it stays. */
export async function isRemoved(folder: string): Promise<boolean> {
  try {
    await Deno.remove(folder, { recursive: true });
    return true;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** Removes folders whose process was killed: nobody has their lock. Needs `read` and `write`; what it may not touch stays. */
export async function removeDeadFolders(): Promise<void> {
  for (const name of await listed(GATES_PARENT)) {
    if (name.startsWith(GATE_PREFIX)) await removeIfDead(join(GATES_PARENT, name));
  }
}

async function removeIfDead(folder: string): Promise<void> {
  using lock: OwnerLock | null = await takeDead(join(folder, OWNER));
  if (lock !== null) await isRemoved(folder);
}

async function listed(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch {
    return [];
  }
}
