import { dirname, isAbsolute, join } from "@std/path";

import { lstat } from "../../walls/files/file_facts.ts";
import { readSettingsText } from "../../walls/files/open_plain.ts";
import { type KnownEntries, linksTo } from "./links_to.ts";
import { type GitSetting, readGitSettings } from "./read_settings.ts";
import { isInclude, pathsNamed } from "./named_paths.ts";

/** A file of settings, with what git includes from it. */
export interface SettingsFile {
  /** As it is named. */
  path: string;
  /** Real path. */
  real: string;
  /** Another one when the file has changed. */
  stamp: string;
  settings: readonly GitSetting[];
}

const MAX_BYTES = 4 * 1024 * 1024;
/** Longest chain of files that include each other, as in git. */
const MAX_DEPTH = 10;
/** Where git is often built to look. */
const SYSTEM_FILES = ["/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"];

/** Returns the files with settings for all repositories of the user; they need not exist. */
export function userSettings(home: string, env: Readonly<Record<string, string>>): string[] {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, XDG_CONFIG_HOME } = env;
  const config = XDG_CONFIG_HOME || (home === "" ? "" : join(home, ".config"));
  const own = home === "" ? [] : [join(home, ".gitconfig")];
  return [
    GIT_CONFIG_SYSTEM ?? "",
    ...SYSTEM_FILES,
    GIT_CONFIG_GLOBAL ?? "",
    join(config, "git/config"),
    ...own,
  ]
    .filter(isAbsolute);
}

/** Reads files of settings, and again only those that have changed. */
export class SettingsReader {
  readonly #known = new Map<string, { stamp: string; settings: readonly GitSetting[] }>();

  /**
   * Reads files and all that they include. Conditions of includes count as fulfilled. Needs `read`.
   *
   * @param options `trusts` says whether a file that has this stamp is read. @default all are
   */
  read(
    files: readonly string[],
    { home, trusts = () => true, known }: {
      home: string;
      trusts?: (real: string, stamp: string) => boolean;
      known?: KnownEntries;
    },
  ): SettingsFile[] {
    const found = new Map<string, SettingsFile>();
    const visit = (path: string, depth: number) => {
      const real = linksTo(path, known).end;
      if (depth > MAX_DEPTH || found.has(real)) return;
      const stamp = stampOf(real);
      if (stamp === null || !trusts(real, stamp)) return;
      const settings = this.#settingsIn(real, stamp);
      found.set(real, { path, real, stamp, settings });
      for (const setting of settings.filter(isInclude)) {
        for (const next of pathsNamed(setting, placeOf({ path, real }, { roots: [], home }))) {
          visit(next, depth + 1);
        }
      }
    };
    for (const file of files) visit(file, 0);
    return [...found.values()];
  }

  #settingsIn(real: string, stamp: string): readonly GitSetting[] {
    const known = this.#known.get(real);
    if (known?.stamp === stamp) return known.settings;
    const settings = readGitSettings(textOf(real));
    this.#known.set(real, { stamp, settings });
    return settings;
  }
}

/** Returns where the paths of a file's settings start. */
export function placeOf(
  { path, real }: Pick<SettingsFile, "path" | "real">,
  { roots, home }: { roots: readonly string[]; home: string },
): Parameters<typeof pathsNamed>[1] {
  return { beside: [...new Set([dirname(path), dirname(real)])], roots, home, kindOf };
}

/** `null` if it is no file of settings. */
function stampOf(path: string): string | null {
  const info = lstat(path);
  if (!info?.isFile || info.size > MAX_BYTES) return null;
  return [info.dev, info.ino, info.size, info.mtime?.getTime(), info.ctime?.getTime()].join(":");
}

function kindOf(path: string): "file" | "folder" | null {
  try {
    return Deno.statSync(path).isDirectory ? "folder" : "file";
  } catch {
    return null;
  }
}

function textOf(path: string): string {
  return readSettingsText(path, { maxBytes: MAX_BYTES }) ?? "";
}
