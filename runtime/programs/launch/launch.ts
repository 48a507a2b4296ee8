import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { ProgramSpec } from "../../../schemas/program.ts";
import type { LookAfter, LookWhileRunning } from "../protected/look_after.ts";
import type { ProgramNetwork } from "../network/program_network.ts";
import type { LeftTelling } from "../box/first_process.ts";
import type { Outlook } from "../box/outlook.ts";

/** A program that is ready to start: everything is decided, nothing has started. */
export interface Launch {
  /** The words that really start. The first is an absolute path; walls have their own program and limits first. */
  argv: readonly string[];
  /** The whole environment of the process that is started; what makes a box hands it on. */
  env: Readonly<Record<string, string>>;
  /** Where it is started: the program's folder, or `/` for a box, which changes folder itself. */
  startIn: string;
  /** The program's folder, absolute and real: for results and audit. */
  cwd: string;
  /** Walls enclose it: a box of bubblewrap, Landlock, or a profile of macOS. */
  boxed: boolean;
  /** What its walls need to start. @default it has none, or they need nothing */
  box?: BoxStart | ScratchFolder;
  /** What it sees; `null` without walls: then it sees all. */
  outlook: Outlook | null;
  /** Folders that it may write, whose disks are watched. */
  writes: readonly string[];
  /** Warnings for the user, shown with the result. */
  warnings: readonly string[];
  /**
   * Called at the program's end, and at times while it is `running`. Moves away files it may not leave, and warns.
   */
  inspect(options?: { running?: LookWhileRunning }): Promise<string[]>;
  /** What that look needs, if this process cannot do it any more; `null` for a program that can write nothing. */
  after: LookAfter | null;
}

/**
 * How a box of bubblewrap is started: `text` is what it reads from descriptor 6; with `local` it may make sockets that have a
 * path; `who` names it at the gate, to which its network leads then, by a `way` of its own if there is one; `tracer` are words
 * that start the box and watch it.
 */
export interface BoxStart {
  text: string;
  local: boolean;
  who?: string;
  way?: ProgramNetwork | undefined;
  tracer?: readonly string[];
}

/** What a program behind Landlock or a profile of macOS has in place of the private folders of a box. */
export interface ScratchFolder {
  /** Absolute, real path. It is made before the program, and removed after it. */
  scratch: string;
  /** Settings of git for its home; `""`: none. */
  text: string;
  /** Its name at the gate, to which a port of this machine leads it. @default it has no way there */
  who?: string;
  /** Returns its start with that port; without one it starts without a network. */
  lead(port: number): Pick<Launch, "argv" | "env">;
  /** The wall is Landlock. @default a profile of macOS */
  wall?: "landlock";
}

/** Returns how the box of a program is started; `null` if it is in none: then it is a process as any other. */
export function boxStart({ box }: Pick<Launch, "box">): BoxStart | null {
  return box && "local" in box ? box : null;
}

/** Returns the folder that is made for a program, `null` if none is. */
export function scratchFolder({ box }: Pick<Launch, "box">): ScratchFolder | null {
  return box && "scratch" in box ? box : null;
}

/** Returns how a program starts whose way to the gate is a port of this machine; `null`: it has none. */
export function leadToPort(launch: Launch, port: number | null): Launch {
  const scratch = scratchFolder(launch);
  return scratch === null || port === null ? launch : { ...launch, ...scratch.lead(port) };
}

/** Returns what the audit says of a program's walls. */
export function wallOf(
  { boxed, box }: Pick<Launch, "boxed" | "box">,
): Pick<AuditedProgram, "boxed" | "wall"> {
  const wall = box && "scratch" in box ? box.wall : undefined;
  return { boxed, ...(wall && { wall }) };
}

/** Decides whether and how a program may start. */
export interface Launcher {
  /**
   * @throws {ToolError} `permission_denied` if the grants do not allow it to start, `not_found` if there is
   * no such program or folder, `invalid_input` for words that cannot be a command
   */
  prepare(
    spec: ProgramSpec,
    options: {
      terminal: boolean;
      /** It will run beside others. @default false */
      stays?: boolean;
      /** Words that start the program in its box. @default none */
      before?: readonly string[];
      /** Whom its first process tells what it left running. @default nobody */
      tellsLeft?: LeftTelling;
      /** Says whether its command is known to read only. @default it is not */
      reads?: () => Promise<boolean>;
    },
  ): Promise<Launch>;
  /** Finds out what is the same for all programs, so that the first one need not wait. @default with the first program */
  warm?: (() => void) | undefined;
}
