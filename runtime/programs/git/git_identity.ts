import { dirname, isAbsolute, join, resolve } from "@std/path";

import { realOrNull } from "../../walls/files/file_facts.ts";
import { readSettingsText } from "../../walls/files/open_plain.ts";
import { readGitSettings } from "./read_settings.ts";
import { isGitDirLike } from "./is_git_dir_like.ts";

/** Where the user's git keeps its settings. */
export interface IdentityPlaces {
  /** The user's home, `""` if it is unknown. */
  home: string;
  /** Real path. */
  workspace: string;
  /** The user's variables. */
  env: Readonly<Record<string, string>>;
}

const SYSTEM_FILE = "/etc/gitconfig";
const MAX_BYTES = 1_048_576;
/** Longest chain of files that include each other, as in git. */
const MAX_DEPTH = 10;
const NAME = "user.name";
const EMAIL = "user.email";

/**
 * Returns the settings of git for the home of a sandbox: the user's name and address and nothing else. A repository's
 * own settings win over them. `""` if the user has none. Runs nothing. Needs `read`.
 */
export function gitIdentity({ home, workspace, env }: IdentityPlaces): string {
  const found = new Map<string, string>();
  const gitDir = gitDirOf(workspace);
  for (const file of filesOf(home, env)) {
    for (const [key, value] of settingsIn(file, { home, gitDir })) found.set(key, value);
  }
  const lines = [
    ["name", found.get(NAME) ?? env.GIT_AUTHOR_NAME],
    ["email", found.get(EMAIL) ?? env.GIT_AUTHOR_EMAIL ?? env.EMAIL],
  ].flatMap(([key, value]) => value ? [`\t${key} = ${quoted(value)}\n`] : []);
  return lines.length === 0 ? "" : `[user]\n${lines.join("")}`;
}

/** Later files win. */
function filesOf(home: string, env: IdentityPlaces["env"]): string[] {
  const named = env.GIT_CONFIG_GLOBAL;
  if (named !== undefined) return [SYSTEM_FILE, named];
  const settings = env.XDG_CONFIG_HOME || (home === "" ? "" : join(home, ".config"));
  return [SYSTEM_FILE, join(settings, "git/config"), join(home, ".gitconfig")].filter(isAbsolute);
}

function settingsIn(
  file: string,
  place: { home: string; gitDir: string | null },
  depth = 0,
): [key: string, value: string][] {
  const text = depth > MAX_DEPTH ? null : readText(file);
  if (text === null) return [];
  return readGitSettings(text).flatMap(({ section, subsection, name, value }) => {
    const key = `${section}.${name}`;
    if (value === null) return [];
    if (subsection === null && (key === NAME || key === EMAIL)) return [[key, value] as [string, string]];
    if (key !== "include.path" && key !== "includeif.path") return [];
    if (subsection !== null && !isGitDirLike(subsection, { ...place, file })) return [];
    const path = value.startsWith("~/") ? join(place.home, value.slice(2)) : resolve(dirname(file), value);
    return settingsIn(path, place, depth + 1);
  });
}

/** What is no plain file is left out: a pipe would never end. */
function readText(path: string): string | null {
  return readSettingsText(path, { maxBytes: MAX_BYTES });
}

/** The folder of the repository around the workspace. */
function gitDirOf(workspace: string): string | null {
  for (let at = workspace;; at = dirname(at)) {
    const path = join(at, ".git");
    const link = /^gitdir: (.+)$/m.exec(readText(path) ?? "")?.[1];
    const real = realOrNull(link === undefined ? path : resolve(at, link));
    if (real !== null || at === dirname(at)) return real;
  }
}

function quoted(value: string): string {
  // deno-lint-ignore no-control-regex
  const clean = value.replace(/[\x00-\x1f\x7f]/g, " ");
  return `"${clean.replace(/["\\]/g, "\\$&")}"`;
}
