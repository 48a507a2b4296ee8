import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";

/** Fields that hold servers in files whose clients want another one. */
const USUAL_KEYS = ["mcpServers", "servers"];

/**
 * Returns the servers of a document by their names, from the first field that holds some; `null` if none does. Some
 * write them as a list, with their names in it; a name that is there twice counts once.
 *
 * @param key Field of the file's own client, which is looked at first
 */
export function serverEntries(
  document: Readonly<Record<string, unknown>>,
  key = "mcpServers",
): Record<string, unknown> | null {
  return [key, ...USUAL_KEYS].map((name) => byName(document[name])).find((entries) => entries !== null) ??
    null;
}

/** Says whether a document writes servers as a list of which one has no name. */
export function hasNamelessServers(document: Readonly<Record<string, unknown>>, key = "mcpServers"): boolean {
  return serverEntries(document, key) === null &&
    [key, ...USUAL_KEYS].some((name) => hasEntries(document[name]));
}

/** Returns servers by their names; `null` for what is neither an object nor a list of named ones. */
export function byName(entries: unknown): Record<string, unknown> | null {
  if (isObject(entries)) return entries;
  if (!Array.isArray(entries) || entries.length === 0) return null;
  const named = new Map<string, unknown>();
  for (const entry of entries) {
    const name = isObject(entry) ? entry.id ?? entry.name : undefined;
    if (typeof name !== "string") return null;
    if (!named.has(name)) named.set(name, entry);
  }
  return Object.fromEntries(named);
}

/** Says how servers in a list are named. */
export function namelessServers(path: string): ToolError {
  const message =
    `Cannot read file "${path}": its servers are a list, where each needs its name as "id" or "name"`;
  return new ToolError("configuration", message);
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
