/** The questions to the file system that making a box needs. */
export interface DiskView {
  /** `null` if nothing is there. Links are not followed. */
  lstat(path: string): { isDirectory: boolean; isSymlink: boolean } | null;
  readLink(path: string): string;
  /** Names in a folder; empty if it cannot be read. */
  list(path: string): string[];
}

/** The real file system, as the makers of boxes see it. Needs `read`. */
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
