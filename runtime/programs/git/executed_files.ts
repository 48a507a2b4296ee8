import { join } from "@std/path";

import type { Scope } from "../../../schemas/grants.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { GIT_PARTS } from "../../walls/git/git_folder.ts";
import { type KnownEntries, linksTo } from "./links_to.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { isInclude, pathsNamed } from "./named_paths.ts";
import { type Repository, repositoryAt } from "./repository.ts";
import { placeOf, type SettingsFile, SettingsReader, userSettings } from "./settings_files.ts";

/** Where {@linkcode ExecutedFiles} looks. */
export interface ExecutedOptions {
  /** The folder that tools work in, real. */
  workspace: string;
  /** What calls may write: nothing else is of interest. */
  write: Scope;
  /** The user's home, `""` if it is unknown. */
  home: string;
  /** The user's variables. */
  env: Readonly<Record<string, string>>;
}

/** What was found in the folders that calls may write. */
export interface FoundPlaces {
  /** Each `.git` of any kind, and each folder that git takes for a repository. */
  repositories: readonly string[];
  /** Links with a protected name. */
  links: readonly string[];
}

/** Files and folders that the user's tools execute, and why. Plain data: a later run may need it. */
export interface Executed {
  /** Reasons by real path; what is missing is among them if git would take it. */
  reasons: Readonly<Record<string, string>>;
  /** The files of settings that were read, with their stamps. */
  read: Readonly<Record<string, string>>;
  /** git's own folders, by device and inode. */
  folders: readonly string[];
}

/** Nothing is executed. */
export const NOTHING_EXECUTED: Executed = { reasons: {}, read: {}, folders: [] };

/** How many files of a folder of hooks are looked at: no repository makes so many itself. */
const MAX_HOOKS = 1_000;

/**
 * Finds what the user's tools execute in the folders that calls may write, as git and links resolve it: what files and
 * settings of repositories lead to. Names alone are the matter of `isProtected`. This is the one place that asks, for
 * tools and for programs. Runs nothing, and reads again only what has changed. Needs `read`.
 */
export class ExecutedFiles {
  readonly #options: ExecutedOptions;
  readonly #reader = new SettingsReader();
  /** The folders that calls may write, none of them in another one. They must stay writable as a whole. */
  readonly tops: readonly string[];

  constructor(options: ExecutedOptions) {
    this.#options = options;
    const { write, workspace } = options;
    const roots = write === true ? [workspace] : write;
    this.tops = roots.filter((root) => !roots.some((other) => other !== root && isInside(other, root)));
  }

  /**
   * @param options `before` is what was found before a program ran: what that program made is not believed, neither
   * its settings nor its repositories
   */
  find(
    { repositories, links }: FoundPlaces,
    { before }: { before?: Executed } = {},
  ): Executed {
    const { home, env, write } = this.#options;
    const trusts = (real: string, stamp: string) =>
      before === undefined || before.read[real] === stamp || !covers(write, real);
    const reasons = new Map<string, string>();
    const read = new Map<string, string>();
    const folders = new Set<string>();
    const known = new Set(before?.folders);
    const noteLink: Note = (at, why) => this.#noteOne(at, why, reasons);
    const seen: KnownEntries = new Map();
    const note: Note = (path, why) => {
      const { links, end } = linksTo(path, seen);
      for (const at of [...links, end]) noteLink(at, why);
    };
    const readAll = (files: readonly string[]) => {
      const found = this.#reader.read(files, { home, trusts, known: seen });
      for (const { real, stamp } of found) read.set(real, stamp);
      return found;
    };
    const own = userSettings(home, env);
    for (const path of own) note(path, "git reads its settings there");
    const general = readAll(own);
    this.#follow(general, { folders: [], trees: [] }, { note, seen });
    for (const place of repositories) {
      const found = repositoryAt(place, seen);
      if (found === null) continue;
      for (const link of found.links) noteLink(link, `it leads to the repository "${place}"`);
      for (const folder of found.folders) {
        const info = lstat(folder);
        const identity = info && identityOf(info);
        if (before && (identity === null || !known.has(identity))) continue;
        if (identity !== null) folders.add(identity);
        for (const part of GIT_PARTS) note(`${folder}/${part}`, `it belongs to the repository "${place}"`);
        this.#followHooks(`${folder}/hooks`, note);
      }
      const files = found.folders.flatMap((folder) => [`${folder}/config`, `${folder}/config.worktree`]);
      const settings = readAll(files);
      const trees = [...found.trees, ...workTrees(settings, seen)];
      this.#follow([...general, ...settings], { folders: found.folders, trees }, { note, seen });
    }
    for (const path of [...links, ...this.#linksOfHome()]) note(path, `the link "${path}" leads to it`);
    return { reasons: Object.fromEntries(reasons), read: Object.fromEntries(read), folders: [...folders] };
  }

  #noteOne(at: string, why: string, reasons: Map<string, string>): void {
    if (reasons.has(at) || !covers(this.#options.write, at) || isProtected(at)) return;
    if (!this.tops.some((top) => isInside(at, top))) reasons.set(at, why);
  }

  #follow(
    files: readonly SettingsFile[],
    { folders, trees }: Omit<Repository, "links">,
    { note, seen }: { note: Note; seen: KnownEntries },
  ): void {
    for (const file of files) {
      for (const setting of file.settings) {
        const key = [setting.section, setting.subsection, setting.name].filter((part) => part !== null).join(
          ".",
        );
        const why =
          `git ${isInclude(setting) ? "reads its settings there" : "runs or obeys it"} ("${key}" in ` +
          `"${file.path}" names it)`;
        const roots = [...trees, ...folders];
        for (const path of pathsNamed(setting, placeOf(file, { roots, home: this.#options.home }))) {
          const { end } = linksTo(path, seen);
          if (roots.some((root) => isInside(end, root))) continue;
          note(path, why);
          if (key === "core.hookspath") this.#followHooks(path, note);
        }
      }
    }
  }

  #followHooks(folder: string, note: Note): void {
    for (const { name } of entriesIn(folder).filter(({ isSymlink }) => isSymlink).slice(0, MAX_HOOKS)) {
      const path = `${folder}/${name}`;
      note(path, `git runs it (the link "${path}" leads to it)`);
    }
  }

  /** Shells and others read files of the home by name, also where they are links into the granted folders. */
  #linksOfHome(): string[] {
    const { home } = this.#options;
    if (home === "") return [];
    return [home, join(home, ".config")].flatMap((folder) =>
      entriesIn(folder).filter(({ isSymlink }) => isSymlink).map(({ name }) => join(folder, name))
    ).filter(isProtected);
  }
}

/** Tells a file or a folder from all others, also when it moves. */
export function identityOf({ dev, ino }: Pick<Deno.FileInfo, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

function entriesIn(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

type Note = (path: string, why: string) => void;

function workTrees(files: readonly SettingsFile[], seen: KnownEntries): string[] {
  return files.flatMap(({ path, settings }) =>
    settings.flatMap(({ section, name, value }) =>
      section === "core" && name === "worktree" && value
        ? [linksTo(value.startsWith("/") ? value : join(path, "..", value), seen).end]
        : []
    )
  );
}
