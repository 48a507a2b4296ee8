/**
 * Works inside a folder. The current folder stays the same folder, while its path may lead elsewhere at any
 * moment, and Deno has no other handle for a folder. All of it happens in one turn. Absolute paths do not
 * depend on it. Needs `read`.
 *
 * Unless Deno may do everything, it makes relative paths absolute before it uses them. So a folder that is swapped during
 * the work can still lead elsewhere, and the work must be short.
 *
 * @param folder Absolute, real path
 * @throws {Error} If a link has replaced a folder above it, or the folder cannot be made the current one
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

/** A folder that was removed cannot become the current one again. */
function currentFolder(): string {
  try {
    return Deno.realPathSync(Deno.cwd());
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return "/";
  }
}
