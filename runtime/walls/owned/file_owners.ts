import { lstat } from "../files/file_facts.ts";
import { openPlain } from "../files/open_plain.ts";

/** Whom files belonged to that a call replaces: who replaces a file makes a new one, which is its own. */
export class FileOwners {
  readonly #known = new Map<string, { uid: number; gid: number }>();

  /** Notes whom a file belongs to that is about to be replaced. Needs `read`. */
  note(path: string): void {
    const info = lstat(path);
    if (this.#known.has(path) || !info?.isFile || info.uid === null || info.gid === null) return;
    this.#known.set(path, { uid: info.uid, gid: info.gid });
  }

  /**
   * Gives the files back to whom they belonged, as far as this user may. Needs `read` and `write`.
   *
   * @returns A sentence about each file that belongs to another one now
   */
  giveBack(): string[] {
    const said = [...this.#known].flatMap(([path, owner]) => giveBack(path, owner) ?? []);
    this.#known.clear();
    return said;
  }
}

function giveBack(path: string, { uid, gid }: { uid: number; gid: number }): string | null {
  const now = lstat(path);
  if (!now?.isFile || now.uid === null || now.gid === null || (now.uid === uid && now.gid === gid)) {
    return null;
  }
  // What has a second name is not what a tool has made here.
  using file = openPlain(path);
  try {
    if (file === null) return null;
    file.giveTo(uid, gid);
    return null;
  } catch {
    return `"${path}" was replaced and belongs to ${now.uid}:${now.gid} now, not to ${uid}:${gid}: give it back with ` +
      `"chown ${uid}:${gid}"`;
  }
}
