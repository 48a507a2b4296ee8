import { ToolError } from "../../../schemas/error.ts";

/** Variables of the user's environment that every program sees; all others only if `--allow-env` names them. */
export const PROGRAM_VARIABLES: readonly string[] = ["LANG", "LC_ALL", "TZ", "TERM", "USER"];

/** Variables of the user's environment that say where git's settings are. */
export const GIT_VARIABLES: readonly string[] = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "XDG_CONFIG_HOME"];

/** Returns the variables of these names that are set. */
export function pickVariables(
  env: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => env[name] === undefined ? [] : [[name, env[name]]]));
}

/** The facts that a program's environment tells. */
export interface ProgramSurroundings {
  /** Folders of programs, as in `PATH`. */
  path: string;
  home: string;
  tmp: string;
  /** It has a terminal. */
  terminal: boolean;
  /** The variables that the sandbox needs. @default none */
  sandbox?: Readonly<Record<string, string>>;
  /** The variables that the user allows: {@linkcode PROGRAM_VARIABLES} and those that `--allow-env` names. */
  allowed: Readonly<Record<string, string>>;
  /** The variables that the tool sets. They win over all others. */
  own: Readonly<Record<string, string>>;
}

/**
 * Returns the whole environment of a program. The program inherits nothing.
 *
 * @throws {ToolError} `invalid_input` for a variable that cannot be set
 */
export function programEnvironment(surroundings: ProgramSurroundings): Record<string, string> {
  const { path, home, tmp, terminal, sandbox, allowed, own } = surroundings;
  for (const [name, value] of Object.entries(own)) checkVariable(name, value);
  const user = allowed.USER || "user";
  const { TERM, ...passed } = allowed;
  return {
    PATH: path,
    HOME: home,
    TMPDIR: tmp,
    LANG: "C.UTF-8",
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/bash",
    GIT_TERMINAL_PROMPT: "0",
    ...sandbox,
    ...passed,
    // Only a terminal can show colours or move a cursor.
    TERM: !terminal ? "dumb" : TERM && TERM !== "dumb" ? TERM : "xterm-256color",
    ...own,
  };
}

/** These variables decide what is executed, even before the program itself. */
const STARTING = /^(LD_.*|DYLD_.*|BASH_FUNC_.*|PATH|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS)$/;

function checkVariable(name: string, value: string): void {
  if (STARTING.test(name)) {
    throw new ToolError("invalid_input", `Cannot set variable "${name}" for a program`);
  }
  if (name !== "" && !/[=\0]/.test(name) && !value.includes("\0")) return;
  throw new ToolError(
    "invalid_input",
    `Cannot set variable ${
      JSON.stringify(name)
    }: a name must not be empty or hold "=", and NUL is never allowed`,
  );
}
