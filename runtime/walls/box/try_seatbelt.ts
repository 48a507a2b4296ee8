import { programProfile } from "./program_profile.ts";
import { seatbeltProfile } from "./room_profile.ts";
import { underSeatbelt } from "./seatbelt_rules.ts";
import { tryProgram } from "../process/try_program.ts";

/** What the trials of profiles need of the machine. */
export interface SeatbeltMachine {
  /** Runs a command with nothing but an empty environment. Returns why it failed, `null` if it did not. */
  run(words: readonly string[]): Promise<string | null>;
  /** The program itself, real, and words with which it does nothing. */
  self(): readonly string[];
}

/** Longest time for a trial, in milliseconds. */
const TRIAL_MS = 10_000;
/** Is on every Mac. */
const PROGRAM = "/usr/bin/true";
/** Is there, and a program that was granted nothing has none of it. */
const CLOSED = "/private/var/log";
const SHELL = "/bin/sh";

/**
 * Tries whether this very program starts under a profile that grants nothing: what a version of the system asks for besides
 * shows only there. Returns why it does not, `null` if it does.
 */
export async function tryRoomProfile({ run, self }: SeatbeltMachine): Promise<string | null> {
  const [program = "", ...words] = self();
  const profile = seatbeltProfile({
    ...{ read: [], write: [], execute: [program], reopened: [], sockets: [] },
    closed: { hidden: [], frozen: [] },
  });
  return await run(underSeatbelt(profile, [program, ...words]));
}

/**
 * Tries the profile of programs: that a shell starts another program under it, and that it holds. Returns why it does not
 * work, `null` if it does.
 */
export async function tryProgramProfile({ run }: Pick<SeatbeltMachine, "run">): Promise<string | null> {
  const profile = programProfile({
    ...{ read: [], write: [], links: [], scratch: "/private/var/empty", only: null, network: "none" },
    closed: { hidden: [], frozen: [], opened: [], thawed: [], pinned: [] },
  });
  const script = `${PROGRAM} || exit 3; ! /bin/ls ${CLOSED} 2>/dev/null`;
  const failed = await run(underSeatbelt(profile, [SHELL, "-c", script]));
  return failed === null ? null : `a trial of sandbox-exec failed: ${failed}`;
}

/** The machine itself. Needs `run`, and `read` of the program. */
export const thisMac: SeatbeltMachine = {
  self: () => [Deno.realPathSync(Deno.execPath()), Deno.build.standalone ? "version" : "--version"],
  async run(argv) {
    try {
      const env = { HOME: "/tmp", NO_COLOR: "1" };
      const { success, stderr } = await tryProgram(argv, { ms: TRIAL_MS, env });
      return success ? null : stderr || "it failed without a word";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  },
};
