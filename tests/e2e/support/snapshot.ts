/** Returns every path below a folder with what is there: links by their target, files by mode and content. */
export function snapshot(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const visit = (path: string) => {
    const info = Deno.lstatSync(path);
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
