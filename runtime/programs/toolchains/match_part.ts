import { join, relative } from "@std/path";

import { isInside } from "../../walls/grants/inside.ts";
import { lstat, namesIn, realOrNull } from "../../walls/files/file_facts.ts";
import type { Part, Toolchain } from "./toolchain_table.ts";

/**
 * Returns what a folder of `PATH` needs of a toolchain, as paths below the toolchain's folder that may be missing;
 * `null` if it is none of its folders.
 *
 * @param root The toolchain's folder
 * @param folder Folder of `PATH`
 */
export function matchPart({ parts }: Toolchain, root: string, folder: string): readonly string[] | null {
  if (!isInside(root, folder)) return null;
  const names = relative(root, folder).split("/").filter((name) => name !== "");
  for (const part of parts) {
    const depth = matchedDepth(part, names);
    if (depth === null) continue;
    const matched = join(root, ...names.slice(0, depth));
    return part.shows.flatMap((path) => path === "$" ? [matched] : expand(root, path));
  }
  return null;
}

/** Returns the existing paths behind a pattern; `*` at its end stands for programs, elsewhere for any name. */
export function expand(root: string, pattern: string): string[] {
  if (pattern === "*") return programsIn(root);
  return pattern.split("/").reduce<string[]>((paths, name) => {
    if (!name.includes("*")) return paths.map((path) => join(path, name));
    const wanted = new RegExp(`^${name.split("*").map(RegExp.escape).join(".*")}$`);
    return paths.flatMap((path) =>
      namesIn(path).filter((one) => wanted.test(one)).map((one) => join(path, one))
    );
  }, [root]).filter((path) => lstat(path) !== null);
}

/** How many names of the path the part takes. */
function matchedDepth({ on }: Part, names: readonly string[]): number | null {
  const wanted = on === "" ? [] : on.split("/");
  // A toolchain's own folder is not the one for all that lies in it.
  if (wanted.length === 0) return names.length === 0 ? 0 : null;
  if (names.length < wanted.length) return null;
  return wanted.every((one, index) => one === "*" || one === names[index]) ? wanted.length : null;
}

function programsIn(root: string): string[] {
  return namesIn(root).map((name) => join(root, name)).filter((path) => {
    const real = realOrNull(path);
    const info = real === null || !isInside(root, real) ? null : lstat(real);
    return info !== null && info.isFile && ((info.mode ?? 0) & 0o111) !== 0;
  });
}
