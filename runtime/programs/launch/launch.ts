import type { ProgramSpec } from "../../../schemas/program.ts";

/** A program made ready to be started: everything is decided, nothing has happened. */
export interface Launch {
  /** What is really started; the first word is an absolute path. Bubblewrap and limits come first in a box. */
  argv: readonly string[];
  /** The whole environment of the process that is started; in a box it is empty, and the program gets its own inside. */
  env: Readonly<Record<string, string>>;
  /** Where it is started: the program's folder, or `/` for a box, which changes folder itself. */
  startIn: string;
  /** The program's folder, absolute and real: for results and audit. */
  cwd: string;
  boxed: boolean;
  /** Folders that it may write, whose disks are watched. */
  writes: readonly string[];
  /** To be told to the user with the result. */
  warnings: readonly string[];
  /** To be called when it has ended, or now and then while it runs: puts aside what it may not leave, and says so. */
  inspect(): Promise<string[]>;
}

/** Decides whether and how a program may start. */
export interface Launcher {
  /**
   * @throws {ToolError} `permission_denied` if the grants do not let it start, `not_found` if there is no such program
   * or folder, `invalid_input` for words that cannot be a command
   */
  prepare(
    spec: ProgramSpec,
    options: {
      terminal: boolean;
      vouched: boolean;
      /** It will run beside others. @default false */
      stays?: boolean;
    },
  ): Promise<Launch>;
}
