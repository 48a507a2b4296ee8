import { basename, dirname, join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { isObject } from "../../schemas/json/shape.ts";
import { systemError } from "../walls/files/system_error.ts";
import { readNamedText } from "../walls/files/open_plain.ts";
import { holdLockFile } from "./held_names.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Bits of a mode by which others than the owner write, and by which they can do anything. */
const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;
/** How the name of a file ends that is being written. */
const UNFINISHED = ".new";

/**
 * Reads what is kept of the login at a server; `null` if nothing is, or if it cannot be read. Needs `read`.
 *
 * @param state Where bulkhead keeps what outlives a run: no tool and no program of a run can reach it
 * @param server The server's address
 * @throws {ToolError} `denied_by_policy` if others than this user could have written or read it
 */
export async function readLogin(state: string, server: string): Promise<Record<string, unknown> | null> {
  const path = await placeOf(state, server);
  requireOwn(dirname(path), { isFolder: true });
  requireOwn(path, { isFolder: false });
  try {
    const kept: unknown = JSON.parse(readNamedText(path));
    return isObject(kept) && kept.v === 1 && kept.server === server ? kept : null;
  } catch {
    return null;
  }
}

/**
 * Keeps the login at a server, in the place of what was kept: for this user alone. Needs `write`.
 *
 * @throws {ToolError} If it cannot be written, or others could
 */
export async function keepLogin(
  state: string,
  server: string,
  login: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = await placeOf(state, server);
  const temporary = `${path}.${crypto.randomUUID()}${UNFINISHED}`;
  try {
    await makeFolder(dirname(path));
    const text = JSON.stringify({ ...login, v: 1, server });
    await Deno.writeTextFile(temporary, text, { createNew: true, mode: FILE_MODE });
    // Before, the user's umask may have taken away too much.
    if (Deno.build.os !== "windows") await Deno.chmod(temporary, FILE_MODE);
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error instanceof ToolError ? error : systemError(error, "write", dirname(path));
  }
}

/**
 * Forgets the login at a server. Needs `write`.
 *
 * @returns Whether there was one
 */
export async function removeLogin(state: string, server: string): Promise<boolean> {
  const path = await placeOf(state, server);
  try {
    await Deno.remove(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw systemError(error, "remove", path);
  }
}

/**
 * Holds the login at a server against other runs: what is read while it is held is what counts. Removes what a run left
 * that was killed while it wrote. Needs `read` and `write`.
 *
 * @throws {ToolError} If it cannot be held
 * @throws {unknown} The signal's reason
 */
export async function holdLogin(state: string, server: string, signal: AbortSignal): Promise<Disposable> {
  const path = await placeOf(state, server);
  try {
    await makeFolder(dirname(path));
    const held = await holdLockFile(`${path}.lock`, signal);
    // A rest that stays does no harm.
    await removeUnfinished(path).catch(() => {});
    return held;
  } catch (error) {
    throw signal.aborted || error instanceof ToolError ? error : systemError(error, "write", dirname(path));
  }
}

/** Nobody will finish these files, but for a run that gave up waiting for the login: its writing fails, and it warns. */
async function removeUnfinished(path: string): Promise<void> {
  const name = basename(path);
  for await (const entry of Deno.readDir(dirname(path))) {
    if (!entry.name.startsWith(name) || !entry.name.endsWith(UNFINISHED)) continue;
    await Deno.remove(join(dirname(path), entry.name));
  }
}

async function makeFolder(path: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  try {
    await Deno.mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  requireOwn(path, { isFolder: true });
  // Windows has no such modes.
  if (Deno.build.os !== "windows") await Deno.chmod(path, FOLDER_MODE);
}

/** Passes over what is not there. A folder that others may only read is closed to them at the next writing. */
function requireOwn(path: string, { isFolder }: { isFolder: boolean }): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch {
    return;
  }
  const { uid, mode } = info;
  const refuse = (why: string, remedy: string) => {
    throw new ToolError("denied_by_policy", `The kept logins are not used: "${path}" ${why}: ${remedy}`);
  };
  if (isFolder ? !info.isDirectory : !info.isFile) {
    refuse(info.isSymlink ? "is a link" : "is of another kind", "remove it");
  }
  if (uid !== null && uid !== Deno.uid()) refuse("belongs to another user", "remove it");
  const open = (mode ?? 0) & (isFolder ? OTHERS_WRITE : OTHERS);
  if (open !== 0 && Deno.build.os !== "windows") {
    refuse("is open to other users", `remove it, or run: chmod ${isFolder ? 700 : 600} ${path}`);
  }
}

/** An address may be longer than a name can be, and hold a key. */
async function placeOf(state: string, server: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(server));
  const name = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return join(state, "logins", `${name}.json`);
}
