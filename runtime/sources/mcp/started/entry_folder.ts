import { basename, dirname, join } from "@std/path";

import { realOrNull } from "../../../walls/files/file_facts.ts";
import type { McpPlace } from "../../source.ts";

/** Where clients keep the settings of their user, below the home. */
const USER_FILES = [
  ".codex/config.toml",
  ".cursor/mcp.json",
  ".gemini/settings.json",
  ".codeium/windsurf/mcp_config.json",
  ...[".config", "Library/Application Support"].flatMap((folder) =>
    [
      "Claude/claude_desktop_config.json",
      "Code/User/mcp.json",
      "zed/settings.json",
      "opencode/opencode.json",
      "opencode/opencode.jsonc",
    ].map((file) => `${folder}/${file}`)
  ),
];
/** Folders of a project in which clients keep its file. */
const CLIENT_FOLDERS = [".cursor", ".gemini", ".vscode", ".zed", ".codex"];

/**
 * Returns the folder that the entries of a place speak for: they came with it, maybe from anywhere. Needs `read`.
 *
 * @param home The user's real home, `""` if it is unknown
 * @returns `null` for the user's own settings: they may name programs anywhere
 */
export function entryFolder(place: McpPlace, home: string): string | null {
  if ("servers" in place) return place.folder === undefined ? null : realOrNull(place.folder) ?? place.folder;
  const real = realOrNull(place.file) ?? place.file;
  const folder = dirname(real);
  const isUsers = home !== "" &&
    (folder === home || USER_FILES.some((file) => real === join(home, file)));
  if (isUsers) return null;
  return CLIENT_FOLDERS.includes(basename(folder)) ? dirname(folder) : folder;
}
