import { isAbsolute, join, relative } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { parseJsonc } from "../../../schemas/json/jsonc.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import {
  hasNamelessServers,
  namelessServers,
  serverEntries,
} from "../../sources/mcp/config/server_entries.ts";
import type { ProjectFile } from "../../sources/source.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { type ConfigFile, readSettings } from "./find_config.ts";

/** Where a project names MCP servers for all of its users. */
const SERVERS_FILE = ".mcp.json";

/**
 * Returns what a project's file adds to the tools of a run. All of it must lie in the project.
 *
 * @param folder Real path of the project
 * @param warnings Gets a sentence for each path that leads elsewhere
 */
export function projectAdds(
  { path, real, text, config: { tool_files = [] } }: ConfigFile,
  folder: string,
  warnings: string[],
): ProjectFile[] {
  const toolFiles = tool_files.flatMap((name, at) => {
    const named = join(folder, name);
    const real = realOrNull(named) ?? named;
    const isNamedWithin = !isAbsolute(name) && !name.startsWith("~") && isInside(folder, named);
    if (isNamedWithin && isInside(folder, real)) return [named];
    const why = isNamedWithin
      ? `it leads out of the project, to "${real}"`
      : "write a path in the project, that starts there";
    warnings.push(`project configuration ${path}: tool_files[${at}] ignored: ${why}`);
    return [];
  });
  if (toolFiles.length === 0) return [];
  const adds = `tools of ${toolFiles.map((one) => relative(folder, one) || ".").join(", ")}`;
  return [{ folder, name: relative(folder, real), kind: "settings", text, toolFiles, adds }];
}

/**
 * Returns the MCP servers that a project names. Needs `read`.
 *
 * @param warnings Gets a sentence if the file cannot be read: it is not bulkhead's own
 */
export function projectServers(folder: string, warnings: string[]): ProjectFile[] {
  const path = join(folder, SERVERS_FILE);
  try {
    const file = readSettings(path, folder);
    const servers = file === null ? [] : serversOf(file.text);
    if (file === null || servers.length === 0) return [];
    const adds = `servers ${servers.join(", ")}`;
    return [{ folder, name: SERVERS_FILE, kind: "servers", text: file.text, toolFiles: [], adds }];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    warnings.push(`${error.message}; its servers are left out`);
    return [];
  }
}

/** A word says which they are; all that they are is told by whoever asks the user. */
function serversOf(text: string): string[] {
  const document = parseJsonc(text, `file "${SERVERS_FILE}"`);
  if (!isObject(document)) return [];
  if (hasNamelessServers(document)) throw namelessServers(SERVERS_FILE);
  return Object.keys(serverEntries(document) ?? {});
}
