/**
 * Works in a folder: a folder that is stood in stays the same, while its path may lead elsewhere at any moment, and Deno
 * has no other handle for one. All of it happens in one turn, and absolute paths do not depend on it. Needs `read`.
 *
 * @param folder Absolute, real path
 * @throws {Error} If a link has taken the place of a folder above, or the folder cannot be stood in
 */
export function inFolder<T>(folder: string, work: () => T): T {
  const before = currentFolder();
  Deno.chdir(folder);
  try {
    if (Deno.cwd() !== folder) throw new Error("a folder above it was replaced by a link");
    return work();
  } finally {
    Deno.chdir(before);
  }
}

/** One that was removed cannot be gone back to. */
function currentFolder(): string {
  try {
    return Deno.realPathSync(Deno.cwd());
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return "/";
  }
}
