import { dirname, join } from "@std/path";

import { lstat, namesIn } from "../../walls/files/file_facts.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";
import { PATH_RULES } from "../../walls/grants/protected_paths.ts";
import { NAME_RULES } from "../../walls/grants/secret_names.ts";
import type { KnownFolders, ScannedFolder } from "./scan_folder.ts";

/** Fewer folders are read as fast as they are remembered. */
const MIN_FOLDERS = 32;
const OTHERS_WRITE = 0o022;
const RULES = `${NAME_RULES} ${PATH_RULES}`;
/** Most files beside each other: that of a workspace that is used no more goes. */
const MAX_FILES = 50;

/** What the file holds. */
interface Kept {
  /** The rules by which files were told from others: with other rules, all is looked through again. */
  rules: string;
  folders: [path: string, folder: ScannedFolder][];
}

/**
 * What earlier runs saw in the folders of a workspace or of toolchains, so that each run reads only those that have
 * changed since. The file is the user's own, and no program in a sandbox sees it.
 */
export class RememberedFolders implements KnownFolders {
  readonly #file: string | null;
  #before: ReadonlyMap<string, ScannedFolder> | undefined;
  readonly #now = new Map<string, ScannedFolder>();
  #fresh = 0;

  readonly doubtsMerged: boolean;

  /**
   * Reads nothing before the first question, which needs `read`.
   *
   * @param file `null`: this run alone remembers
   */
  constructor(file: string | null, { doubtsMerged = false }: { doubtsMerged?: boolean } = {}) {
    this.#file = file;
    this.doubtsMerged = doubtsMerged;
  }

  get(path: string): ScannedFolder | undefined {
    const folder = this.#now.get(path) ?? (this.#before ??= read(this.#file)).get(path);
    if (folder !== undefined) this.#now.set(path, folder);
    return folder;
  }

  set(path: string, folder: ScannedFolder): void {
    this.#fresh++;
    this.#now.set(path, folder);
  }

  delete(path: string): void {
    this.#now.delete(path);
  }

  /**
   * Writes what this run saw, unless it is hardly anything new. If it cannot be written, it is not remembered. Needs `read`
   * and `write`.
   */
  keep(): void {
    if (this.#file === null || this.#fresh < MIN_FOLDERS) return;
    this.#fresh = 0;
    const kept: Kept = {
      rules: RULES,
      folders: [...this.#now].map(([path, folder]) => [path, plain(folder)]),
    };
    const own = `${this.#file}.${crypto.randomUUID()}`;
    try {
      Deno.mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      Deno.writeTextFileSync(own, JSON.stringify(kept), { mode: 0o600, createNew: true });
      Deno.renameSync(own, this.#file);
      removeOldest(dirname(this.#file));
    } catch {
      remove(own);
    }
  }
}

/** What others could have written is not believed. */
function read(file: string | null): Map<string, ScannedFolder> {
  if (file === null) return new Map();
  try {
    const { isFile, uid, mode } = Deno.lstatSync(file);
    if (!isFile || uid !== Deno.uid() || ((mode ?? OTHERS_WRITE) & OTHERS_WRITE) !== 0) return new Map();
    const { rules, folders }: Kept = JSON.parse(readNamedText(file));
    return new Map(rules === RULES ? folders : []);
  } catch {
    return new Map();
  }
}

/** The facts about names that are no UTF-8 are not kept: they are asked for again. */
function plain(folder: ScannedFolder): ScannedFolder {
  const { odd, ...rest } = folder;
  return odd?.length === 0 ? folder : rest;
}

function removeOldest(folder: string): void {
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  if (names.length <= MAX_FILES) return;
  const ages = names.map((name) => join(folder, name))
    .map((path) => ({ path, time: lstat(path)?.mtime?.getTime() ?? 0 })).sort((a, b) => a.time - b.time);
  for (const { path } of ages.slice(0, names.length - MAX_FILES)) remove(path);
}

function remove(file: string): void {
  try {
    Deno.removeSync(file);
  } catch {
    // It was never made.
  }
}
