import { join } from "node:path";

/**
 * Moves a file or a folder, also to another disk. Links are not followed: on another disk they become files that say
 * where they led. Needs `read` and `write`; throws what the system throws.
 */
export function moveTree(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    copyTree(from, to);
    Deno.removeSync(from, { recursive: true });
  }
}

function copyTree(from: string, to: string): void {
  const info = Deno.lstatSync(from);
  if (info.isDirectory) {
    Deno.mkdirSync(to);
    for (const { name } of Deno.readDirSync(from)) copyTree(join(from, name), join(to, name));
  } else if (info.isSymlink) Deno.writeTextFileSync(to, `link to ${Deno.readLinkSync(from)}\n`);
  else if (info.isFile) Deno.copyFileSync(from, to);
}
