import { dirname, isAbsolute, join, resolve } from "@std/path";

import { realOrNull } from "../../walls/files/file_facts.ts";
import { readSettingsText } from "../../walls/files/open_plain.ts";
import { expandHome } from "../../walls/grants/expand_home.ts";
import { type GitSetting, readGitSettings } from "./read_settings.ts";
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
/** Most settings of the environment. */
const MAX_OF_ENV = 1_000;
const MAX_BYTES = 1_048_576;
/** Longest chain of files that include each other, as in git. */
const MAX_DEPTH = 10;
const SAFE = "safe.directory";
/** Settings that decide whether git works here at all: each is a word, and none names a program or a file. */
const PLAIN_WORDS: readonly string[] = [
  ...[
    "safe.barerepository",
    "core.autocrlf",
    "core.eol",
    "core.safecrlf",
    "core.ignorecase",
    "core.symlinks",
  ],
  ...[
    "core.longpaths",
    "core.precomposeunicode",
    "core.protectntfs",
    "core.protecthfs",
    "core.bigfilethreshold",
  ],
  ...["init.defaultbranch", "pull.rebase", "pull.ff", "merge.ff", "rebase.autostash", "push.default"],
  ...["push.autosetupremote", "user.useconfigonly", "fetch.fsckobjects", "transfer.fsckobjects"],
  ...["protocol.allow", "protocol.*.allow"],
];
/** Remote helpers start programs, whatever they are called. */
const PLAIN_PROTOCOLS = /^(?:file|git|https?|ssh)$/;
const WORD = /^[\w./-]{1,64}$/;
const TEXTS: readonly string[] = ["user.name", "user.email"];

type Setting = [key: string, value: string, subsection?: string];

/**
 * Returns the settings of git for the home of a sandbox: the user's name and address, which folders of others the user
 * holds for safe, and words that decide whether git works. Nothing that names a program goes with them. A repository's
 * own settings win over them. `""` if the user has none. Runs nothing. Needs `read`.
 */
export function gitIdentity({ home, workspace, env }: IdentityPlaces): string {
  const gitDir = gitDirOf(workspace);
  const all = [
    ...filesOf(home, env).flatMap((file) => settingsIn(file, { home, gitDir })),
    ...settingsOfEnv(env),
  ];
  const found = new Map(all.filter(([key]) => key !== SAFE).map((one) => [`${one[0]} ${one[2] ?? ""}`, one]));
  const own = (key: string, value: string | undefined): Setting[] =>
    value && !found.has(`${key} `) ? [[key, value]] : [];
  const settings: Setting[] = [
    ...own("user.name", env.GIT_AUTHOR_NAME),
    ...own("user.email", env.GIT_AUTHOR_EMAIL ?? env.EMAIL),
    ...found.values(),
    ...safeFolders(all, home).map((folder): Setting => [SAFE, folder]),
  ];
  return settings.map(lineOf).join("");
}

function lineOf([key, value, subsection]: Setting): string {
  const [section, name] = [key.slice(0, key.indexOf(".")), key.slice(key.lastIndexOf(".") + 1)];
  return `[${section}${subsection ? ` ${quoted(subsection)}` : ""}]\n\t${name} = ${quoted(value)}\n`;
}

/** An empty value takes back those before it. The home of a sandbox is another one. */
function safeFolders(all: readonly Setting[], home: string): string[] {
  const values = all.filter(([key]) => key === SAFE).map(([, value]) => value);
  return values.slice(values.lastIndexOf("") + 1).map((value) => expandHome(value, home));
}

/** What `GIT_CONFIG_COUNT` and its variables say, as git reads them. */
function settingsOfEnv(env: IdentityPlaces["env"]): Setting[] {
  const count = Math.min(Number(env.GIT_CONFIG_COUNT ?? 0) || 0, MAX_OF_ENV);
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const [section = "", ...rest] = (env[`GIT_CONFIG_KEY_${at}`] ?? "").split(".");
    const name = rest.pop() ?? "";
    const subsection = rest.length === 0 ? null : rest.join(".");
    const value = env[`GIT_CONFIG_VALUE_${at}`] ?? null;
    return plainSetting({ section: section.toLowerCase(), subsection, name: name.toLowerCase(), value });
  });
}

/** Returns a setting if it may go into a sandbox. */
function plainSetting({ section, subsection, name, value }: GitSetting): Setting[] {
  const key = subsection === null ? `${section}.${name}` : `${section}.*.${name}`;
  // A name alone means yes.
  const said = value ?? "true";
  if (key === SAFE || value !== null && TEXTS.includes(key)) return [[key, said]];
  if (!PLAIN_WORDS.includes(key) || !WORD.test(said)) return [];
  if (subsection === null) return [[key, said]];
  return PLAIN_PROTOCOLS.test(subsection) ? [[`${section}.${name}`, said, subsection]] : [];
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
): Setting[] {
  const text = depth > MAX_DEPTH ? null : readText(file);
  if (text === null) return [];
  return readGitSettings(text).flatMap((setting) => {
    const { section, subsection, name, value } = setting;
    const key = `${section}.${name}`;
    const plain = plainSetting(setting);
    if (plain.length > 0 || value === null) return plain;
    if (key !== "include.path" && key !== "includeif.path") return [];
    if (subsection !== null && !isGitDirLike(subsection, { ...place, file })) return [];
    const path = resolve(dirname(file), expandHome(value, place.home));
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
