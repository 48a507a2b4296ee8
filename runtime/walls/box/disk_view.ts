import type { BoxEyes } from "./bubblewrap.ts";

/** What the box maker sees of the real file system. Needs `read`. */
export const systemEyes: BoxEyes = {
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
