import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { ToolLimits } from "../../../schemas/config.ts";
import type { Permission } from "../../../schemas/permission.ts";
import { matchesPattern } from "../../walls/grants/permission.ts";
import type { LoadedConfig } from "./loaded_config.ts";

/**
 * Returns a tool as the user configured it.
 *
 * @param given Limits that win over the configuration's, by full name, or with `*` for any part of it. A project's
 * file may still lower them.
 */
export function applyToolConfig(
  entry: ManifestEntry,
  { config, projectTools }: LoadedConfig,
  given: Readonly<Record<string, ToolLimits>> = {},
): ManifestEntry {
  const [permission] = mostExact(config.tools ?? {}, entry.full_name, "permission");
  const { timeout_ms, concurrency } = entry.limits;
  const limit = (field: keyof ToolLimits, usual: number | null) => {
    const named = mostExact(given, entry.full_name, field);
    const own = named.length > 0 ? named : mostExact(config.tools ?? {}, entry.full_name, field);
    const projects = mostExact(projectTools, entry.full_name, field);
    const least = Math.min(...(own.length > 0 ? own : [usual ?? Infinity]), ...projects);
    return least === Infinity ? null : least;
  };
  const seconds = limit("timeout_seconds", timeout_ms === null ? null : timeout_ms / 1000);
  return {
    ...entry,
    limits: {
      ...entry.limits,
      timeout_ms: seconds === null ? null : seconds * 1000,
      concurrency: limit("concurrency", concurrency),
    },
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
