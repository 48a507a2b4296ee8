import { ToolError } from "../../../schemas/error.ts";
import type { Landlock } from "../../walls/box/try_landlock.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { grantBinds, isolation, KERNEL_FOLDERS, systemFolderBinds } from "../../walls/box/bubblewrap.ts";
import { boxVariables } from "../../walls/box/box_variables.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";
import { type FirstProcess, firstProcess, isShielded } from "./first_process.ts";
import type { Masks } from "./box_masks.ts";
import type { BoxNetwork } from "../network/box_network.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { onlyMounts } from "./only_programs.ts";
import { isOdd } from "../bytes/odd_names.ts";
import { isPrivate, NIX_STORE, type ProgramView } from "./program_view.ts";

/** What the box of a program keeps from it, for people. */
export const PROGRAM_BOX_HOLDS: readonly string[] = [
  "all files beyond the permissions and a few of the system's",
  "secrets and sockets anywhere in the granted folders",
  "writing of files that other programs execute",
  "the network",
  "other processes",
  "the environment",
  "devices",
  "privileges",
];

/** What a profile of macOS keeps from a program, for people. */
export const SEATBELT_HOLDS: readonly string[] = [
  "all files beyond the permissions and those of the system, but for their names and sizes in granted folders",
  "secrets and sockets anywhere in the granted folders",
  "writing of files that other programs execute",
  "the network",
  "signals to other processes",
  "the environment",
  "devices",
];

/** What Landlock keeps from a program whatever the kernel, for people. */
export const LANDLOCK_HOLDS: readonly string[] = [
  "all files beyond the permissions and a few of the system's",
  "the network, but for granted hosts",
  "sockets with a path and abstract ones",
  "looking into other processes",
  "the environment",
  "devices",
  "privileges",
];

/** What it does not keep from a program, for people. */
export function landlockLacks(
  { holdsPorts, holdsSignals }: Pick<Landlock, "holdsPorts" | "holdsSignals">,
): string[] {
  return [
    "protected files in folders that may be written are looked at after a program, not kept from it",
    "no program that may write a folder starts while a secret lies in it, unless --allow-secrets names that",
    "for tools, bulkhead's own check alone keeps secrets in granted folders",
    "git only reads in a linked working tree, unless --allow-write names the repository that it shares",
    "names, sizes and times of all files are seen",
    "under a policy that writes, modes and times of your other files can be changed",
    "what a program leaves running is looked for and ended, but one that starts copies of itself without end can go on",
    ...(holdsSignals ? [] : ["your other processes get the signals of programs"]),
    ...(holdsPorts ? [] : ["programs reach no host, also a granted one"]),
  ];
}

/** How a program is put into a box. */
export interface BoxPlan {
  bwrap: string;
  /** What is started in it, the program's own words last. */
  words: readonly string[];
  cwd: string;
  terminal: boolean;
  network: BoxNetwork;
  /** Size of the private /tmp and of the shared memory, in megabytes. */
  tmpMb: number;
  env: Readonly<Record<string, string>>;
  /** Descriptor 6 holds the settings of git for the home. */
  hasGitSettings: boolean;
  view: ProgramView;
  masks: Masks;
  first: Omit<FirstProcess, "mounted">;
  disk: DiskView;
}

/** Most arguments: bubblewrap takes 9,000, and its caller adds a few. */
const MAX_ARGUMENTS = 8_990;
const MEGABYTE = 1024 * 1024;

/** Settings of the system without secrets that programs need. Each one slows the start of every program. */
const ETC = [
  ...["ld.so.cache", "alternatives", "localtime", "os-release", "passwd", "group", "nsswitch.conf", "hosts"],
  ...["fonts", "mime.types", "crypto-policies", "R"],
].map((name) => `/etc/${name}`);
/** Only programs with a network look for these. */
const ETC_NETWORK = [
  ...["host.conf", "protocols", "services", "networks", "gai.conf"],
  ...["ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "ca-certificates", "ca-certificates.conf"],
  ...["pki/ca-trust", "pki/tls/certs", "pki/tls/cert.pem", "pki/tls/openssl.cnf", "pki/java"],
].map((name) => `/etc/${name}`);
/** Carries its version in its name. */
const ETC_NAMES = /^(java|php)[\w.-]*$/;

/** Where a program of a box has its home and its temporary files. */
export function scratchOf(view: ProgramView): { tmp: string; home: string } {
  const tmp = hasRealTmp(view) ? "/dev/shm" : "/tmp";
  return { tmp, home: view.home ?? `${tmp}/home` };
}

/**
 * Makes the start of a program in a box: it starts empty, holds the system's libraries and what the view shows,
 * under its masks. Bubblewrap reports on file descriptor 3, which must be open.
 *
 * @throws {ToolError} `limit_exceeded` if there are more arguments than bubblewrap takes
 */
export function programBox(plan: BoxPlan): { argv: string[]; env: Record<string, string> } {
  const { bwrap, words, cwd, view, masks, first, disk, env } = plan;
  const only = masks.only && onlyMounts(masks.only);
  const mounted = [...masks.pinned, ...masks.frozen, ...masks.thawed];
  const { carried, words: told } = boxVariables(env);
  const argv = [
    bwrap,
    ...["--info-fd", "3"],
    // Who starts the box lets it join the network that leads to the gate.
    ...isolation({
      ...{ terminal: plan.terminal, network: plan.network === "machine" },
      ...{ first: isShielded(first), environment: true },
    }),
    ...["--hostname", "bulkhead"],
    ...(view.everything ? everythingBinds(disk) : [...systemFolderBinds(disk), ...settings(plan)]),
    ...ownFolders(plan),
    ...grantBinds({ read: view.shown, write: view.writable }, disk),
    ...(view.apart ? ["--bind", view.apart.folder, view.apart.at] : []),
    ...nameServers(plan),
    ...linksTo(plan),
    ...(view.home === null ? ["--dir", scratchOf(view).home] : []),
    ...(plan.hasGitSettings ? ["--file", "6", `${scratchOf(view).home}/.gitconfig`] : []),
    ...only?.before ?? [],
    ...maskMounts(plan),
    ...only?.after ?? [],
    ...(view.everything ? ["--remount-ro", "/run"] : []),
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", cwd],
    ...told,
    "--",
    ...firstProcess({ ...first, mounted }),
    ...words,
  ];
  if (argv.length > MAX_ARGUMENTS) throw tooManyArguments(argv.length - words.length);
  return { argv, env: carried };
}

/** The folders themselves exist in the box already. */
function everythingBinds(disk: DiskView): string[] {
  return disk.list("/").map((name) => `/${name}`)
    .filter((path) => !isPrivate(path) && disk.lstat(path)?.isSymlink)
    .flatMap((path) => ["--symlink", disk.readLink(path), path]);
}

/** Returns the settings of the system that programs see, and those that only programs with a network look for. */
export function systemSettings(disk: DiskView, hasNetwork: boolean): string[] {
  const versioned = disk.list("/etc").filter((name) => ETC_NAMES.test(name)).map((name) => `/etc/${name}`);
  return [...ETC, ...(hasNetwork ? ETC_NETWORK : []), ...versioned];
}

function settings({ disk, network }: BoxPlan): string[] {
  return [...systemSettings(disk, network !== "none"), NIX_STORE].flatMap((path) => {
    const info = disk.lstat(path);
    if (!info) return [];
    // Some programs learn the time zone's name from the link.
    const isSystem = info.isSymlink && realOrNull(path)?.startsWith("/usr/");
    return isSystem ? ["--symlink", disk.readLink(path), path] : ["--ro-bind-try", path, path];
  });
}

function ownFolders({ tmpMb, view }: BoxPlan): string[] {
  const sized = (path: string) => ["--size", String(Math.ceil(tmpMb * MEGABYTE)), "--tmpfs", path];
  return [
    ...KERNEL_FOLDERS,
    ...sized("/dev/shm"),
    ...(hasRealTmp(view) ? [] : sized("/tmp")),
    ...(view.home === null || view.shows(view.home) ? [] : sized(view.home)),
    ...(view.everything ? sized("/run") : []),
  ];
}

function hasRealTmp(view: ProgramView): boolean {
  return view.shown.includes("/tmp");
}

/** Often a link into /run, which the box does not show. */
function nameServers({ network, view }: BoxPlan): string[] {
  const path = "/etc/resolv.conf";
  const real = network === "machine" ? realOrNull(path) : null;
  if (real === null) return [];
  if (!view.everything) return ["--ro-bind", real, path];
  return isPrivate(real) ? ["--ro-bind", real, real] : [];
}

/** Where the link itself is shown, it is there already. */
function linksTo({ view }: BoxPlan): string[] {
  return view.links.filter(({ at }) => !view.shows(at)).flatMap(({ at, to }) => ["--symlink", to, at]);
}

function maskMounts({ masks, view, disk }: BoxPlan): string[] {
  const { hidden, opened, frozen, replaced, thawed, pinned, oddFolders } = masks;
  const isFolder = (path: string) => isOdd(path) ? oddFolders.includes(path) : disk.lstat(path)?.isDirectory;
  const folders = hidden.filter(isFolder);
  const files = hidden.filter((path) => !folders.includes(path));
  return [
    ...pinned.flatMap((path) => ["--bind", path, path]),
    ...frozen.flatMap((path) => ["--ro-bind", path, path]),
    ...replaced.flatMap(({ path, copy }) => ["--ro-bind", copy, path]),
    ...thawed.flatMap((path) => ["--bind", path, path]),
    ...files.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...folders.flatMap((path) => ["--tmpfs", path]),
    ...opened.flatMap((path) => [covers(view.writable, path) ? "--bind" : "--ro-bind", path, path]),
    ...folders.flatMap((path) => ["--remount-ro", path]),
  ];
}

function tooManyArguments(needed: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `A sandbox takes ${MAX_ARGUMENTS} words, and ${needed} of them are needed for its folders and masks: ` +
      "give the program fewer arguments",
  );
}
