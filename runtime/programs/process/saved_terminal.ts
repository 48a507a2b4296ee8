import { tryProgram } from "../../walls/process/try_program.ts";

/**
 * Returns the modes of the terminal on stdin, to be set again later; `null` if they cannot be read. Needs `run`.
 *
 * @param stty Absolute path
 */
export async function saveTerminal(stty: string | null): Promise<string | null> {
  if (stty === null) return null;
  const { success, stdout } = await new Deno.Command(stty, {
    args: ["-g"],
    clearEnv: true,
    stdin: "inherit",
    stderr: "null",
  }).output();
  return success ? new TextDecoder().decode(stdout).trim() : null;
}

/** Sets modes again that {@linkcode saveTerminal} returned: a program that was killed leaves its own. Needs `run`. */
export async function restoreTerminal(stty: string | null, modes: string | null): Promise<void> {
  if (stty === null || modes === null) return;
  await new Deno.Command(stty, { args: [modes], clearEnv: true, stdin: "inherit", stderr: "null" }).output();
}

/** Longest time for a trial, in milliseconds. */
const TRIAL_MS = 5_000;
/** Of GNU coreutils. */
const ENV = "/usr/bin/env";
/** The signals of Ctrl-C and Ctrl-\\. */
const KEYS = "--default-signal=INT,QUIT";

/**
 * Returns words before a program that undo {@linkcode IGNORE_KEYS}; none where they cannot be undone. Needs `run`.
 */
export async function takesKeys(): Promise<string[]> {
  try {
    return (await tryProgram([ENV, KEYS, "true"], { ms: TRIAL_MS })).success ? [ENV, KEYS] : [];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** For a shell: what makes a box is in front in the terminal too, and must not end at the keys meant for the program. */
export const IGNORE_KEYS = "trap '' INT QUIT";
