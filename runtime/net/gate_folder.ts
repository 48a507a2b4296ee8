import { join } from "@std/path";

import { closeQuietly } from "./wire/streams.ts";
import { GATE_PREFIX, GATES_PARENT } from "./seen_gate_folders.ts";

/** Age at which a folder has a socket, if its gate still lives, in milliseconds. */
const OLD_MS = 60_000;

/** Makes a folder for sockets that only this user can open. Needs `write`. */
export async function makeGateFolder(): Promise<string> {
  return await Deno.makeTempDir({ dir: GATES_PARENT, prefix: GATE_PREFIX });
}

/** Has a gate answer in its folder as long as it lives, also while nobody has a door. Needs `net` and `write`. */
export async function answerAlive(folder: string): Promise<void> {
  const path = join(folder, `gate-${crypto.randomUUID().slice(0, 8)}`);
  for await (const conn of Deno.listen({ transport: "unix", path })) closeQuietly(conn);
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

/**
 * Removes folders whose gate was killed with its process: nobody answers at their sockets. Needs `read`, `write` and
 * `net`; what it may not touch stays.
 */
export async function removeDeadFolders(): Promise<void> {
  const names = await listed(GATES_PARENT);
  await Promise.all(
    names.filter((name) => name.startsWith(GATE_PREFIX)).map((name) =>
      removeIfDead(join(GATES_PARENT, name))
    ),
  );
}

async function removeIfDead(folder: string): Promise<void> {
  const sockets = await listed(folder);
  // A gate that has just begun has no socket yet.
  if (sockets.length === 0 && !await isOld(folder)) return;
  const answers = await Promise.all(sockets.map((name) => isAnswered(join(folder, name))));
  if (answers.some((answered) => answered)) return;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
}

async function isOld(folder: string): Promise<boolean> {
  const { mtime } = await Deno.stat(folder).catch(() => ({ mtime: null }));
  return mtime !== null && Date.now() - mtime.getTime() > OLD_MS;
}

/** In doubt, somebody answers. */
async function isAnswered(path: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path })).close();
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.ConnectionRefused);
  }
}

async function listed(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch {
    return [];
  }
}
