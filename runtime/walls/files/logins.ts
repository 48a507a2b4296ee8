import { basename } from "@std/path";

import { readSettingsText } from "./open_plain.ts";

/** Files in which git keeps addresses and headers. */
const NAMES = new Set(["config", "config.worktree", ".gitconfig"]);
/** Larger files are no settings, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
/** A password or a token before the host of an address, and a header that logs in. */
const LOGIN = new RegExp(
  [
    '(:\\/\\/)(?:[^\\s/@:"]{0,500}:[^\\s/@"]{1,500}|(?=[^\\s/@]{0,500}\\d)(?=[^\\s/@]{0,500}[a-z])[^\\s/@:"]{12,500})@',
    '(authorization[ \\t]{0,9}:)[^\\n"]{1,4000}',
  ].join("|"),
  "gi",
);

/**
 * Returns the settings of git in a file without what logs in somewhere.
 *
 * @param path Absolute, real path. Needs `read`
 * @returns `null` if the file holds no settings of git, or nothing that logs in
 */
export function withoutLogins(path: string): string | null {
  if (!NAMES.has(basename(path).toLowerCase())) return null;
  const text = settingsIn(path);
  const plain = stripLogins(path, text);
  return plain === text ? null : plain;
}

/** Returns a text that a file of this name holds without what logs in somewhere, if it may be one with settings of git. */
export function stripLogins(path: string, text: string): string {
  if (!NAMES.has(basename(path).toLowerCase())) return text;
  return text.replace(LOGIN, (_, address = "", header = "") => address + header);
}

function settingsIn(path: string): string {
  return readSettingsText(path, { maxBytes: MAX_BYTES }) ?? "";
}
