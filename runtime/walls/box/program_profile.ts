import { covers } from "../grants/path_access.ts";
import type { ClosedPaths } from "./bubblewrap.ts";
import {
  MAC_FILES,
  MAC_PROGRAM_FOLDERS,
  SERVICES,
  SYSTEM_FACTS,
  WEB_FILES,
  WEB_SERVICES,
} from "./mac_system.ts";
import {
  libraryRules,
  literalFilter,
  pathsAbove,
  profileText,
  seatbeltRule,
  subpathFilter,
  SYSTEM_LINKS,
  textFilter,
} from "./seatbelt_rules.ts";

/** What a program under a profile of macOS holds, and all that it starts. Absolute, real paths. */
export interface ProgramProfile {
  /** Files and folders that it may read, and whose programs it may start. */
  read: readonly string[];
  /** Those among them that it may write. */
  write: readonly string[];
  /** Links that lead to what it may read. */
  links: readonly string[];
  /** Its own folder, for its home and its temporary files. */
  scratch: string;
  /** What is closed within the above. */
  closed: ClosedMasks;
  /** Folders of programs that are empty to it, but for some files and links; `null`: it may start all programs. */
  only: { folders: readonly string[]; files: readonly string[]; links: readonly { at: string }[] } | null;
  /** All of this machine's network, none, or a port of this machine alone, which leads to the gate. */
  network: "machine" | "none" | { port: number };
}

/** What is closed, and what of it is not. */
interface ClosedMasks extends ClosedPaths {
  /** In hidden folders, but not hidden. */
  opened: readonly string[];
  /** In frozen folders, but not frozen. */
  thawed: readonly string[];
  /** Folders that must stay where they are. */
  pinned: readonly string[];
}

/** A terminal that the program itself made: those of the user are out of its reach. */
const OWN_TERMINALS = '(require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty"))';
/** What hides a path, but for its being there. */
const HIDE =
  "deny file-read-data file-read-xattr file-write* file-map-executable process-exec network-outbound network-bind";

/** Returns the profile of a program, in the language of Seatbelt. What is closed stands behind what is open. */
export function programProfile(plan: ProgramProfile): string {
  const { read, write, links, scratch, closed, network } = plan;
  const shown = [...MAC_PROGRAM_FOLDERS, ...read, ...write];
  const files = network === "machine" ? [...MAC_FILES, ...WEB_FILES] : MAC_FILES;
  const seen = [...shown, ...files, ...links, scratch];
  const looked = [...[...pathsAbove(seen), ...SYSTEM_LINKS, ...links].map(literalFilter)];
  return profileText([
    ...processRules(),
    ...libraryRules(),
    ...terminalRules(),
    ...networkRules(network),
    seatbeltRule("allow file-read-metadata", looked),
    existence([...looked, ...[...shown, scratch].map(subpathFilter), ...files.map(literalFilter)]),
    seatbeltRule("allow file-read*", [...shown.map(subpathFilter), ...files.map(literalFilter)]),
    seatbeltRule("allow process-exec file-map-executable", shown.map(subpathFilter)),
    seatbeltRule("allow file-write* network-outbound network-bind", write.map(subpathFilter)),
    ...onlyRules(plan),
    seatbeltRule("deny file-write*", closed.frozen.map(subpathFilter)),
    seatbeltRule("allow file-write*", closed.thawed.map(subpathFilter)),
    seatbeltRule(HIDE, closed.hidden.map(subpathFilter)),
    ...openedRules(plan),
    // Whoever moved a folder would find by another name what is closed in it.
    seatbeltRule(
      "deny file-write-unlink",
      [...pathsAbove(closedPaths(closed)), ...closed.pinned].map(literalFilter),
    ),
    // It may lie in what is closed.
    seatbeltRule(
      "allow file-read* file-write* file-map-executable process-exec network-outbound network-bind",
      [
        subpathFilter(scratch),
      ],
    ),
    // Who starts such a file becomes its owner.
    "(deny file-write-setugid)",
  ]);
}

/** What a process does to itself and to those of the same sandbox. */
function processRules(): string[] {
  return [
    ...["(allow process-fork)", "(allow signal (target same-sandbox))"],
    "(allow process-info* (target same-sandbox))",
    "(allow dynamic-code-generation)",
    // Not all of it: the system also tells what other processes were started with.
    seatbeltRule("allow sysctl-read", [
      ...SYSTEM_FACTS.names.map((name) => textFilter("sysctl-name", name)),
      ...SYSTEM_FACTS.prefixes.map((prefix) => textFilter("sysctl-name-prefix", prefix)),
    ]),
    seatbeltRule("allow mach-lookup", SERVICES.map((name) => textFilter("global-name", name))),
    // Locks between processes of Python. Their names cannot be listed.
    "(allow ipc-posix-sem)",
    // What tells of changed settings of the system; and the memory that processes of Python share.
    '(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))',
    '(allow ipc-posix-shm* (ipc-posix-name-regex #"^/psm_"))',
    "(allow system-socket (socket-domain AF_UNIX))",
  ];
}

/** Its own terminal, those that it makes, and the streams that it was started with. */
function terminalRules(): string[] {
  return [
    "(allow pseudo-tty)",
    '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx") (literal "/dev/tty"))',
    `(allow file-read* file-write* file-ioctl ${OWN_TERMINALS})`,
    // Asks about the terminal behind its streams; no other one can be opened.
    '(allow file-ioctl file-read-metadata (regex #"^/dev/ttys[0-9]+$"))',
    '(allow file-read* file-write-data (subpath "/dev/fd") (literal "/dev/zero"))',
    '(allow file-read-metadata (literal "/dev") (literal "/dev/stdin") (literal "/dev/stdout") (literal "/dev/stderr"))',
  ];
}

/** Addresses of the internet's protocols, and the service that looks names up; no other socket with a path. */
function networkRules(network: ProgramProfile["network"]): string[] {
  if (network === "none") return [];
  // Sockets of the internet need no rule to be made: where they lead is what is allowed.
  if (network !== "machine") {
    return [`(allow network-outbound ${textFilter("remote ip", `localhost:${network.port}`)})`];
  }
  return [
    // What the C library asks for routes, and for the better one of two addresses.
    "(allow system-socket (socket-domain AF_ROUTE) (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))",
    '(allow network-outbound (control-name "com.apple.netsrc") (literal "/private/var/run/mDNSResponder"))',
    '(allow network-outbound (remote ip "*:*"))',
    '(allow network-bind network-inbound (local ip "*:*"))',
    '(allow sysctl-read (sysctl-name-prefix "net.routetable."))',
    seatbeltRule("allow mach-lookup", WEB_SERVICES.map((name) => textFilter("global-name", name))),
  ];
}

/** Newer systems ask for this by itself; older ones do not know the word. */
function existence(filters: readonly string[]): string {
  return `(if (defined? 'file-test-existence) ${seatbeltRule("allow file-test-existence", filters)})`;
}

function onlyRules({ only }: ProgramProfile): string[] {
  if (only === null) return [];
  const kept = [...only.files, ...only.links.map(({ at }) => at)].map(literalFilter);
  return [
    seatbeltRule("deny file-read-data file-map-executable process-exec", only.folders.map(subpathFilter)),
    seatbeltRule("allow file-read* file-map-executable process-exec", kept),
  ];
}

function openedRules({ write, closed: { opened } }: ProgramProfile): string[] {
  const writable = opened.filter((path) => covers(write, path));
  return [
    seatbeltRule("allow file-read* file-map-executable process-exec", opened.map(subpathFilter)),
    seatbeltRule("allow file-write*", writable.map(subpathFilter)),
  ];
}

function closedPaths({ hidden, frozen, pinned }: ClosedMasks): string[] {
  return [...hidden, ...frozen, ...pinned];
}
