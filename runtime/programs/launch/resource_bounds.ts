import type { ProgramLimits } from "../../../schemas/config.ts";

/** Longest time for a trial, in milliseconds. */
const TRIAL_MS = 5_000;
/** A shell, its child, and room for what counts them. */
const TRIAL_PROCESSES = 16;
const MEGABYTE = 1024 * 1024;

/**
 * Returns the words that go before a program to bound it; empty without prlimit. Each bound is tried first: a
 * user with tighter bounds may not set it. Needs `run`.
 *
 * @param box Words that start something in an empty box; without a box, processes are not counted separately
 * and not bounded
 */
export async function resourceBounds(
  limits: ProgramLimits,
  options: { prlimit: string | null; box: readonly string[] | null },
): Promise<string[]> {
  const { prlimit, box } = options;
  if (prlimit === null) return [];
  const bounds = [
    `--cpu=${Math.ceil(limits.cpu_seconds)}`,
    `--data=${Math.ceil(limits.memory_mb * MEGABYTE)}`,
    `--fsize=${Math.ceil(limits.file_mb * MEGABYTE)}`,
    "--core=0",
  ];
  const processes = Math.ceil(limits.processes);
  const trials = [
    ...bounds.map((bound) => ({ bound, trial: [bound] })),
    // Older kernels count all processes of the user. If only few are left, a bound leaves no room.
    ...(box === null
      ? []
      : [{ bound: `--nproc=${processes}`, trial: [`--nproc=${Math.min(processes, TRIAL_PROCESSES)}`] }]),
  ];
  const before = [...box ?? [], prlimit];
  const all = trials.flatMap(({ trial }) => trial);
  const held = await works([...before, ...all])
    ? trials
    : (await Promise.all(trials.map(async (one) => await works([...before, ...one.trial]) ? [one] : [])))
      .flat();
  return held.length === 0 ? [] : [prlimit, ...held.map(({ bound }) => bound), "--"];
}

async function works(words: readonly string[]): Promise<boolean> {
  const [program, ...args] = [...words, "--", "/bin/sh", "-c", "(:); (:)"];
  try {
    const { success } = await new Deno.Command(program!, {
      args,
      clearEnv: true,
      cwd: "/",
      stdin: "null",
      stdout: "null",
      stderr: "null",
      signal: AbortSignal.timeout(TRIAL_MS),
    }).output();
    return success;
  } catch {
    return false;
  }
}
