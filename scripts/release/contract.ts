import { format, greaterOrEqual, increment, parse, type SemVer } from "@std/semver";

import { type Change, type ChangeKind, compareLock, type Lock } from "../../schemas/json/lock.ts";

/** Which number of a version a change raises. */
export type Bump = "major" | "minor" | "patch";

/** What breaks nobody who uses a tool; all other changes can. */
const HARMLESS: ReadonlySet<ChangeKind> = new Set(["added", "argument now optional"]);

/**
 * Says which number must grow from one release to the next: what breaks callers of tools needs a new major version, and what
 * adds to them a new minor one. Before 1.0 each number stands one place further right, as semver has it.
 */
export function neededBump(changes: readonly Change[], since: SemVer): Bump {
  const isBreaking = changes.some(({ kind, detail }) =>
    !HARMLESS.has(kind) && !(kind === "argument added" && detail.endsWith("is optional"))
  );
  if (changes.length === 0) return "patch";
  if (since.major === 0) return isBreaking ? "minor" : "patch";
  return isBreaking ? "major" : "minor";
}

/**
 * Compares the tools with those of the last release.
 *
 * @returns What is wrong with the version, `null` if nothing is
 */
export function versionFault(
  last: { version: string; lock: Lock },
  now: { version: string; lock: Lock },
): string | null {
  const [since, version] = [parse(last.version), parse(now.version)];
  const changes = compareLock(last.lock, now.lock);
  const bump = neededBump(changes, since);
  const least = increment(since, bump);
  if (greaterOrEqual(version, least)) return null;
  const told = changes.map(({ detail }) => `\n  ${detail}`).join("");
  return `Version ${now.version} is too small after ${last.version}: the least is ${format(least)}` +
    (told === "" ? "" : `, because these changed:${told}`);
}
