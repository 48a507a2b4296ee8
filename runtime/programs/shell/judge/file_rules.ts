import { normalize } from "@std/path";

import type { SimpleCommand } from "../../../../schemas/command.ts";
import { some } from "./matching.ts";
import { type Arguments, hasOption, operandsOf, optionValues } from "../facts/arguments.ts";
import type { Rule, Structure } from "../read/structure.ts";

const RECURSIVE = { short: "rR", long: ["recursive"] };
const DEVICE =
  /^\/dev\/(?:[shv]d[a-z]|xvd|nvme\d|mmcblk|loop\d|disk\/|mapper\/|dm-|md\d|nbd|sr\d|z?ram\d|mtd)/;
const WRITES_LAST = new Set(["cp", "mv", "install", "ln", "rsync"]);
const WRITES_ALL = new Set(["tee", "shred", "truncate", "sponge"]);
const MAKES_FILE_SYSTEM = new Set([
  "mkfs",
  "mke2fs",
  "mkswap",
  "mkdosfs",
  "mkntfs",
  "newfs",
  "wipefs",
  "blkdiscard",
]);
const PARTITIONS = new Set(["fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "cgdisk", "parted", "partx"]);
const MAX_MODE = 100;
// It makes the file writable for everybody.
const FULL_MODES = /^0*[0-7]?777$|(?:^|,)(?:[ugo]*[ao][ugo]*)?[+=][rxX]*w/;
const SET_ID_MODES = /^0*[2-7][0-7]{3}$|(?:^|,)[ugoa]*[+=][rwxXt]*s/;
// A name of wildcards alone matches everything in its folder.
const EVERYTHING = /^(?:[*?.]|\[[^\]]*\])+$/;

/** Rules about files, disks and modes. */
export const FILE_RULES: Readonly<Record<string, Rule>> = {
  "rm-rf-root": (structure) => removes(structure, isRoot),
  "rm-rf-home": (structure) => removes(structure, isHome),
  "dd-zero-disk": (structure) => some(structure, overwritesDevice),
  mkfs: (structure) =>
    some(structure, ({ program }) => MAKES_FILE_SYSTEM.has(program) || program.startsWith("mkfs.")),
  fdisk: (structure) => some(structure, ({ program }) => PARTITIONS.has(program)),
  "chmod-777-root": (structure) => some(structure, opensRoot),
  "chmod-suid": (structure) => some(structure, setsId),
  "chown-recursive": (structure) => some(structure, handsOverFolders),
};

function removes(structure: Structure, isMeant: (path: string) => boolean): boolean {
  let folder = "";
  return some(structure, ({ program, args }) => {
    if (program === "cd") folder = operandsOf(args)[0] ?? (args.length > 0 ? "" : "~");
    if (program !== "rm" || !hasOption(args, RECURSIVE)) return false;
    return operandsOf(args).some((path) => path !== null && isMeant(placed(path, folder)));
  });
}

/** Returns a path relative to the folder that an earlier command changed to. */
function placed(path: string, folder: string): string {
  return path.startsWith("/") || /^(?:~|\$)/.test(path) || folder === "" ? path : `${folder}/${path}`;
}

function isRoot(path: string): boolean {
  if (!path.startsWith("/")) return false;
  const plain = normalize(path).replace(/\/+$/, "");
  return plain === "" || (plain.lastIndexOf("/") === 0 && EVERYTHING.test(plain.slice(1)));
}

function isHome(path: string): boolean {
  if (!/^[~$]/.test(path)) return false;
  const plain = normalize(path.replace(/^\$(?:HOME\b|\{HOME\})/, "~")).replace(/\/+$/, "");
  const [first, second, ...others] = plain.split("/");
  return /^~\w*$/.test(first ?? "") && others.length === 0 &&
    (second === undefined || EVERYTHING.test(second));
}

function overwritesDevice({ program, args, writes }: SimpleCommand): boolean {
  const targets = [...writes];
  if (program === "dd") targets.push(...args.map((arg) => arg?.startsWith("of=") ? arg.slice(3) : null));
  const operands = operandsOf(args);
  if (WRITES_LAST.has(program)) targets.push(operands.at(-1) ?? null);
  if (WRITES_ALL.has(program)) targets.push(...operands);
  return targets.some((target) => target !== null && DEVICE.test(normalize(target)));
}

function opensRoot({ program, args }: SimpleCommand): boolean {
  if (program !== "chmod") return false;
  const [mode, ...paths] = operandsOf(args);
  return isMode(mode, FULL_MODES) && paths.some((path) => path !== null && isRoot(path));
}

function setsId({ program, args }: SimpleCommand): boolean {
  const modes: Arguments = program === "chmod"
    ? operandsOf(args).slice(0, 1)
    : program === "install"
    ? optionValues(args, { short: "m", long: ["mode"] })
    : [];
  return modes.some((mode) => isMode(mode, SET_ID_MODES));
}

function isMode(mode: string | null | undefined, wanted: RegExp): boolean {
  return typeof mode === "string" && mode.length <= MAX_MODE && wanted.test(mode);
}

/** Changing the owner of files is normal inside the folder where the command runs. */
function handsOverFolders({ program, args }: SimpleCommand): boolean {
  if (program !== "chown" || !hasOption(args, { short: "R", long: ["recursive"] })) return false;
  const isReferenced = hasOption(args, { long: ["reference"] });
  const paths = operandsOf(args).slice(isReferenced ? 0 : 1);
  return paths.length === 0 || paths.some((path) => path === null || !staysInside(path));
}

function staysInside(path: string): boolean {
  return !/^[/~$]/.test(path) && !/^\.\.(?:\/|$)/.test(normalize(path));
}
