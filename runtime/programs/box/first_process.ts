import FIRST_PROCESS from "./first_process.sh" with { type: "text" };

/** What a box starts with. */
export interface FirstProcess {
  /** Folders that the box mounts over themselves, in the order of their mounts. */
  mounted: readonly string[];
  /** Words that bound everything in it; the first process too, where that is our own. */
  bounds: readonly string[];
  /** A shell that the box shows; `null` if all are denied. */
  shell: string | null;
  /**
   * `setpriv` of the system, where the first process keeps one power more than the program: the kernel then lets the
   * program neither trace nor read nor write it. `null` where bubblewrap's own first process is used.
   */
  setpriv: string | null;
  /** Whom our own one tells what the program left running. @default nobody */
  tellsLeft?: LeftTelling;
}

/** Behind the program's errors, in a form for main, `"main"`; in words for a person, `"person"`. */
export type LeftTelling = "main" | "person" | null;

/**
 * Returns words to put before a program. They start it only if folders that a box mounts over themselves are
 * the right ones: bubblewrap finds each one by its path, and other programs may put a link there meanwhile.
 */
export function firstProcess(first: FirstProcess): string[] {
  const { bounds, mounted, shell, setpriv, tellsLeft = null } = first;
  if (shell === null || (mounted.length === 0 && setpriv === null)) return [...bounds];
  const stays = !isShielded(first) ? "" : tellsLeft ?? "stays";
  return [
    ...bounds,
    ...[shell, "-c", FIRST_PROCESS, "bulkhead", stays, String(mounted.length), ...mounted.map(asInMountinfo)],
    ...(setpriv === null ? [] : withoutPowers(setpriv)),
  ];
}

/** Says whether the first process is our own, out of the program's reach. */
export function isShielded({ shell, setpriv }: Pick<FirstProcess, "shell" | "setpriv">): boolean {
  return shell !== null && setpriv !== null;
}

/** Returns words before a program that take from it what the first process keeps. */
export function withoutPowers(setpriv: string): string[] {
  return [setpriv, "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--"];
}

function asInMountinfo(path: string): string {
  return path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
