import { basename, dirname, isAbsolute, join } from "@std/path";

import type { IgnoreList, IgnoreLists } from "../../../schemas/context.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { readSettingsText } from "../../walls/files/open_plain.ts";
import { isSecretEntry } from "../../walls/grants/secret_paths.ts";
import { repositoryAt } from "./repository.ts";
import { SettingsReader, userSettings } from "./settings_files.ts";

/** Where the user's git keeps its settings. */
export interface IgnorePlaces {
  /** The user's home, `""` if it is unknown. */
  home: string;
  /** The user's variables. */
  env: Readonly<Record<string, string>>;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Returns git's lists of ignored files that a search below a folder does not see itself: the user's, that of the
 * repository, and those of the folders above. Runs nothing. Needs `read`.
 *
 * @param top Where the search starts to read lists itself
 */
export function ignoreLists(top: string, { home, env }: IgnorePlaces): IgnoreLists {
  const tree = treeAround(top);
  const found = tree === null ? null : repositoryAt(join(tree, ".git"));
  const folders = found?.folders ?? [];
  const user = userList({ home, env, folders });
  if (tree === null) return { user, above: [] };
  const common = folders.at(-1);
  const above: IgnoreList[] = [
    { folder: tree, text: user },
    { folder: tree, text: common === undefined ? "" : textOf(join(common, "info/exclude")) },
  ];
  const inner: IgnoreList[] = [];
  for (let at = top; at !== tree; at = dirname(at)) {
    inner.unshift({ folder: dirname(at), text: ownText(join(dirname(at), ".gitignore")) });
  }
  return { user, above: [...above, ...inner].filter(({ text }) => text.trim() !== "") };
}

/** The top of the working tree around a folder. */
function treeAround(folder: string): string | null {
  for (let at = folder;; at = dirname(at)) {
    if (lstat(join(at, ".git")) !== null) return at;
    if (at === dirname(at)) return null;
  }
}

function userList({ home, env, folders }: IgnorePlaces & { folders: readonly string[] }): string {
  const settings = [
    ...userSettings(home, env),
    ...folders.toReversed().flatMap((folder) => [join(folder, "config"), join(folder, "config.worktree")]),
  ];
  const named = new SettingsReader().read(settings, { home }).flatMap(({ settings }) =>
    settings.flatMap(({ section, subsection, name, value }) =>
      section === "core" && subsection === null && name === "excludesfile" ? [value ?? ""] : []
    )
  ).at(-1);
  const config = env.XDG_CONFIG_HOME || (home === "" ? "" : join(home, ".config"));
  const path = named === undefined
    ? join(config, "git/ignore")
    : named.startsWith("~/")
    ? join(home, named.slice(2))
    : named;
  return isAbsolute(path) && !isSecretEntry(path) && basename(path) !== "" ? textOf(path) : "";
}

function textOf(path: string): string {
  return readSettingsText(path, { maxBytes: MAX_BYTES }) ?? "";
}

/** git follows no link to a list of a working tree. */
function ownText(path: string): string {
  return lstat(path)?.isFile === true ? textOf(path) : "";
}
