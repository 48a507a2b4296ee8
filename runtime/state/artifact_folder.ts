import { dirname, join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { readPlainSlowly } from "../walls/files/open_plain.ts";
import { systemError } from "../walls/files/system_error.ts";

/** Files that calls leave behind: outside the workspace, private, readable to every file tool. */
export interface ArtifactFolder {
  /** The folder once something was put into it, `null` before. */
  readonly made: string | null;
  /** The folder that file tools may read: this one or, with other runs in the same workspace, that of all of them. */
  readonly readable: string | null;
  /** Opens a new file for writing; a taken name gets a number. Throws `ToolError` for what the system says. */
  open(name: string): Promise<{ path: string; file: Deno.FsFile }>;
  /** Returns the file of this name with these bytes, `null` if there is none; a number may stand in its name. */
  find(name: string, bytes: Uint8Array): Promise<string | null>;
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
  options: {
    made?: string | null;
    /** The folder around the folders of all runs in the workspace; `found` if it is there. @default none */
    shared?: { found: string | null };
    onMade?: (path: string) => Promise<void>;
  } = {},
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
    get readable() {
      if (!options.shared) return made;
      return made === null ? options.shared.found : dirname(made);
    },
    async open(name) {
      try {
        return await firstFree(join(await folder(), name));
      } catch (error) {
        throw systemError(error, "write", name);
      }
    },
    find: async (name, bytes) => made === null ? null : await sameFile(join(made, name), bytes),
    async folder(name) {
      try {
        return await Deno.makeTempDir({ dir: await folder(), prefix: `${name}-` });
      } catch (error) {
        throw systemError(error, "write", name);
      }
    },
  };
}

/** A name, and the same name with numbers. */
function* numbered(path: string): Generator<string> {
  const [, stem = path, ending = ""] = /^(.*?)(\.[^/]*)?$/.exec(path) ?? [];
  yield path;
  for (let number = 2; number < MAX_NUMBER; number++) yield `${stem}-${number}${ending}`;
}

/** Links are not followed. A file that cannot be read is another one. */
async function sameFile(path: string, bytes: Uint8Array): Promise<string | null> {
  for (const candidate of numbered(path)) {
    try {
      const { isFile, size } = await Deno.lstat(candidate);
      if (!isFile || size !== bytes.length) continue;
      const found = await readPlainSlowly(candidate, { maxBytes: size, mayHaveNames: true });
      if (found !== null && equalBytes(found, bytes)) return candidate;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      if (error instanceof ToolError && error.code === "limit_exceeded") continue;
      if (!(error instanceof Deno.errors.PermissionDenied)) throw systemError(error, "read", candidate);
    }
  }
  return null;
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

async function firstFree(path: string): Promise<{ path: string; file: Deno.FsFile }> {
  for (const candidate of numbered(path)) {
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

/**
 * Returns the folder for the runs in a workspace, by the folder itself and not by its name: a later folder of the same
 * name is another one. `null` if the system does not tell folders apart. Needs `read` of the workspace.
 */
export function runsOfWorkspace(runs: string, workspace: string): string | null {
  const { dev, ino, birthtime } = Deno.statSync(workspace);
  return ino === null ? null : join(runs, `of-${dev}-${ino}-${birthtime?.getTime() ?? 0}`);
}
