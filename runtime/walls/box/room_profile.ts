import type { Scope } from "../../../schemas/grants.ts";
import type { ClosedPaths } from "./bubblewrap.ts";
import {
  libraryRules,
  literalFilter,
  pathsAbove,
  profileText,
  seatbeltRule,
  subpathFilter,
  SYSTEM_LINKS,
} from "./seatbelt_rules.ts";

/** What the process of a room under a profile of macOS holds. Absolute, real paths. */
export interface SeatbeltPlan {
  read: Scope;
  write: Scope;
  /** Programs that it may execute; the first is the process itself. */
  execute: readonly string[];
  /** What is closed within the above. */
  closed: ClosedPaths;
  /** What may be read though it lies in what is hidden. */
  reopened: readonly string[];
  /** Sockets with a path that it may connect to; there is no other network. */
  sockets: readonly string[];
}

/** Returns the profile of a room, in the language of Seatbelt. What is closed stands behind what is open. */
export function seatbeltProfile(plan: SeatbeltPlan): string {
  const { read, write, execute, closed, reopened, sockets } = plan;
  const writable = write === true ? [] : write;
  const readable = read === true ? [] : [...read, ...writable];
  const shown = [...readable, ...execute, ...reopened, ...sockets];
  return profileText([
    // The process itself: its threads, its code that V8 makes, what it asks the kernel about itself.
    ...["(allow process-info* (target self))", "(allow signal (target self))", "(allow sysctl-read)"],
    "(allow dynamic-code-generation)",
    // To make a socket with a path, or a pair of them; where it may connect is said below. No other kind is made.
    "(allow system-socket (socket-domain AF_UNIX))",
    ...libraryRules(),
    seatbeltRule("allow process-exec", execute.map(literalFilter)),
    seatbeltRule("allow file-map-executable", execute.map(literalFilter)),
    seatbeltRule("allow file-read*", execute.map(literalFilter)),
    seatbeltRule("allow file-read-metadata", [...pathsAbove(shown), ...SYSTEM_LINKS].map(literalFilter)),
    read === true ? "(allow file-read*)" : seatbeltRule("allow file-read*", readable.map(subpathFilter)),
    write === true ? "(allow file-write*)" : seatbeltRule("allow file-write*", writable.map(subpathFilter)),
    seatbeltRule("allow network-outbound", sockets.map(literalFilter)),
    seatbeltRule("deny file-write*", closed.frozen.map(subpathFilter)),
    // That something is there, and how large it is, stays to be seen, as the names in its folder do.
    seatbeltRule("deny file-read-data file-read-xattr file-write*", closed.hidden.map(subpathFilter)),
    seatbeltRule("allow file-read*", reopened.map(subpathFilter)),
    // Whoever moved a folder would find by another name what is closed in it.
    seatbeltRule(
      "deny file-write-unlink",
      pathsAbove([...closed.frozen, ...closed.hidden]).map(literalFilter),
    ),
  ]);
}
