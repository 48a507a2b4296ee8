import { basename } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import { SYSTEM_FOLDERS } from "../../walls/box/bubblewrap.ts";
import { MARK_NAME } from "../../walls/box/box_variables.ts";
import { realDisk } from "../../walls/box/disk_view.ts";
import { lstat, realOrNull } from "../../walls/files/file_facts.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { cutOut } from "../../walls/landlock/cut_out.ts";
import { type LandlockRule, planVariables, type RuleKind } from "../../walls/landlock/plan.ts";
import { type Landlock, landlockFilter } from "../../walls/box/try_landlock.ts";
import { showPath } from "../bytes/odd_names.ts";
import { placesIn } from "./make_scratch.ts";
import { newScratch, type ProfileLaunch, type ProfileWall } from "./profile_wall.ts";
import { systemSettings } from "./program_box.ts";
import { NIX_STORE } from "./program_view.ts";

/** Devices of the kernel that programs open, and what many terminals need. */
const DEVICES = ["null", "zero", "full", "random", "urandom", "tty", "ptmx"].map((name) => `/dev/${name}`);
/** What the kernel tells of the machine, and of the program's first process. */
const KERNEL = [
  ...["self", "cpuinfo", "meminfo", "stat", "loadavg", "uptime", "version", "filesystems", "sys"],
].map((name) => `/proc/${name}`);
/** Programs end where they may not open these, though they could do without. */
const EXPECTED = ["/etc/ssl/openssl.cnf", "/etc/gitconfig"];

/** Returns the wall of one program. */
export function landlockWall({ launcher, holdsPorts }: Landlock): ProfileWall {
  const scratch = newScratch(realOrNull("/tmp") ?? "/tmp");
  const { tmp } = placesIn(scratch);
  return {
    name: "landlock",
    scratch,
    holdsPorts,
    system: { folders: [...SYSTEM_FOLDERS, NIX_STORE], bins: [] },
    // What git may not open of the system's settings ends it.
    variables: { TMP: tmp, TEMP: tmp, GIT_CONFIG_NOSYSTEM: "1" },
    enclose: (launch) => {
      const { words, env, network, reads, view } = launch;
      requireClosable(launch);
      const plan = planVariables({
        rules: rulesOf(launch, scratch),
        ports: network === "machine" ? null : network === "none" ? [] : [network.port],
        filter: landlockFilter({
          local: false,
          internet: network === "machine" ? "all" : network === "none" ? "none" : "tcp",
          attributes: !reads && view.writable.length > 0,
        })!,
        bounds: [],
        argv: words,
        env,
        keeps: [MARK_NAME],
      });
      return { argv: [...launcher.argv], env: { ...launcher.env, ...plan } };
    },
    warnings: () => [],
  };
}

/** What is closed to a program though it lies in what it sees. Its sockets cannot be reached, and its pipes not written. */
function hiddenIn({ masks: { hidden, replaced } }: ProfileLaunch): string[] {
  return [...hidden, ...replaced.map(({ path }) => path)].filter((path) => {
    const info = lstat(path);
    return !info?.isSocket && !info?.isFifo;
  });
}

function rulesOf(launch: ProfileLaunch, scratch: string): LandlockRule[] {
  const { view, masks, reads, network, words } = launch;
  const writable = reads ? [] : view.writable;
  const seen = [...new Set([...view.shown, ...view.writable])];
  const system = [...SYSTEM_FOLDERS, NIX_STORE].flatMap((path) => realOrNull(path) ?? []);
  const settings = [...systemSettings(realDisk, network !== "none"), ...EXPECTED];
  const granted: LandlockRule[] = [
    ...[...new Set(system)].map((path) => [path, "run"] as const),
    ...seen.map((path) => [path, covers(writable, path) ? "work" : "run"] as const),
  ];
  const opened = [...masks.opened, ...masks.only?.files ?? []];
  const closed = [...hiddenIn(launch), ...masks.only?.folders ?? []];
  const kindOf = (path: string): RuleKind => covers(writable, path) ? "work" : "run";
  const cut = cutOut(granted, closed);
  if (cut === null) throw tooMuch(words, closed);
  return [
    ...cut,
    ...opened.map((path) => [path, kindOf(path)] as const),
    ...settings.flatMap((path) => {
      const real = realOrNull(path);
      return real === null ? [] : [[real, "read"] as const];
    }),
    ...(network === "machine"
      ? [[realOrNull("/etc/resolv.conf") ?? "/etc/resolv.conf", "read"] as const]
      : []),
    ...DEVICES.map((path) => [realOrNull(path) ?? path, "device"] as const),
    ...KERNEL.map((path) => [path, "read"] as const),
    [scratch, "work"],
  ];
}

/**
 * Landlock opens folders, and closes nothing in them. Where a program only reads, the entries beside what is closed are opened
 * one by one; where it writes, none could be made there any more.
 */
function requireClosable(launch: ProfileLaunch): void {
  const { view, files, masks, reads, words } = launch;
  if (reads) return;
  const denied = files.denyWrite === true ? [] : files.denyWrite;
  const closed = new Set([...hiddenIn(launch), ...denied]);
  const unheld = [...closed].filter((path) => covers(view.writable, path));
  if (unheld.length === 0) return;
  // What a box shows without its logins is a secret, too.
  const isLogin = (path: string) => masks.replaced.some((file) => file.path === path);
  const isOpenable = (path: string) =>
    (isSecret(path, files.workspace) || isLogin(path)) && !isBarred(path, files);
  const flags = unheld.every(isOpenable)
    ? [flagWord("--allow-secrets", unheld.map((path) => shortName(path, files.workspace)))]
    : [];
  const how = flags.length > 0
    ? `pass ${showFlags(flags)} to let programs see it`
    : "keep it outside of the folders that programs may write";
  throw refusal(words, {
    why: `${listed(unheld)} cannot be closed to a program that may write the folder around it: ${how}, ` +
      "or use a command that only reads",
    flags,
  });
}

function isBarred(path: string, { denyRead, denyWrite, own = [] }: FileGrants): boolean {
  return [denyRead, denyWrite, own].some((scope) => covers(scope, path));
}

function shortName(path: string, workspace: string): string {
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

const SHOWN = 3;

function listed(paths: readonly string[]): string {
  const more = paths.length - SHOWN;
  const named = paths.slice(0, SHOWN).map((path) => `"${showPath(path)}"`).join(", ");
  return more > 0 ? `${named} and ${more} more` : named;
}

function tooMuch(words: readonly string[], closed: readonly string[]): ToolError {
  return refusal(words, {
    why: `too much lies beside ${
      listed(closed)
    } to be opened without it: name a smaller folder with --workspace`,
    flags: [],
  });
}

function refusal(
  words: readonly string[],
  { why, flags }: { why: string; flags: readonly string[] },
): ToolError {
  const name = basename(words.find((word) => !word.startsWith("-") && basename(word) !== "prlimit") ?? "");
  return new ToolError(
    "permission_denied",
    `Cannot run "${name}": in the sandbox of this machine (Landlock) ${why}`,
    {
      details: {
        ...{ kind: "run", target: name, reason: flags.length > 0 ? "outside" : "denied", flags },
        ...(flags.length > 0 && { flag: flags[0], pass: showFlags(flags) }),
      },
    },
  );
}
