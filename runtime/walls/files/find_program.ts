import { isAbsolute, join } from "@std/path";

/**
 * Returns the absolute path of a program on a search path, or `null`. Needs `read` of the folders.
 *
 * @param mayBe Says whether a program of this path is meant. @default any
 */
export function findProgram(
  name: string,
  searchPath: string,
  mayBe: (path: string) => boolean = () => true,
): string | null {
  for (const folder of searchPath.split(":")) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    try {
      const info = Deno.statSync(path);
      if (info.isFile && (info.mode ?? 0) & 0o111 && mayBe(path)) return path;
    } catch (error) {
      // This user may not read the folder, so it holds no programs for them.
      if (error instanceof Deno.errors.NotCapable) throw error;
    }
  }
  return null;
}
