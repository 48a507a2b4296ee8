/** Longest wait for another holder, in milliseconds. One that replaces a file needs a few. */
const HOLD_MS = 2_000;
/** How often a file that was replaced meanwhile is tried again. */
const TRIES = 200;
const CHUNK_BYTES = 64 * 1024;

/** A file that no other writer of this program replaces while it is held. */
export interface HeldFile extends Disposable {
  /** Says whether the file holds exactly these bytes. */
  holds(bytes: Uint8Array): boolean;
}

/**
 * Holds the file that a path names, against other writers of this program, also in other processes: they wait for each
 * other by a lock of the system on the file itself. Where the system has no such locks, or another program keeps one,
 * the file is only opened. Needs `read`.
 *
 * @param real Absolute, real path
 * @returns `null` if the file cannot be read
 */
export async function holdFile(real: string): Promise<HeldFile | null> {
  for (let attempt = 1;; attempt++) {
    const file = openOrNull(real);
    if (file === null) return null;
    await lock(file);
    // The one before may have replaced the file: then its lock is on the old one.
    if (attempt === TRIES || isNamed(file, real)) {
      return { holds: (bytes) => holdsExactly(file, bytes), [Symbol.dispose]: () => file.close() };
    }
    file.close();
  }
}

function openOrNull(path: string): Deno.FsFile | null {
  try {
    return Deno.openSync(path, { read: true });
  } catch {
    // It is gone, or may be written but not read: then nobody has read it to change it.
    return null;
  }
}

async function lock(file: Deno.FsFile): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, HOLD_MS);
  try {
    // Not every file system has locks. The content is compared all the same.
    await Promise.race([file.lock(true).catch(() => {}), late]);
  } finally {
    clearTimeout(timer);
  }
}

function isNamed(file: Deno.FsFile, path: string): boolean {
  try {
    const [held, named] = [file.statSync(), Deno.lstatSync(path)];
    return held.ino === named.ino && held.dev === named.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function holdsExactly(file: Deno.FsFile, bytes: Uint8Array): boolean {
  if (file.statSync().size !== bytes.length) return false;
  const chunk = new Uint8Array(CHUNK_BYTES);
  file.seekSync(0, Deno.SeekMode.Start);
  let at = 0;
  for (;;) {
    const count = file.readSync(chunk) ?? 0;
    if (count === 0) return at === bytes.length;
    for (let offset = 0; offset < count; offset++) {
      if (chunk[offset] !== bytes[at + offset]) return false;
    }
    at += count;
  }
}
