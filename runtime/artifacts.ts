import { join } from "node:path";

import { systemError } from "./system_error.ts";

/** Files that calls leave behind: outside the workspace, private, readable to every file tool. */
export interface ArtifactFolder {
  /** The folder once something was put into it, `null` before. */
  readonly made: string | null;
  /** Opens a new file for writing; a taken name gets a number. Throws `ToolError` for what the system says. */
  open(name: string): Promise<{ path: string; file: Deno.FsFile }>;
  /** Returns a new folder inside. */
  folder(name: string): Promise<string>;
}

/** How many files of one name are tried. */
const MAX_NUMBER = 10_000;

/**
 * Makes the artifact folder of a run; nothing is there before the first file is opened. Needs `read` and `write`.
 *
 * @param place Tells the absolute path of the folder to be made; asked for with the first file
 */
export function makeArtifactFolder(place: () => string): ArtifactFolder {
  let made: string | null = null;
  const make = async (): Promise<string> => {
    if (made !== null) return made;
    const path = place();
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
    return made = await Deno.realPath(path);
  };
  return {
    get made() {
      return made;
    },
    async open(name) {
      try {
        return await firstFree(join(await make(), name));
      } catch (error) {
        throw systemError(error, "write", name);
      }
    },
    async folder(name) {
      try {
        return await Deno.makeTempDir({ dir: await make(), prefix: `${name}-` });
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
