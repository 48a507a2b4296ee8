import { join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { systemError } from "../walls/files/system_error.ts";
import { readNamedText } from "../walls/files/open_plain.ts";
import { HeldNames, holdLockFile } from "./held_names.ts";

/** Keeps what tools remember between calls. Values are plain JSON. */
export interface ToolState {
  /** Returns the value that was kept. */
  get(toolset: string, key: string): Promise<unknown>;
  /** Keeps a value. */
  set(toolset: string, key: string, value: unknown): Promise<void>;
  /**
   * Waits until nobody else holds a name, and holds it until the result is disposed of. Throws the signal's reason if it
   * aborts first. For values that other processes change, too. @default names are held within this process
   */
  hold?(toolset: string, name: string, signal: AbortSignal): Promise<Disposable>;
}

/** What an id of a session looks like: no path, no option, no sentence. */
export const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A store that lasts as long as the run. */
export function memorySession(): ToolState {
  const values = new Map<string, unknown>();
  return {
    get: (toolset, key) => Promise.resolve(values.get(`${toolset}\0${key}`)),
    set: (toolset, key, value) => Promise.resolve(void values.set(`${toolset}\0${key}`, value)),
  };
}

/**
 * A store that lasts from run to run: one private file a key, replaced whole, so that runs of the same session do not
 * tear each other's state. Needs `read` and `write` of the folder.
 *
 * @param folder The session's own folder; made when the first value is set
 */
export function diskSession(folder: string): ToolState {
  const names = new HeldNames();
  return {
    async hold(toolset, name, signal) {
      const hold = await names.hold(`${toolset}\0${name}`, signal);
      try {
        await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
        const file = await holdLockFile(lockOf(await fileOf(folder, toolset, name)), signal);
        return {
          [Symbol.dispose]() {
            file[Symbol.dispose]();
            hold[Symbol.dispose]();
          },
        };
      } catch (error) {
        hold[Symbol.dispose]();
        if (signal.aborted) throw signal.reason;
        throw systemError(error, "lock", folder);
      }
    },
    async get(toolset, key) {
      try {
        return JSON.parse(readNamedText(await fileOf(folder, toolset, key)));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return undefined;
        throw new ToolError("internal", `Cannot read the session's state in "${folder}": ${error}`, {
          cause: error,
        });
      }
    },
    async set(toolset, key, value) {
      const path = await fileOf(folder, toolset, key);
      const temporary = `${path}.${crypto.randomUUID()}`;
      try {
        await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
        await Deno.writeTextFile(temporary, JSON.stringify(value), { createNew: true, mode: 0o600 });
        await Deno.rename(temporary, path);
      } catch (error) {
        // A full disk leaves half a file, whose name is used nowhere else.
        await Deno.remove(temporary).catch(() => {});
        throw systemError(error, "write", folder);
      }
    },
  };
}

/**
 * Returns the folder of a session.
 *
 * @param state Where bulkhead keeps what outlives a run
 * @throws {ToolError} `invalid_input` for an id that could name another folder
 */
export function sessionFolder(state: string, id: string): string {
  if (!SESSION_ID.test(id)) {
    throw new ToolError(
      "invalid_input",
      `Session id "${id}" must be 1 to 64 letters, digits, ".", "_" or "-", with a letter or digit first`,
    );
  }
  return join(state, "sessions", id);
}

/** Keys are paths and ids of tools, and come from a room: only their hash gets into the name of a file. */
async function fileOf(folder: string, toolset: string, key: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${toolset}\0${key}`));
  return join(folder, `${hex(new Uint8Array(hash))}.json`);
}

/** The lock of a name lies where its value would, and is no value. */
function lockOf(path: string): string {
  return path.replace(/\.json$/, ".lock");
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
