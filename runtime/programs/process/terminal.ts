import type { TerminalSize } from "../../../schemas/program.ts";
import { ToolError } from "../../../schemas/error.ts";
import { boxStart, type Launch } from "../launch/launch.ts";
import { shellQuote } from "../../text/shell_quote.ts";
import { IGNORE_KEYS } from "./saved_terminal.ts";
import type { SystemPrograms } from "./system_programs.ts";

/** A command line and its whole environment. */
export interface TerminalCommand {
  argv: string[];
  env: Record<string, string>;
}

/** One variable of the environment holds at most 131,072 bytes, and a character takes up to four. */
const PARTS = /[^]{1,30000}/gu;
const PART_NAME = "BULKHEAD_TERMINAL_";
const MAX_SIZE = 65_535;

/**
 * Puts a terminal around a program: `script` makes it, sets its size, turns echo off, and tells the program's process on
 * descriptor 3, where bubblewrap tells its own.
 *
 * @throws {ToolError} `invalid_input` for a size that a terminal cannot have, `unavailable` without
 * util-linux
 */
export function terminalCommand(
  launch: Launch,
  size: TerminalSize,
  programs: SystemPrograms,
): TerminalCommand {
  for (const length of [size.rows, size.cols]) {
    if (!Number.isInteger(length) || length < 1 || length > MAX_SIZE) {
      throw new ToolError(
        "invalid_input",
        `A terminal of ${size.rows} rows and ${size.cols} columns cannot be made`,
      );
    }
  }
  const { script, stty } = programs;
  if (script === null || stty === null) {
    const missing = script === null ? "script" : "stty";
    throw new ToolError(
      "unavailable",
      `A terminal needs "${missing}", which is not on the search path: install util-linux (bsdutils) and coreutils, ` +
        "or run the program without a terminal",
    );
  }
  const before = [
    `${shellQuote(stty)} rows ${size.rows} cols ${size.cols} -echo`,
    "echo $$ >&3",
    ...(boxStart(launch) ? [] : ["exec 3>&-"]),
  ];
  return aroundProgram(launch, { script, programs, before, redirects: "" });
}

/** A terminal of its own for a program that a person uses. */
export interface AttachedTerminal {
  /** Makes the terminal. */
  script: string;
  /** Stderr goes past the terminal, to descriptor 5. */
  ownErrors: boolean;
  /** The program in the box takes the signals of keys, and what makes the box does not. */
  keysForProgram: boolean;
}

/**
 * Puts a terminal of its own around a program that a person uses: it takes the modes and the size of the person's
 * terminal, follows its size, and passes keys and output on.
 */
export function attachedTerminal(
  launch: Launch,
  programs: SystemPrograms,
  { script, ownErrors, keysForProgram }: AttachedTerminal,
): TerminalCommand {
  const redirects = `${ownErrors ? "2>&5 " : ""}5>&-${boxStart(launch) ? "" : " 3>&-"}`;
  const before = keysForProgram ? [IGNORE_KEYS] : [];
  return aroundProgram(launch, { script, programs, before, redirects });
}

/** The terminal's own shell does what stands before, then becomes the program. */
function aroundProgram(
  launch: Launch,
  parts: { script: string; programs: SystemPrograms; before: readonly string[]; redirects: string },
): TerminalCommand {
  const { script, programs, before, redirects } = parts;
  const { setpriv } = programs;
  const tied = boxStart(launch) || setpriv === null ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
  const { SHELL: shell } = launch.env;
  const names = (pieces: readonly string[]) => pieces.map((_, index) => `${PART_NAME}${index}`);
  const inside = [
    ...before,
    shell === undefined ? "unset SHELL" : `export SHELL=${shellQuote(shell)}`,
    `exec ${[...tied, ...launch.argv].map(shellQuote).join(" ")} ${redirects}`,
  ].join("; ");
  // As an argument, the line could be too long for the system.
  const pieces = inside.match(PARTS) ?? [];
  const line = names(pieces).map((name) => `$${name}`).join("");
  return {
    argv: [script, "-qefc", `eval "unset ${names(pieces).join(" ")}; ${line}"`, "/dev/null"],
    env: {
      ...launch.env,
      SHELL: programs.sh,
      ...Object.fromEntries(names(pieces).map((name, i) => [name, pieces[i]!])),
    },
  };
}
