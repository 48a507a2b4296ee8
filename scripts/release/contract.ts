import { join } from "@std/path";
import { format, greaterOrEqual, increment, parse, type SemVer, tryParse } from "@std/semver";

import { ToolError } from "../../schemas/error.ts";
import { type Change, type ChangeKind, compareLock, type Lock, parseLock } from "../../schemas/json/lock.ts";

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

/** Where the lock of the last release lies, below the folder of the configuration file. There is none before the first. */
const LAST_LOCK = "scripts/release/tools.lock.json";
const CHANGES = "scripts/release/CHANGELOG.md";

/**
 * Checks that a version can be released: it is large enough for what changed since the last release, and the changes tell of
 * it. Needs `--allow-read`.
 *
 * @param options `previous` is the lock of the last release. @default the one in `scripts/release`, if it is there
 * @throws {ToolError} `invalid_input` if something is wrong with it, `not_found` without the named lock
 */
export function checkVersion(
  { root, version, lock }: { root: string; version: string; lock: Lock },
  { previous }: { previous: string | null },
): void {
  const isTold = Deno.readTextFileSync(join(root, CHANGES)).split("\n").includes(`## ${version}`);
  if (!isTold) {
    throw new ToolError(
      "invalid_input",
      `${CHANGES} does not tell of ${version}: add a chapter "## ${version}"`,
    );
  }
  const path = previous ?? join(root, LAST_LOCK);
  const text = textOf(path);
  if (text === null && previous === null) return;
  if (text === null) {
    throw new ToolError("not_found", `${path} is not there: name the lock of the last release`);
  }
  const last = parseLock(text, path);
  const { release } = JSON.parse(text) as { release?: unknown };
  if (typeof release !== "string" || tryParse(release) === undefined) {
    throw new ToolError("invalid_input", `${path} is not the tools.lock.json of a release`);
  }
  const fault = versionFault({ version: release, lock: last }, { version, lock });
  if (fault !== null) throw new ToolError("invalid_input", fault);
}

function textOf(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
