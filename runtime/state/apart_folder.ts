import { dirname } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { systemError } from "../walls/files/system_error.ts";

/** The folder of programs that run apart from the user's files. */
export interface ApartFolder {
  /** Returns its real path; the folder is made with the first question. Throws `ToolError` if it cannot be made. */
  open(): Promise<string>;
  /** Removes what does not outlive the run. */
  end(): Promise<void>;
}

/**
 * Makes the private folder of programs that run apart. Needs `read` and `write`.
 *
 * @param place Tells its absolute path; called with the first question
 * @param options `keeps`: it outlives the run. Otherwise the folder around it is removed at the end
 */
export function makeApartFolder(place: () => string, { keeps }: { keeps: boolean }): ApartFolder {
  let opening: Promise<string> | undefined;
  return {
    open: () =>
      opening ??= make(place()).catch((error) => {
        opening = undefined;
        throw error;
      }),
    async end() {
      const path = await opening?.catch(() => undefined);
      if (keeps || path === undefined) return;
      // What cannot be removed is removed with the folders of old runs.
      await removeTree(dirname(path)).catch(() => {});
    },
  };
}

async function make(path: string): Promise<string> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await Deno.mkdir(path, { mode: 0o700 }).catch((error) => {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    });
    const info = await Deno.lstat(path);
    if (info.isDirectory && ((info.mode ?? 0) & 0o777) !== 0o700) await Deno.chmod(path, 0o700);
    if (info.isDirectory) return await Deno.realPath(path);
  } catch (error) {
    throw systemError(error, "write", path);
  }
  throw new ToolError("conflict", `Cannot use "${path}" as the sandbox of the session: it is not a folder`);
}

/** Removes a folder with all in it, also what a program closed to its owner. Needs `read` and `write`. Throws Deno's errors. */
export async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    await openFolders(path);
    await Deno.remove(path, { recursive: true });
  }
}

async function openFolders(path: string): Promise<void> {
  try {
    await Deno.chmod(path, 0o700);
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      if (isDirectory) await openFolders(`${path}/${name}`);
    }
  } catch {
    // Its removal says why.
  }
}
