import { join } from "@std/path";

import { closeQuietly } from "./wire/streams.ts";
import { orRefusedNetwork } from "./refused_network.ts";
import { GATE_PREFIX, GATES_PARENT } from "./seen_gate_folders.ts";

/** Age at which a folder has a socket, if its run still lives, in milliseconds. */
const OLD_MS = 60_000;

/** The folder of a run's sockets. */
export interface GateFolder {
  path: string;
  /** Answers no more: from now on it may be removed. */
  close(): void;
}

/**
 * Makes a folder for sockets that only this user can open. This process answers in it as long as it lives, also between two
 * gates: a folder where nobody answers is removed by other runs. Needs `net`, `read` and `write`.
 *
 * @throws {ToolError} `permission_denied` if Deno itself may not reach the network
 */
export async function makeGateFolder(): Promise<GateFolder> {
  const path = await Deno.makeTempDir({ dir: GATES_PARENT, prefix: GATE_PREFIX });
  const listener = await listenIn(path);
  listener.unref();
  const answer = async () => {
    for await (const conn of listener) closeQuietly(conn);
  };
  answer().catch(() => {});
  return { path, close: () => closeQuietly(listener) };
}

async function listenIn(folder: string): Promise<Deno.Listener> {
  try {
    return Deno.listen({ transport: "unix", path: join(folder, "run") });
  } catch (error) {
    await isRemoved(folder);
    throw orRefusedNetwork(error);
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

/**
 * Removes folders whose process was killed: nobody answers at their sockets. Needs `read`, `write` and
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
  // A run that has just begun has no socket yet.
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
