import type { ProgramLimits } from "../../../schemas/config.ts";
import { isolation, KERNEL_FOLDERS, systemFolderBinds } from "../../walls/box/bubblewrap.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";
import { withoutPowers } from "../box/first_process.ts";
import { tryProgram } from "../../walls/process/try_program.ts";

/** Longest time for a trial, in milliseconds: a machine that is only busy must not lose its bounds. */
const TRIAL_MS = 20_000;
/** A shell, its child, and room for what counts them. */
const TRIAL_PROCESSES = 16;
const MEGABYTE = 1024 * 1024;

/** What bounds a program, as far as this machine lets it be done. */
export interface Bounds {
  /** Words that go before the program; empty without prlimit. */
  words: readonly string[];
  /** Shields the first process of a box from the program; `null` where that does not work. */
  setpriv: string | null;
  /** Tells how large a file may become, see {@linkcode withLargestFile}. */
  largestFile: LargestFile;
}

type LargestFile = typeof import("../../walls/box/free_space.ts").largestFile;

/** What bounds are made of. */
interface Trials {
  prlimit: string | null;
  setpriv: string | null;
  /** Without a box, processes are not counted separately and not bounded. */
  bwrap: string | null;
  disk: DiskView;
}

/**
 * Tries which bounds hold. Each one is tried before it is used: a user with tighter bounds may not set it, and not
 * every setpriv can shield. Needs `run`.
 */
export async function resourceBounds(limits: ProgramLimits, made: Trials): Promise<Bounds> {
  // What it needs takes long to load, and there is time while the trial runs.
  const loading = import("../../walls/box/free_space.ts");
  const tried = await tryBounds(limits, made);
  const { largestFile } = await loading;
  return { ...tried, largestFile };
}

async function tryBounds(limits: ProgramLimits, made: Trials): Promise<Omit<Bounds, "largestFile">> {
  const { prlimit, setpriv, bwrap, disk } = made;
  const trials = prlimit === null ? [] : trialsOf(limits, { isBoxed: bwrap !== null });
  const bounded = (words: readonly string[]) =>
    prlimit === null || words.length === 0 ? [] : [prlimit, ...words, "--"];
  const all = bounded(trials.map(({ trial }) => trial));
  const words = bounded(trials.map(({ bound }) => bound));
  const plain = bwrap === null ? [] : emptyBox(bwrap, { disk, setpriv: null });
  const shielded = bwrap === null || setpriv === null ? null : emptyBox(bwrap, { disk, setpriv });
  if (shielded && await works([...shielded, ...all])) return { words, setpriv };
  const shields = shielded && await works(shielded) ? setpriv : null;
  if (shields === null && await works([...plain, ...all])) return { words, setpriv: null };
  const held = await Promise.all(
    trials.map(async ({ bound, trial }) => await works([...plain, ...bounded([trial])]) ? [bound] : []),
  );
  return { words: bounded(held.flat()), setpriv: shields };
}

/** Returns the words with a tighter bound for one file, where the disks of these folders have less room. Needs `sys`. */
export function withLargestFile(
  { words, largestFile }: Bounds,
  limits: ProgramLimits,
  folders: readonly string[],
): string[] {
  const largest = largestFile(folders, { minFreeMb: limits.free_disk_mb });
  return words.map((word) => word === fileBound(limits, Infinity) ? fileBound(limits, largest) : word);
}

/** A program must be able to write a little everywhere, such as to a disk in memory. */
function fileBound({ file_mb }: ProgramLimits, largest: number): string {
  return `--fsize=${Math.ceil(Math.min(file_mb * MEGABYTE, Math.max(largest, MEGABYTE)))}`;
}

function emptyBox(bwrap: string, { disk, setpriv }: { disk: DiskView; setpriv: string | null }): string[] {
  const view = isolation({ network: false, terminal: false, first: setpriv !== null });
  const less = setpriv === null ? [] : withoutPowers(setpriv);
  return [bwrap, ...view, ...systemFolderBinds(disk), ...KERNEL_FOLDERS, "--", ...less];
}

function trialsOf(
  limits: ProgramLimits,
  { isBoxed }: { isBoxed: boolean },
): { bound: string; trial: string }[] {
  const bounds = [
    `--cpu=${Math.ceil(limits.cpu_seconds)}`,
    `--data=${Math.ceil(limits.memory_mb * MEGABYTE)}`,
    fileBound(limits, Infinity),
    "--core=0",
  ];
  const processes = Math.ceil(limits.processes);
  return [
    ...bounds.map((bound) => ({ bound, trial: bound })),
    // Older kernels count all processes of the user. If only few are left, a bound leaves no room.
    ...(isBoxed
      ? [{ bound: `--nproc=${processes}`, trial: `--nproc=${Math.min(processes, TRIAL_PROCESSES)}` }]
      : []),
  ];
}

async function works(words: readonly string[]): Promise<boolean> {
  try {
    return (await tryProgram([...words, "/bin/sh", "-c", "(:); (:)"], { ms: TRIAL_MS })).success;
  } catch {
    return false;
  }
}
