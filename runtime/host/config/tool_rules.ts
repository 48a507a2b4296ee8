import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Permission } from "../../../schemas/permission.ts";
import { matchesPattern } from "../../walls/grants/permission.ts";
import type { LoadedConfig } from "./loaded_config.ts";

/** Returns a tool as the user configured it. */
export function applyToolConfig(entry: ManifestEntry, { config, projectTools }: LoadedConfig): ManifestEntry {
  const own = mostExact(config.tools ?? {}, entry.full_name, "timeout_seconds");
  const projects = mostExact(projectTools, entry.full_name, "timeout_seconds");
  const [permission] = mostExact(config.tools ?? {}, entry.full_name, "permission");
  const usual = entry.limits.timeout_ms === null ? Infinity : entry.limits.timeout_ms / 1000;
  const seconds = Math.min(...(own.length > 0 ? own : [usual]), ...projects);
  return {
    ...entry,
    limits: { ...entry.limits, timeout_ms: seconds === Infinity ? null : seconds * 1000 },
    permission: permission ?? entry.permission,
  };
}

/**
 * Returns all permissions that must allow a call of a tool: the user's or else the tool's own, and the
 * project's.
 *
 * @param options `withOwn: false` leaves the tool's own out: another permission replaces it
 */
export function permissionsOf(
  entry: ManifestEntry,
  { config, projectTools }: LoadedConfig,
  { withOwn = true }: { withOwn?: boolean } = {},
): Permission[] {
  const own = mostExact(config.tools ?? {}, entry.full_name, "permission");
  const projects = mostExact(projectTools, entry.full_name, "permission");
  return [...(own.length > 0 || !withOwn ? own : [entry.permission]), ...projects];
}

/**
 * Returns the values of the most exact matching entries that have a field: the entry without `*`, else the
 * one with the longest text beside it. Several may be equally exact: `par/*` and `*bash`.
 */
export function mostExact<Entry extends object, Field extends keyof Entry>(
  entries: Readonly<Record<string, Entry>>,
  toolName: string,
  field: Field,
): NonNullable<Entry[Field]>[] {
  const found = Object.entries(entries).flatMap(([pattern, entry]) => {
    const value = entry[field];
    if (value === undefined || value === null || !matchesPattern(pattern, toolName)) return [];
    const exactness = pattern.includes("*") ? pattern.replaceAll("*", "").length : Infinity;
    return [{ exactness, value }];
  });
  const most = Math.max(...found.map(({ exactness }) => exactness));
  return found.filter(({ exactness }) => exactness === most).map(({ value }) => value);
}
