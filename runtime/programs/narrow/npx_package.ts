import { join } from "@std/path";

import { realOrNull } from "../../walls/files/file_facts.ts";
import { readSettingsText } from "../../walls/files/open_plain.ts";

/** A package that npx keeps. */
export interface NpxPackage {
  /** Its own words, without npx: npx would want to write its cache. */
  argv: readonly string[];
  /** The folder with it and all that it needs. */
  folder: string;
}

/** Larger files describe no package, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const QUIET = ["-y", "--yes", "-q", "--quiet", "--silent", "--prefer-offline", "--offline"];

/** Reads words after `npx` of the usual form: quiet options, a package, its arguments. `null` for any other. */
export function readNpx(args: readonly string[]): { spec: string; args: readonly string[] } | null {
  const at = args.findIndex((word) => !QUIET.includes(word));
  const spec = args[at];
  if (spec === undefined || !/^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~-]+)?$/.test(spec)) return null;
  return { spec, args: args.slice(at + 1) };
}

/**
 * Finds the package that npx would run, as npx keeps it from an earlier time. Needs `read`.
 *
 * @returns `null` if npx keeps none for these words
 */
export function npxPackage(args: readonly string[], cache: string): NpxPackage | null {
  const read = readNpx(args);
  if (read === null) return null;
  const name = read.spec.replace(/(.)@[^@/]*$/, "$1");
  for (const folder of foldersIn(join(cache, "_npx"))) {
    const kept = jsonOrNull(join(folder, "package.json"))?._npx as { packages?: unknown } | undefined;
    if (JSON.stringify(kept?.packages) !== JSON.stringify([read.spec])) continue;
    const at = join(folder, "node_modules", name);
    const bin = binOf(jsonOrNull(join(at, "package.json"))?.bin, name);
    const file = bin === null ? null : realOrNull(join(at, bin));
    if (file !== null) return { argv: ["node", file, ...read.args], folder };
  }
  return null;
}

/** npx takes the only program of a package, else that of its name. */
function binOf(bin: unknown, name: string): string | null {
  if (typeof bin === "string") return bin;
  if (typeof bin !== "object" || bin === null) return null;
  const files = Object.entries(bin);
  const own = new Set(files.map(([, file]) => file)).size === 1
    ? files[0]
    : files.find(([key]) => key === name.split("/").at(-1));
  return typeof own?.[1] === "string" ? own[1] : null;
}

function foldersIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => join(folder, name)).sort();
  } catch {
    return [];
  }
}

function jsonOrNull(path: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readSettingsText(path, { maxBytes: MAX_BYTES }) ?? "");
    return typeof value === "object" && value !== null ? value as Record<string, unknown> : null;
  } catch {
    return null;
  }
}
