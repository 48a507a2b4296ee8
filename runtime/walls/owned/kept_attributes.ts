import { lstat } from "../files/file_facts.ts";
import { type OpenPlain, openPlain, type PlainOptions } from "../files/open_plain.ts";

const SHELL = "/bin/sh";
/** GNU's cp does it: no function of Deno knows extended attributes or ACLs. */
const COPY = `
PATH=/usr/bin:/bin
all=$(stat -Lc '%d:%i %n' /proc/$1/fd/* 2>/dev/null)
find() { printf '%s\\n' "$all" | while read -r inode name; do [ "$inode" = "$1" ] && echo "$name" && break; done; }
exec cp --attributes-only --preserve=mode,xattr -T -- "$(find "$2")" "$(find "$3")"
`;
/** How many files are held open at once for what they have beside their bytes. */
const MAX_HELD = 64;

/** A file before it is replaced. */
interface Former {
  uid: number;
  gid: number;
  ino: number | null;
  /** The file itself, whatever its name stands for later; `null` if it cannot be read. */
  file: OpenPlain | null;
}

/**
 * What belongs to a file and not to its bytes: its owner, its group, its ACL and its extended attributes. Who replaces a
 * file makes a new one, which has none of these. As after any write, set-ID bits and capabilities are not kept.
 */
export class KeptAttributes {
  readonly #former = new Map<string, Former>();

  /** Notes what a file has that is about to be replaced. Needs `read`. */
  note(path: string): void {
    const info = lstat(path);
    if (this.#former.has(path) || !info?.isFile || info.uid === null || info.gid === null) return;
    const file = this.#former.size < MAX_HELD ? openOrNull(path, { mayHaveNames: true }) : null;
    this.#former.set(path, { uid: info.uid, gid: info.gid, ino: info.ino, file });
  }

  /**
   * Gives the new files what the former ones had, as far as this user may. Needs `read`, `write` and `run`.
   *
   * @returns A sentence about each file that lacks something now
   */
  giveBack(): string[] {
    try {
      return [...this.#former].flatMap(([path, former]) => giveBack(path, former));
    } finally {
      for (const { file } of this.#former.values()) file?.[Symbol.dispose]();
      this.#former.clear();
    }
  }
}

function openOrNull(path: string, options: PlainOptions): OpenPlain | null {
  try {
    return openPlain(path, options);
  } catch {
    return null;
  }
}

function giveBack(path: string, { uid, gid, ino, file: former }: Former): string[] {
  const now = lstat(path);
  if (!now?.isFile || now.uid === null || now.gid === null) return [];
  const isOwners = now.uid === uid && now.gid === gid;
  // It was written in its place.
  if (isOwners && now.ino === ino) return [];
  // What has a second name is not what a tool has made here.
  using file = openOrNull(path, { expected: now });
  if (file === null) return [];
  const said = former === null || now.ino === ino ? [] : copyAttributes(former, file, path);
  try {
    // Also takes set-ID bits and capabilities away.
    file.giveTo(uid, gid);
  } catch {
    if (!isOwners) {
      said.push(
        `"${path}" was replaced and belongs to ${now.uid}:${now.gid} now, not to ${uid}:${gid}: give it back with ` +
          `"chown ${uid}:${gid}"`,
      );
    }
  }
  return said;
}

/** A path may stand for another file by now, so both are found among what this process has open. */
function copyAttributes(from: OpenPlain, to: OpenPlain, path: string): string[] {
  if (Deno.build.os !== "linux") return [];
  const args = ["-c", COPY, "sh", `${Deno.pid}`, from.inode, to.inode];
  const lost = (
    why: string,
  ) => [`"${path}" was replaced, and its ACL and extended attributes are lost if it had any: ${why}`];
  try {
    const { success, stderr } = new Deno.Command(SHELL, { args, clearEnv: true, env: { LC_ALL: "C" } })
      .outputSync();
    if (success) return [];
    const [line = ""] = new TextDecoder().decode(stderr).trim().split("\n");
    return lost(line || "cp failed without a word");
  } catch {
    return lost(`there is no ${SHELL}`);
  }
}
