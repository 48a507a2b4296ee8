import { join } from "@std/path";
import { maxSatisfying, tryParse, tryParseRange } from "@std/semver";

import { isObject } from "../../../schemas/json/shape.ts";
import type { SourceFiles } from "./source_files.ts";

/** A package in Deno's cache: its folder has the version for its name. */
const IN_CACHE = /^(.*\/((?:@[^/]+\/)?[^/@]+)\/(\d[^/]*))(?:\/|$)/;

/**
 * Finds the folder of a package in Deno's cache, where versions of a package lie beside each other; `null` if none of
 * them is in the range.
 *
 * @param range As `package.json` has it, `""` for any version
 */
export function findInCache(cache: string, name: string, range: string): string | null {
  const wanted = tryParseRange(range === "" || range === "latest" ? "*" : range);
  if (wanted === undefined) return null;
  const there = versionsIn(join(cache, name));
  const versions = there.map((version) => tryParse(version)).filter((version) => version !== undefined);
  const best = maxSatisfying(versions, wanted);
  const found = best && there.find((version) => {
    const { major, minor, patch, prerelease = [] } = tryParse(version)!;
    const same = major === best.major && minor === best.minor && patch === best.patch;
    return same && prerelease.join(".") === (best.prerelease ?? []).join(".");
  });
  return found === undefined ? null : join(cache, name, found);
}

/** Returns which version of a package the package of a file in the cache asks for; `null` if it asks for none. */
export async function rangeOf(
  name: string,
  { importer, cache, files }: { importer: string; cache: string; files: SourceFiles },
): Promise<{ name: string; range: string } | null> {
  const [, home] = IN_CACHE.exec(importer.slice(cache.length)) ?? [];
  if (home === undefined) return null;
  const own = await files.json(join(cache, home, "package.json"));
  for (const field of ["dependencies", "optionalDependencies", "peerDependencies"]) {
    const ranges = own?.[field];
    const range = isObject(ranges) ? ranges[name] : undefined;
    if (typeof range !== "string") continue;
    const [, alias, aliased] = /^npm:((?:@[^/]+\/)?[^@/]+)(?:@(.*))?$/.exec(range) ?? [];
    return alias === undefined ? { name, range } : { name: alias, range: aliased ?? "" };
  }
  return null;
}

function versionsIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
