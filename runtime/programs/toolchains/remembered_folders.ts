import { dirname } from "@std/path";

import { readNamedText } from "../../walls/files/open_plain.ts";
import { NAME_RULES } from "../../walls/grants/secret_names.ts";
import type { KnownFolders, ScannedFolder } from "../protected/scan_folder.ts";

/** Fewer folders are read as fast as they are remembered. */
const MIN_FOLDERS = 32;
const OTHERS_WRITE = 0o022;

/** What the file holds. */
interface Kept {
  /** The rules by which secrets were told from other files: with others, all is looked through again. */
  rules: string;
  folders: [path: string, folder: ScannedFolder][];
}

/**
 * What earlier runs saw in the folders of toolchains, so that each run reads only those that have changed since. The
 * file is the user's own, and no program in a sandbox sees it.
 */
export class RememberedFolders implements KnownFolders {
  readonly #file: string;
  readonly #before: ReadonlyMap<string, ScannedFolder>;
  readonly #now = new Map<string, ScannedFolder>();
  #isNew = false;

  /** Reads the file. Needs `read`. */
  constructor(file: string) {
    this.#file = file;
    this.#before = read(file);
  }

  get(path: string): ScannedFolder | undefined {
    const folder = this.#now.get(path) ?? this.#before.get(path);
    if (folder !== undefined) this.#now.set(path, folder);
    return folder;
  }

  set(path: string, folder: ScannedFolder): void {
    this.#isNew = true;
    this.#now.set(path, folder);
  }

  delete(path: string): void {
    this.#now.delete(path);
  }

  /** Writes what this run saw, if it saw anything new. If it cannot be written, it is not remembered. Needs `write`. */
  keep(): void {
    if (!this.#isNew || this.#now.size < MIN_FOLDERS) return;
    const kept: Kept = { rules: NAME_RULES, folders: [...this.#now] };
    const own = `${this.#file}.${crypto.randomUUID()}`;
    try {
      Deno.mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      Deno.writeTextFileSync(own, JSON.stringify(kept), { mode: 0o600, createNew: true });
      Deno.renameSync(own, this.#file);
    } catch {
      remove(own);
    }
  }
}

/** What others could have written is not believed. */
function read(file: string): Map<string, ScannedFolder> {
  try {
    const { isFile, uid, mode } = Deno.lstatSync(file);
    if (!isFile || uid !== Deno.uid() || ((mode ?? OTHERS_WRITE) & OTHERS_WRITE) !== 0) return new Map();
    const { rules, folders }: Kept = JSON.parse(readNamedText(file));
    return new Map(rules === NAME_RULES ? folders : []);
  } catch {
    return new Map();
  }
}

function remove(file: string): void {
  try {
    Deno.removeSync(file);
  } catch {
    // It was never made.
  }
}
