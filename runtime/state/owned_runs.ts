import { basename, join } from "@std/path";

import { type OwnerLock, ownFile, takeDead } from "../walls/owned/owner_lock.ts";

/** As `crypto.randomUUID` names them: nothing else in the folder is of a run. */
const RUN_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** As `runsOfWorkspace` names them. */
const WORKSPACE_NAME = /^of-[0-9]+-[0-9]+-[0-9]+$/;
/** The folder of the locks, by the names of the runs' folders: no tool and no program of a run can reach it. */
const OWNERS = "owners";

/** The folders of one run, which no other run removes before its end. */
export class OwnedRuns {
  readonly #runs: () => string;
  readonly #locks: OwnerLock[] = [];

  /** @param runs Tells the folder of all runs, absolute */
  constructor(runs: () => string) {
    this.#runs = runs;
  }

  /**
   * Returns the path of a folder that is this run's own. Needs `read` and `write` of the folder of all runs.
   *
   * @param parent @default the folder of all runs
   */
  begin(parent: string = this.#runs()): string {
    const name = crypto.randomUUID();
    const owners = join(this.#runs(), OWNERS);
    Deno.mkdirSync(owners, { recursive: true, mode: 0o700 });
    const lock = ownFile(join(owners, name));
    // Somebody tidies up at this very name: nobody else knows it yet.
    if (lock === null) return this.begin(parent);
    this.#locks.push(lock);
    return join(parent, name);
  }

  /** The folders stay, and others may remove them once they are old. */
  end(): void {
    for (const lock of this.#locks.splice(0)) lock.remove();
  }
}

/**
 * Removes the folders of runs that ended long ago, in all workspaces. What somebody owns stays, however old it is, and what
 * cannot be removed. Needs `read` and `write`.
 *
 * @param runs The folder of all runs
 */
export async function removeOldRuns(runs: string, options: { olderThan: Date }): Promise<void> {
  await removeOld(runs, { ...options, owners: join(runs, OWNERS) });
}

async function removeOld(
  folder: string,
  { olderThan, owners }: { olderThan: Date; owners: string },
): Promise<void> {
  try {
    for await (const { name } of Deno.readDir(folder)) {
      const path = join(folder, name);
      if (WORKSPACE_NAME.test(name)) await removeOld(path, { olderThan, owners });
      if (!RUN_NAME.test(name)) continue;
      const { mtime } = await Deno.lstat(path);
      if (mtime && mtime < olderThan) await removeDead(path, owners);
    }
  } catch (error) {
    // Another run may be at the same work.
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof Deno.errors.PermissionDenied)) {
      throw error;
    }
  }
}

async function removeDead(path: string, owners: string): Promise<void> {
  const lock = await takeDead(join(owners, basename(path)));
  if (lock === null) return;
  try {
    await Deno.remove(path, { recursive: true });
  } finally {
    lock.remove();
  }
}
