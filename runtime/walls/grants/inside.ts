/** Says whether a path is a folder or lies below it, compared by whole segments. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}
