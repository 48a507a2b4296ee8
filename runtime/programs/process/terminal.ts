import type { TerminalSize } from "../../../schemas/program.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Launch } from "../launch/launch.ts";
import { shellQuote } from "../../text/shell_quote.ts";
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
  const { script, stty, setpriv } = programs;
  if (script === null || stty === null) {
    const missing = script === null ? "script" : "stty";
    throw new ToolError(
      "unavailable",
      `A terminal needs "${missing}", which is not on the search path: install util-linux (bsdutils) and coreutils, ` +
        "or run the program without a terminal",
    );
  }
  const tied = launch.boxed || setpriv === null ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
  const { SHELL: shell } = launch.env;
  const names = (parts: readonly string[]) => parts.map((_, index) => `${PART_NAME}${index}`);
  const inside = [
    `${shellQuote(stty)} rows ${size.rows} cols ${size.cols} -echo`,
    "echo $$ >&3",
    ...(launch.boxed ? [] : ["exec 3>&-"]),
    shell === undefined ? "unset SHELL" : `export SHELL=${shellQuote(shell)}`,
    `exec ${[...tied, ...launch.argv].map(shellQuote).join(" ")}`,
  ].join("; ");
  // As an argument, the line could be too long for the system.
  const parts = inside.match(PARTS) ?? [];
  const line = names(parts).map((name) => `$${name}`).join("");
  return {
    argv: [script, "-qefc", `eval "unset ${names(parts).join(" ")}; ${line}"`, "/dev/null"],
    env: {
      ...launch.env,
      SHELL: programs.sh,
      ...Object.fromEntries(names(parts).map((name, i) => [name, parts[i]!])),
    },
  };
}
