import { join } from "@std/path";

import { systemError } from "../walls/files/system_error.ts";

/** Files that calls leave behind: outside the workspace, private, readable to every file tool. */
export interface ArtifactFolder {
  /** The folder once something was put into it, `null` before. */
  readonly made: string | null;
  /** Opens a new file for writing; a taken name gets a number. Throws `ToolError` for what the system says. */
  open(name: string): Promise<{ path: string; file: Deno.FsFile }>;
  /** Returns a new folder inside. */
  folder(name: string): Promise<string>;
}

/** How long the files of runs without a session are kept, in milliseconds. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** How many files of one name are tried. */
const MAX_NUMBER = 10_000;

/**
 * Makes the artifact folder of a run; nothing is there before the first file is opened. Needs `read` and `write`.
 *
 * @param place Tells the absolute path of the folder; called with the first file
 * @param options `made` is the folder if an earlier run has made it; `onMade` is called once it is made
 */
export function makeArtifactFolder(
  place: () => string,
  options: { made?: string | null; onMade?: (path: string) => Promise<void> } = {},
): ArtifactFolder {
  let made = options.made ?? null;
  let making: Promise<string> | undefined;
  const make = async (): Promise<string> => {
    const path = place();
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
    made = await Deno.realPath(path);
    await options.onMade?.(made);
    return made;
  };
  // Two streams may want their first file at once, and shall find the same folder.
  const folder = (): Promise<string> =>
    made === null ? making ??= make().finally(() => making = undefined) : Promise.resolve(made);
  return {
    get made() {
      return made;
    },
    async open(name) {
      try {
        return await firstFree(join(await folder(), name));
      } catch (error) {
        throw systemError(error, "write", name);
      }
    },
    async folder(name) {
      try {
        return await Deno.makeTempDir({ dir: await folder(), prefix: `${name}-` });
      } catch (error) {
        throw systemError(error, "write", name);
      }
    },
  };
}

async function firstFree(path: string): Promise<{ path: string; file: Deno.FsFile }> {
  const [, stem = path, ending = ""] = /^(.*?)(\.[^/]*)?$/.exec(path) ?? [];
  for (let number = 1; number < MAX_NUMBER; number++) {
    const candidate = number === 1 ? path : `${stem}-${number}${ending}`;
    try {
      return {
        path: candidate,
        file: await Deno.open(candidate, { write: true, createNew: true, mode: 0o600 }),
      };
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
  throw new Deno.errors.AlreadyExists(path);
}

/** As `crypto.randomUUID` names them: nothing else in the folder is of a run. */
const RUN_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes the folders of runs that ended long ago; what cannot be removed stays. Needs `read` and `write`. */
export async function removeOldRuns(folder: string, { olderThan }: { olderThan: Date }): Promise<void> {
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (!RUN_NAME.test(name)) continue;
      const path = join(folder, name);
      const { mtime } = await Deno.lstat(path);
      if (mtime && mtime < olderThan) await Deno.remove(path, { recursive: true });
    }
  } catch (error) {
    // Another run may be at the same work.
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof Deno.errors.PermissionDenied)) {
      throw error;
    }
  }
}
