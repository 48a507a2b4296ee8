/** What the maker of boxes asks of the file system. */
export interface DiskView {
  /** `null` if nothing is there. Links are not followed. */
  lstat(path: string): { isDirectory: boolean; isSymlink: boolean } | null;
  readLink(path: string): string;
  /** Names in a folder; empty if it cannot be read. */
  list(path: string): string[];
}

/** What the box maker sees of the real file system. Needs `read`. */
export const realDisk: DiskView = {
  lstat(path) {
    try {
      return Deno.lstatSync(path);
    } catch {
      return null;
    }
  },
  readLink: (path) => Deno.readLinkSync(path),
  list(path) {
    try {
      return Array.from(Deno.readDirSync(path), (entry) => entry.name);
    } catch {
      return [];
    }
  },
};
