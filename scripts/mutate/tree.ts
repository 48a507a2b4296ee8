import { dirname, join } from "@std/path";

import { mutated, type Mutation } from "./mutation.ts";

/** A copy of the repository in which one mutation after the other is made. */
export interface Tree {
  folder: string;
  /** Makes a mutation, and takes it back when that is disposed of. */
  mutate(mutation: Mutation): Promise<AsyncDisposable>;
}

/**
 * Copies all files of the repository that git knows or would take. Needs `read`, `write` and `run`.
 *
 * @param folder Must not be there yet
 */
export async function copyTree(root: string, folder: string): Promise<Tree> {
  const { success, stdout } = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: root,
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`git does not list the files of ${root}`);
  const paths = new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
  for (const path of paths) {
    const to = join(folder, path);
    await Deno.mkdir(dirname(to), { recursive: true });
    await copyEntry(join(root, path), to);
  }
  return {
    folder,
    async mutate(mutation) {
      const path = join(folder, mutation.file);
      const text = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, mutated(text, mutation));
      return { [Symbol.asyncDispose]: () => Deno.writeTextFile(path, text) };
    },
  };
}

async function copyEntry(from: string, to: string): Promise<void> {
  try {
    const { isSymlink } = await Deno.lstat(from);
    if (isSymlink) await Deno.symlink(await Deno.readLink(from), to);
    else await Deno.copyFile(from, to);
  } catch (error) {
    // Git still knows a file that was removed.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
