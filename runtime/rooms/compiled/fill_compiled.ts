import { dirname, join } from "@std/path";

import type { Self } from "../../self/find_self.ts";
import { exists, namesIn } from "../../walls/files/file_facts.ts";
import { ownFile, takeDead } from "../../walls/owned/owner_lock.ts";
import { openProcessLink } from "../process_link.ts";
import { readerProfile } from "../profile.ts";
import { type OpenLink, Room } from "../room.ts";
import { type RoomCommand, unboxedCommand } from "../room_command.ts";

/** How many folders stay, of other versions and bundles too. */
const KEPT = 8;
const MADE = ".made-";
/** How the name of the file ends whose lock says that a folder is being filled. */
const OWNER = ".owner";
/** Folders of compiled code begin with two versions. */
const OURS = /^(?:\.made-|\d+\.\d+\.\d+-\d+\.\d+\.\d+)/;
/** Longest time until a tool is loaded, in milliseconds. */
const LOAD_MS = 20_000;
/** Where nothing may be written, a database of Deno is read only with these files beside it; their sizes, in bytes. */
const BESIDE = { "-wal": 0, "-shm": 32_768 };

/** A room that holds nothing, with a helper thread. */
const PROFILE = readerProfile({ threads: 1 });

/**
 * Lets Deno compile what rooms load, into a folder of its own: a room that holds nothing loads each tool, and runs none.
 * The folder appears whole, or not at all. Does nothing for a program that is no bundle. Needs `read` and `write` there, and
 * `run` of Deno.
 *
 * @param tools Full names
 */
export async function fillCompiled(folder: string, self: Self, tools: readonly string[]): Promise<void> {
  if (self.compiled === undefined || exists(folder)) return;
  const parent = dirname(folder);
  await Deno.mkdir(parent, { recursive: true, mode: 0o700 });
  const made = await Deno.makeTempDir({ dir: parent, prefix: MADE });
  using lock = ownFile(`${made}${OWNER}`);
  if (lock === null) return await fillCompiled(folder, self, tools);
  try {
    const command = unboxedCommand(PROFILE, { ...self, env: { ...self.env, DENO_DIR: made } }, null);
    await loadTools(command, tools);
    // A second start finds the databases filled, and notes about them what a start that may only read would want to note.
    await startAndEnd(command);
    await completeDatabases(made);
    await Deno.rename(made, folder);
  } catch (error) {
    await Deno.remove(made, { recursive: true });
    // Another process was quicker.
    if (!exists(folder)) throw error;
  }
  lock.remove();
  await removeOld(parent);
}

async function loadTools(command: RoomCommand, tools: readonly string[]): Promise<void> {
  const openLink: OpenLink = (profile, token, onMessage) =>
    Promise.resolve({ link: openProcessLink(profile, token, { command, onMessage }), place: "process" });
  const room = await Room.open(PROFILE, { openLink });
  const call = { input: {}, mode: "explain", told: { settings: {} } } as const;
  // Most refuse a call without arguments, and are loaded then.
  for (const tool of tools) await room.call({ tool, ...call, timeoutMs: LOAD_MS, stopAfterMs: LOAD_MS });
  room.kill();
  await room.ended;
}

async function startAndEnd({ argv: [program = "", ...args], env }: RoomCommand): Promise<void> {
  const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
  await new Deno.Command(program, { args, clearEnv: true, env: { ...env }, ...streams }).output();
}

async function completeDatabases(folder: string): Promise<void> {
  const files = Array.from(Deno.readDirSync(folder)).filter(({ isFile }) => isFile).map(({ name }) => name);
  const databases = files.filter((name) => !Object.keys(BESIDE).some((end) => name.endsWith(end)));
  for (const name of databases) {
    for (const [end, size] of Object.entries(BESIDE)) {
      if (!files.includes(name + end)) await Deno.writeFile(join(folder, name + end), new Uint8Array(size));
    }
  }
}

/** The folders of versions that are gone, and what killed starts left. */
async function removeOld(parent: string): Promise<void> {
  const times = namesIn(parent).filter((name) => OURS.test(name) && !name.endsWith(OWNER)).map((name) => {
    const path = join(parent, name);
    return { path, time: Deno.lstatSync(path).mtime?.getTime() ?? 0 };
  });
  const old = times.toSorted((a, b) => b.time - a.time).slice(KEPT);
  for (const { path } of old) {
    // Another process may be filling it.
    const lock = await takeDead(`${path}${OWNER}`);
    if (lock !== null) await Deno.remove(path, { recursive: true }).catch(() => {});
    lock?.remove();
  }
}
