import { dirname, isAbsolute, join } from "@std/path";

import { VERSION } from "./version.ts";

/** Code of a bundle that Deno has compiled, for rooms that may only read it: who writes it decides what they run. */
export interface CompiledCode {
  /** A cache of Deno, of which nothing changes once it is there. */
  folder: string;
  /** What is bulkhead's own of the user's folder for caches. */
  own: string;
  /** Whether it is there, and nobody else could have written it. */
  isThere(): boolean;
  /** Makes the folder: the words of a start of this program, which loads nothing of the user's. */
  fill: readonly string[];
}

/** Longest name of a folder; the end of a path tells more than its start. */
const NAME_LENGTH = 150;
const OTHERS_WRITE = 0o022;

/**
 * Says where the compiled code of a bundle stands, in the user's folder for caches. Needs `read`, and `sys` to know whose
 * the folder is.
 *
 * @param main Path of the bundle's main module
 * @param options `words` fill the folder that is named behind them
 * @returns `null` if the user has no such folder, or the user is not known
 */
export function compiledCode(
  main: string,
  { getEnv, words }: { getEnv: (name: string) => string | undefined; words: readonly string[] },
): CompiledCode | null {
  const caches = userCaches(getEnv);
  const uid = ownUid();
  if (caches === null || uid === undefined) return null;
  const own = join(caches, "bulkhead");
  // Two bundles of one name share a folder: the second finds nothing of its own there, and is slow as without one.
  const place = dirname(main).replace(/[^A-Za-z0-9]+/g, "-").slice(-NAME_LENGTH);
  const folder = join(own, "rooms", `${VERSION}-${Deno.version.deno}${place}`);
  return { folder, own, isThere: () => isOwnFolder(folder, uid), fill: [...words, folder] };
}

function userCaches(getEnv: (name: string) => string | undefined): string | null {
  const xdg = getEnv("XDG_CACHE_HOME") ?? "";
  const home = getEnv("HOME") ?? "";
  if (isAbsolute(xdg) && Deno.build.os !== "darwin") return xdg;
  if (!isAbsolute(home)) return null;
  return join(home, Deno.build.os === "darwin" ? "Library/Caches" : ".cache");
}

/** `undefined` in a program that may not ask. */
function ownUid(): number | null | undefined {
  try {
    return Deno.uid();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

function isOwnFolder(path: string, uid: number | null): boolean {
  try {
    const info = Deno.lstatSync(path);
    return info.isDirectory && info.uid === uid && ((info.mode ?? 0) & OTHERS_WRITE) === 0;
  } catch {
    return false;
  }
}
