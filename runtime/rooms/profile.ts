import { ACCESS_KINDS, type AccessKind, type NeedScope } from "../../schemas/access.ts";
import { ToolError } from "../../schemas/error.ts";
import type { FileGrants, Grants, Scope } from "../../schemas/grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { ClosedPaths } from "../walls/box/bubblewrap.ts";
import { covers } from "../walls/grants/path_access.ts";
import { flagWord, showFlags } from "../walls/grants/flag_word.ts";
import { isInside } from "../walls/grants/inside.ts";

/** Most data memory of a room process, in bytes: some versions of V8 reserve over 1 GB of it before they run a line. */
export const ROOM_DATA_BYTES = 4 * 1024 * 1024 * 1024;
/** The same bound for a reader's room: hostile bytes may make it grow. */
const READER_DATA_BYTES = 3 * 1024 * 1024 * 1024;

/** Exactly what one room holds: the tool's needs that the user granted. Plain data. */
export interface RoomProfile {
  read: Scope;
  write: Scope;
  net: Scope;
  /** The tool takes foreign bytes or patterns: the room must be a process. */
  killable: boolean;
  /** Helper threads beside the room's own. */
  threads: number;
  /** Most data memory of the room's process, in bytes. */
  dataBytes: number;
  /** What the helper threads do. @default "search" */
  threadService?: string;
  files: FileGrants;
  /**
   * What the programs that run beside the room must not reach: they could swap a folder for a link to it while the room
   * opens a file there. The room's own box closes it as theirs do. @default nothing
   */
  closed?: ClosedPaths;
}

/** The profile of a reader's room: it holds nothing, and gets the bytes of one file with each call. */
export function readerProfile(helpers: { threads: number; threadService?: string }): RoomProfile {
  const nothing = {
    read: [],
    write: [],
    denyRead: [],
    denyWrite: [],
    secrets: [],
    writeNamed: [],
    aliases: [],
  };
  return {
    read: [],
    write: [],
    net: [],
    killable: true,
    dataBytes: READER_DATA_BYTES,
    ...helpers,
    files: { workspace: "/", home: "", ...nothing },
  };
}

/**
 * Makes the profile of a tool's room.
 *
 * @param places `home` is the user's home folder, for `~`; `artifacts` what earlier calls left; `executed` what the
 * user's tools execute; `closed` what the programs beside the call must not reach
 * @throws {ToolError} `permission_denied` if nothing of a kind that the tool needs is granted
 */
export function profileOf(
  entry: ManifestEntry,
  grants: Grants,
  { home, artifacts: { readable }, executed = {}, closed }: {
    home: string;
    artifacts: { readable: string | null };
    executed?: Pick<FileGrants, "executed" | "whyExecuted"> | undefined;
    closed?: ClosedPaths | undefined;
  },
): RoomProfile {
  const held: Record<AccessKind, Scope> = { read: [], write: [], net: [], run: [] };
  for (const kind of ACCESS_KINDS) {
    const need = entry.needs[kind];
    if (need === undefined) continue;
    const scope = grants.deny[kind] === true ? [] : intersect(need, grants.allow[kind], grants.workspace);
    if (scope !== true && scope.length === 0) throw missingGrant(entry, kind, grants);
    // The root is everything, also where it is the workspace.
    held[kind] = scope !== true && scope.includes("/") ? true : scope;
  }
  // Tools that read files may read the files of calls, under every policy.
  if (held.read !== true && held.read.length > 0 && readable !== null) {
    held.read = [...held.read, readable];
  }
  return {
    read: held.read,
    write: held.write === true || held.write.length === 0 ? held.write : [...held.write, ...grants.makes],
    net: held.net,
    killable: entry.killable,
    threads: entry.threads,
    dataBytes: ROOM_DATA_BYTES,
    ...(closed && closed.hidden.length + closed.frozen.length > 0 && { closed }),
    files: {
      workspace: grants.workspace,
      home,
      read: held.read,
      write: held.write,
      denyRead: grants.deny.read,
      denyWrite: grants.deny.write,
      frozen: grants.frozen,
      own: grants.own,
      ...(readable !== null && { artifacts: readable }),
      secrets: grants.secrets,
      isCopy: grants.isCopy,
      writeNamed: grants.writeNamed,
      makes: grants.makes,
      aliases: grants.aliases,
      ...executed,
    },
  };
}

/** Returns the granted part of a need: the smaller of each pair of folders if one holds the other. */
function intersect(need: NeedScope, granted: Scope, workspace: string): Scope {
  if (need === "granted") return granted;
  const wanted = need === "workspace" ? [workspace] : need;
  if (granted === true) return wanted;
  const whole = wanted.filter((item) => covers(granted, item));
  const parts = granted.filter((item) =>
    !whole.includes(item) && wanted.some((want) => isInside(want, item))
  );
  return [...whole, ...parts];
}

function missingGrant(entry: ManifestEntry, kind: AccessKind, grants: Grants): ToolError {
  const denied = grants.deny[kind] === true;
  const target = kind === "read" || kind === "write" ? grants.workspace : "";
  const lacking = target ? flagWord(`--allow-${kind}`, [target]) : `--allow-${kind}`;
  const flag = denied ? `--deny-${kind}` : lacking;
  const pass = showFlags([lacking]);
  const why = denied
    ? `it is denied by ${flag} or the configuration`
    : `policy ${grants.policy} and the flags grant none, pass ${pass} to grant it`;
  const flags = denied ? { flag, flags: [] } : { flag, flags: [flag], pass };
  return new ToolError("permission_denied", `${entry.full_name} needs ${kind} access: ${why}`, {
    details: { kind, target, reason: denied ? "denied" : "outside", ...flags, workspace: grants.workspace },
  });
}

/** The permissions of the room's worker. All eight kinds are set, so that it inherits nothing. */
export function workerPermissions(profile: RoomProfile): Deno.PermissionOptionsObject {
  // The guard must be able to look at what it may write.
  const readable = profile.read === true || profile.write === true
    ? true
    : [...new Set([...profile.read, ...profile.write])];
  const list = (scope: Scope) => scope === true ? true : scope.length > 0 ? [...scope] : false;
  return {
    read: list(readable),
    write: list(profile.write),
    net: list(profile.net),
    run: false,
    env: false,
    sys: false,
    ffi: false,
    import: false,
  };
}

/** Returns a text that is equal for two profiles if and only if they are the same. */
export function profileKey(profile: RoomProfile): string {
  return JSON.stringify(profile);
}
