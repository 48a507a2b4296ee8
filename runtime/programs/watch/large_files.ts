/** A file from this size on may be what filled a disk, in bytes. */
const LARGE_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
const MAX_NAMED = 5;

/** Returns the largest files in a folder that were written since a time, largest first. Looks at a bounded part of it. */
export function largeFilesSince(folder: string, since: Date): { path: string; bytes: number }[] {
  const found: { path: string; bytes: number }[] = [];
  const open = [folder];
  let seen = 0;
  for (let at = open.pop(); at !== undefined && seen < MAX_ENTRIES; at = open.pop()) {
    for (const { name, isDirectory, isFile } of entriesOf(at)) {
      if (++seen > MAX_ENTRIES) break;
      const path = `${at}/${name}`;
      if (isDirectory) open.push(path);
      const bytes = isFile ? writtenSince(path, since) : 0;
      if (bytes >= LARGE_BYTES) found.push({ path, bytes });
    }
  }
  return found.sort((a, b) => b.bytes - a.bytes).slice(0, MAX_NAMED);
}

function* entriesOf(folder: string): Iterable<Deno.DirEntry> {
  try {
    yield* Deno.readDirSync(folder);
  } catch {
    // It is gone, or closed.
  }
}

/** The bytes of a file on its disk, 0 if it is older or gone. */
function writtenSince(path: string, since: Date): number {
  try {
    const { mtime, ctime, blocks, size } = Deno.lstatSync(path);
    const isNew = [mtime, ctime].some((time) => time !== null && time >= since);
    return isNew ? Math.max(size, (blocks ?? 0) * 512) : 0;
  } catch {
    return 0;
  }
}
