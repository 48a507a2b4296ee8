/**
 * Puts the home in the place of a leading `~`, as shells do, but only where a word begins: a list in a flag reaches the
 * program as it was typed.
 *
 * @param home `""` or nothing if it is unknown: then the path stays as it is
 */
export function expandHome(path: string, home: string | undefined): string {
  if (!home || !(path === "~" || path.startsWith("~/"))) return path;
  return `${home.replace(/\/+$/, "")}${path.slice(1)}` || "/";
}
