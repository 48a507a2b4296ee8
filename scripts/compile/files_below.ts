import { join } from "@std/path";

/** Returns the paths of all files below a folder, seen from it, in one order everywhere. */
export function filesBelow(folder: string, below = ""): string[] {
  return [...Deno.readDirSync(join(folder, below))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(folder, join(below, name)) : [join(below, name)]
  ).sort();
}
