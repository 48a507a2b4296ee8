import { dirname, isAbsolute, resolve } from "@std/path";

import type { FileChange, Files, Location, OpenFile, WriteOptions } from "../../../schemas/context.ts";
import type { Target } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import { covers, isOwn, type Refusal, refusalError, refusePath } from "../grants/path_access.ts";
import { mergeFlags } from "../grants/flag_word.ts";
import { isProtected } from "../grants/protected_paths.ts";
import { isKernelFolder, isSecretEntry } from "../grants/secret_paths.ts";
import { isInside } from "../grants/inside.ts";
import { followLinks, type LinkReader } from "./follow_links.ts";
import { expectNamed, type HeldFile, holdFile, replacedError } from "./hold_file.ts";
import { type Followed, refuseFile } from "./refuse_file.ts";
import { withoutLogins } from "./logins.ts";
import { makeFolders, removeThroughRename, writeInPlace, writeThroughRename } from "./replace_file.ts";
import { readText } from "./read_text.ts";
import { systemError } from "./system_error.ts";

/** How often a file is opened again that was replaced meanwhile, as an editor does. */
const OPENINGS = 5;

/** The path guard of one room. */
export interface Guard extends Files {
  /**
   * Checks what a call says it will touch, before it starts.
   *
   * @throws {ToolError} `permission_denied` for the first path outside the grants, with the flags for all of them
   */
  check(targets: readonly Pick<Target, "kind" | "value">[]): void;
}

// The system is asked synchronously: a room is a thread with one call, and each asynchronous question would cost more
// than its answer.

/**
 * Makes the path guard for one room. Needs `read` of the granted folders, and `write` for {@linkcode Files.write}.
 *
 * @param grants What the room may touch
 * @param token Marks this room's temporary files, so that those of dead rooms can be told and removed
 * @param onChange Hears of each file before it is written or removed
 * @param beforeChange The same, before anything is made for it; the change waits until it has ended
 */
export function createGuard(
  grants: FileGrants,
  token: string,
  onChange: (change: FileChange) => void = () => {},
  beforeChange: (path: string) => Promise<void> = async () => {},
): Guard {
  const swept = new Set<string>();
  return {
    check: (targets) => checkTargets(targets, grants),
    locate: async (path: string, access: "read" | "write") => await locate(path, access, grants),
    open: async (path: string) => await open(path, grants),
    async write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<Location> {
      const { replaces, mustNotExist = false } = options;
      const location = locate(path, "write", grants);
      checkReplaceable(path, location, mustNotExist);
      await beforeChange(location.real);
      prepareFolder(path, location.real, { create: options.createDirs ?? false, grants });
      try {
        using held = location.info && await holdFile(location.real);
        if (replaces) expectSame(held, replaces, path);
        onChange({ path: location.real, before: readText(location.real) });
        // A grant of one file gives no place for a temporary file beside it.
        if (!covers(grants.write, dirname(location.real))) {
          const check = (file: Deno.FsFile) =>
            expectNamed(file, location.real, { asked: path, access: "write" });
          await writeInPlace(location.real, bytes, { isNew: location.info === null, check });
        } else {
          const { info: former } = location;
          await writeThroughRename(location.real, bytes, { token, swept, former, mustNotExist });
        }
      } catch (error) {
        throw systemError(error, "write", path);
      }
      return location;
    },
    async remove(path: string): Promise<void> {
      const location = locate(path, "write", grants);
      if (!location.info) throw new ToolError("not_found", `Cannot remove "${path}": no such file`);
      await beforeChange(location.real);
      onChange({ path: location.real, before: readText(location.real) });
      try {
        if (!covers(grants.write, dirname(location.real))) await Deno.remove(location.real);
        else removeThroughRename(location.real, location.info);
      } catch (error) {
        throw systemError(error, "remove", path);
      }
    },
    mayRead: (real: string) => mayRead(real, grants),
    rootOf(real: string): string {
      if (isInside(grants.workspace, real)) return grants.workspace;
      const roots = grants.read === true ? [] : grants.read.filter((root) => isInside(root, real));
      return roots.sort((a, b) => a.length - b.length)[0] ?? dirname(real);
    },
    folderBehind(link: string): string | null {
      const { real, info } = locate(link, "read", grants);
      return info?.isDirectory ? real : null;
    },
  };
}

function mayRead(real: string, grants: FileGrants): boolean {
  if (isKernelFolder(real) || isOwn("read", real, grants)) return false;
  const isSecret = isSecretEntry(real) || withoutLogins(real) !== null;
  if (isSecret && !covers(grants.secrets, real)) return false;
  return !covers(grants.denyRead, real);
}

function checkTargets(targets: Parameters<Guard["check"]>[0], grants: FileGrants): void {
  const refused = targets.flatMap(({ kind, value }) => {
    if (kind !== "read" && kind !== "write") return [];
    const followed = follow(value, kind, grants);
    const refusal = refuseFile(kind, followed, grants);
    if (refusal === null) lookAt(followed, value, kind, grants);
    return refusal === null ? [] : [{ refusal, asked: value }];
  });
  // No flag lifts a deny.
  const isFinal = ({ refusal: { reason } }: { refusal: Refusal }) => reason === "denied" || reason === "own";
  const [first] = [...refused.filter(isFinal), ...refused];
  if (first === undefined) return;
  const flags = isFinal(first) ? [] : mergeFlags(refused.flatMap(({ refusal }) => refusal.flags));
  throw refusalError({ ...first.refusal, flags }, first.asked, grants);
}

function follow(asked: string, access: "read" | "write", grants: FileGrants): Followed {
  const path = absolutePath(asked, grants);
  const real = followedPath(path, grants);
  if (real !== null) return { path, real };
  throw new ToolError("invalid_input", `Cannot ${access} "${asked}": its links lead in a circle`);
}

function locate(asked: string, access: "read" | "write", grants: FileGrants): Location {
  const followed = follow(asked, access, grants);
  const refusal = refuseFile(access, followed, grants);
  if (refusal) throw refusalError(refusal, asked, grants);
  return lookAt(followed, asked, access, grants);
}

/** Finds what is at a path that may be touched. */
function lookAt(
  { path, real }: Followed,
  asked: string,
  access: "read" | "write",
  grants: FileGrants,
): Location {
  const { judged, artifacts } = grants;
  // It led elsewhere when it was judged.
  if (judged && !covers([...judged, ...(artifacts ? [artifacts] : [])], real)) {
    throw replacedError(access, asked);
  }
  const info = factsOf(real, asked, access);
  // All links were followed, so this one is new.
  if (info?.isSymlink) throw replacedError(access, asked);
  return { path: resolve(path), real, info };
}

function absolutePath(asked: string, grants: FileGrants): string {
  if (asked.includes("\0")) {
    throw new ToolError("invalid_input", `Cannot use path ${JSON.stringify(asked)}: embedded null byte`);
  }
  // Joined by hand: `resolve` would drop "link/.." before the link is followed.
  const path = isAbsolute(asked) ? asked : `${grants.workspace}/${asked}`;
  const alias = grants.aliases.find(([spelled]) => isInside(spelled, path));
  return alias ? `${alias[1]}${path.slice(alias[0].length)}` : path;
}

const links: LinkReader = {
  lstat(path) {
    try {
      return Deno.lstatSync(path);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  },
  readLink(path) {
    try {
      return Deno.readLinkSync(path);
    } catch (error) {
      // It was a link a moment ago. Deno reports EINVAL, not a link, with a TypeError.
      if (isAbsent(error) || error instanceof TypeError) throw replacedError("open", path);
      throw error;
    }
  },
};

function followedPath(path: string, grants: FileGrants): string | null {
  try {
    return followLinks(path, rootsOf(grants), links);
  } catch (error) {
    throw systemError(error, "open", path);
  }
}

function rootsOf(grants: FileGrants): readonly string[] {
  if (grants.read === true || grants.write === true) return ["/"];
  return [...grants.read, ...grants.write];
}

function factsOf(real: string, asked: string, access: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(real);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw systemError(error, access, asked);
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Nothing is lost that somebody else wrote since the bytes were read. */
function expectSame(held: HeldFile | null, bytes: Uint8Array, asked: string): void {
  if (held?.holds(bytes)) return;
  throw new ToolError(
    "conflict",
    `Cannot write "${asked}": something else changed it since it was read, read it and try again`,
    { retryable: true },
  );
}

function open(asked: string, grants: FileGrants): OpenFile {
  for (let attempt = 1;; attempt++) {
    try {
      return openOnce(asked, grants);
    } catch (error) {
      const isReplaced = error instanceof ToolError && error.code === "conflict";
      if (!isReplaced || attempt === OPENINGS) throw error;
    }
  }
}

function openOnce(asked: string, grants: FileGrants): OpenFile {
  const location = locate(asked, "read", grants);
  if (!location.info) throw new ToolError("not_found", `Cannot read "${asked}": no such file`);
  if (!location.info.isFile) throw notAFile("read", asked, location.info);
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(location.real, { read: true });
  } catch (error) {
    throw systemError(error, "read", asked);
  }
  try {
    const info = expectNamed(file, location.real, { asked, access: "read" });
    return { ...location, info, file, [Symbol.dispose]: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

function checkReplaceable(path: string, { info }: Location, mustNotExist: boolean): void {
  // A rename would replace a pipe or a device by a file.
  if (info && !info.isFile) throw notAFile("write", path, info);
  if (mustNotExist && info) throw new ToolError("conflict", `Cannot write "${path}": it exists already`);
}

function notAFile(action: string, path: string, info: Deno.FileInfo): ToolError {
  const what = info.isDirectory ? "it is a folder" : "it is not a regular file";
  return new ToolError("invalid_input", `Cannot ${action} "${path}": ${what}`);
}

function prepareFolder(
  asked: string,
  file: string,
  { create, grants }: { create: boolean; grants: FileGrants },
): void {
  const folder = dirname(file);
  // A grant of one file does not allow a look at its folder. Writing shows whether the folder exists.
  const isMade = covers(grants.makes ?? [], folder);
  if (!isMade && !covers(grants.write, folder) && !covers(grants.read, folder)) return;
  const info = links.lstat(folder);
  if (info?.isDirectory) return;
  if (info?.isSymlink) throw replacedError("write", asked);
  if (info) throw new ToolError("invalid_input", `Cannot write "${asked}": "${folder}" is not a folder`);
  if (!create) throw new ToolError("not_found", `Cannot write "${asked}": no folder "${folder}"`);
  const refusal = refusePath("write", folder, grants);
  // A grant that names a protected file also stands for the folder that the file needs.
  const isNamed = refusal?.reason === "protected" &&
    (isProtected(file) || covers(grants.executed ?? [], folder));
  if (refusal && !isNamed && !isMade) throw refusalError(refusal, asked, grants);
  try {
    makeFolders(folder);
  } catch (error) {
    throw systemError(error, "write", asked);
  }
}
