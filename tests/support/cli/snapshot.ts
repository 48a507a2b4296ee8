/** Returns every path below a folder with what is there: links by their target, files by mode and content. */
export function snapshot(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const visit = (path: string) => {
    const info = lookAt(path);
    // So it is with a name that is not UTF-8, too.
    if (info === null) return void (seen[path] = "not there by this name");
    if (info.isSymlink) seen[path] = `-> ${Deno.readLinkSync(path)}`;
    else if (info.isFile) seen[path] = `${info.mode?.toString(8)} ${Deno.readTextFileSync(path)}`;
    else if (info.isDirectory) {
      seen[path] = "folder";
      for (const { name } of Deno.readDirSync(path)) visit(`${path}/${name}`);
    } else seen[path] = "special";
  };
  visit(folder);
  return seen;
}

function lookAt(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
