import type { AccessKind, NeedScope } from "../../schemas/access.ts";
import { ToolError } from "../../schemas/error.ts";
import type { FileGrants, Grants, Scope } from "../../schemas/grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { NetRules } from "../../schemas/net.ts";
import type { ClosedPaths } from "../walls/box/bubblewrap.ts";
import { GATE_HOST } from "../net/forms/gate_headers.ts";
import type { RoomSocket } from "../net/room/open_web.ts";
import { covers } from "../walls/grants/path_access.ts";
import { flagWord, showFlags } from "../walls/grants/flag_word.ts";
import { isInside } from "../walls/grants/inside.ts";
import { reachesNothing, toolRules } from "../walls/net/net_rules.ts";

/** Most data memory of a room process, in bytes: V8 reserves over 1 GB of it before it runs a line. */
export const ROOM_DATA_BYTES = 4 * 1024 * 1024 * 1024;
/** The same bound for a reader's room: hostile bytes may make it grow. */
const READER_DATA_BYTES = 3 * 1024 * 1024 * 1024;

/** Bounds of the memory of a room's process, in bytes. */
export interface RoomMemory {
  /** Most data memory, code included. */
  dataBytes: number;
  /** Most that the process takes during a call; then it ends. @default what `dataBytes` leaves */
  residentBytes?: number;
}

/** A module with tools of one's own. Plain data. */
export interface RoomModule {
  /** JavaScript without imports, but for what Deno has itself. */
  code: string;
  /** Hash of the code. */
  hash: string;
}

/** Exactly what one room holds: the tool's needs that the user granted. Plain data. */
export interface RoomProfile {
  read: Scope;
  write: Scope;
  /** What the gate lets it reach, `null` without need; the room itself has no network. */
  net: NetRules | null;
  /** The room's socket of the gate. @default no way to the network */
  gate?: RoomSocket;
  /** The tool takes foreign bytes or patterns: the room must be a process. */
  killable: boolean;
  /** Helper threads beside the room's own. */
  threads: number;
  memory: RoomMemory;
  /** What the helper threads do. @default "search" */
  threadService?: string;
  files: FileGrants;
  /** The tools of one's own that it runs. @default built-in ones alone */
  module?: RoomModule;
  /**
   * What the programs that run beside the room must not reach: they could swap a folder for a link to it while the room
   * opens a file there. The room's own box closes it as theirs do. @default nothing
   */
  closed?: ClosedPaths;
}

/** The profile of a reader's room: it holds nothing, and gets the bytes of one file with each call. */
export function readerProfile(
  { residentBytes, ...bounds }: { threads: number; threadService?: string; residentBytes?: number },
): RoomProfile {
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
    net: null,
    killable: true,
    memory: { dataBytes: READER_DATA_BYTES, ...(residentBytes !== undefined && { residentBytes }) },
    ...bounds,
    files: { workspace: "/", home: "", ...nothing },
  };
}

/**
 * Checks that a tool which needs the network may reach something. A call is not held to it: its room finds out which
 * hosts it wants, and names those.
 *
 * @throws {ToolError} `permission_denied`
 */
export function requireNet(entry: ManifestEntry, grants: Grants): void {
  const { net } = entry.needs;
  if (net !== undefined && reachesNothing(toolRules(net, grants))) throw missingGrant(entry, "net", grants);
}

/**
 * Makes the profile of a tool's room.
 *
 * @param places `home` is the user's home folder, for `~`; `artifacts` what earlier calls left; `executed` what the
 * user's tools execute; `closed` what the programs beside the call must not reach; `module` where the tool is defined,
 * if it is not built in
 * @throws {ToolError} `permission_denied` if nothing of a kind that the tool needs is granted, but for the network
 */
export function profileOf(
  entry: ManifestEntry,
  grants: Grants,
  { home, artifacts: { readable }, executed = {}, closed, module }: {
    home: string;
    artifacts: { readable: string | null };
    executed?: Pick<FileGrants, "executed" | "whyExecuted"> | undefined;
    closed?: ClosedPaths | undefined;
    module?: RoomModule | undefined;
  },
): RoomProfile {
  const held: Record<Exclude<AccessKind, "net">, Scope> = { read: [], write: [], run: [] };
  const net = entry.needs.net === undefined ? null : toolRules(entry.needs.net, grants);
  for (const kind of ["read", "write", "run"] as const) {
    const need = entry.needs[kind];
    if (need === undefined) continue;
    const scope = grants.deny[kind] === true ? [] : intersect(need, grants.allow[kind], grants.workspace);
    if (scope !== true && scope.length === 0 && need !== "if-granted") {
      throw missingGrant(entry, kind, grants);
    }
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
    net,
    killable: entry.killable || module !== undefined,
    threads: entry.threads,
    memory: { dataBytes: ROOM_DATA_BYTES },
    ...(module && { module }),
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
  if (need === "granted" || need === "if-granted") return granted;
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
  const wanted = wantedOf(entry.needs[kind], kind, grants);
  const lacking = wanted.length > 0 ? flagWord(`--allow-${kind}`, wanted) : `--allow-${kind}`;
  const flag = denied ? `--deny-${kind}` : lacking;
  const pass = showFlags([lacking]);
  const why = denied
    ? `it is denied by ${flag} or the configuration`
    : `policy ${grants.policy} and the flags grant none, pass ${pass} to grant it`;
  const flags = denied ? { flag, flags: [] } : { flag, flags: [flag], pass };
  return new ToolError("permission_denied", `${entry.full_name} needs ${kind} access: ${why}`, {
    details: {
      kind,
      target: wanted[0] ?? "",
      reason: denied ? "denied" : "outside",
      ...flags,
      workspace: grants.workspace,
    },
  });
}

/** What a grant must name so that the tool gets all that it needs; nothing for a whole kind. */
function wantedOf(need: NeedScope | undefined, kind: AccessKind, { workspace }: Grants): readonly string[] {
  const isPath = kind === "read" || kind === "write";
  if (isPath && Array.isArray(need)) return need;
  return isPath ? [workspace] : [];
}

/** Before a socket's path in a list of hosts. Deno 2.6 knows no such word, and needs none. */
export const SOCKET_WORD = "unix:";

/** The permissions of the room's worker. All eight kinds are set, so that it inherits nothing. */
export function workerPermissions(profile: RoomProfile): Deno.PermissionOptionsObject {
  // The guard must be able to look at what it may write.
  const readable = profile.read === true || profile.write === true
    ? true
    : [...new Set([...profile.read, ...profile.write])];
  const socket = profile.gate === undefined ? [] : [profile.gate.path];
  const list = (scope: Scope) => {
    if (scope === true) return true;
    return scope.length + socket.length > 0 ? [...scope, ...socket] : false;
  };
  return {
    read: list(readable),
    write: list(profile.write),
    net: profile.gate === undefined ? false : [GATE_HOST, `${SOCKET_WORD}${profile.gate.path}`],
    run: false,
    env: false,
    sys: false,
    ffi: false,
    import: false,
  };
}

/** Returns a text that is equal for two profiles if and only if they are the same. */
export function profileKey(profile: RoomProfile): string {
  return JSON.stringify(profile.module ? { ...profile, module: profile.module.hash } : profile);
}
