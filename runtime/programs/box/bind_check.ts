import CHECK from "./bind_check.sh" with { type: "text" };

/**
 * Returns words to put before a program. They start it only if folders that a box mounts over themselves are
 * the right ones: bubblewrap finds each one by its path, and other programs may put a link there meanwhile.
 *
 * @param paths In the order of their mounts
 * @param shell Absolute path in the box
 */
export function bindCheck(paths: readonly string[], shell: string): string[] {
  if (paths.length === 0) return [];
  return [shell, "-c", CHECK, "bulkhead", String(paths.length), ...paths.map(asInMountinfo)];
}

function asInMountinfo(path: string): string {
  return path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
