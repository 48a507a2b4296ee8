import { basename } from "@std/path";

import type { Command } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ProgramRun, SessionSpec } from "../../../schemas/program.ts";
import { isInterpreter, isShell } from "../shell/facts/languages.ts";

/** A program to start, in any of its forms. */
export type StartSpec =
  & Pick<ProgramRun, "argv" | "script" | "stdin" | "cwd" | "env" | "apart">
  & Pick<SessionSpec, "shell">;

/** The words that really start a program, and what is judged before. */
export interface StartWords {
  argv: readonly string[];
  /** @default the folder of the specification */
  stdin?: string;
  /** `null` for a shell whose commands are judged one by one, when they come. */
  command: Command | null;
  /** The program gets its code later. */
  unforeseen: boolean;
}

/** Linux takes no longer text as an argument: its limit is 131,072 bytes. */
const MOST_ARGUMENT_CHARS = 32_000;
/** Reads the text itself from stdin, and keeps its last line ends. */
const READ_SCRIPT = 'c=$(cat; printf x); exec </dev/null; eval "${c%x}"';
/** Keep an interactive bash from reading the user's start files, and from drawing prompts. */
const INTERACTIVE = ["--noprofile", "--norc", "--noediting", "-i"];

/**
 * Decides which words start a program, and which of them are judged.
 *
 * @param facts `interprets`: the tool starts interpreters that get their code later; `stays`: its input comes while it runs
 * @throws {ToolError} `invalid_input` for a text or a shell session that no shell takes
 */
export function startWords(
  spec: StartSpec,
  facts: { interprets: boolean; stays: boolean },
): StartWords {
  const { argv, script, shell, stdin } = spec;
  if (script !== undefined) return scriptWords(argv, script, stdin);
  if (shell) return shellWords(argv);
  const command: Command = { argv, ...(stdin !== undefined && { stdin }) };
  return { argv, command, unforeseen: facts.interprets && isUnforeseen(spec, facts.stays) };
}

/** A shell uses this name in its messages, wherever its file is. */
function scriptWords(argv: readonly string[], script: string, stdin: string | undefined): StartWords {
  const name = basename(argv[0] ?? "");
  if (argv.length !== 1 || !isShell(name) || stdin !== undefined) {
    throw new ToolError("invalid_input", `Cannot give a text to ${JSON.stringify(argv)}: name a shell alone`);
  }
  const command: Command = { script, shell: name };
  if (script.length <= MOST_ARGUMENT_CHARS) {
    return { argv: [...argv, "-c", script, name], command, unforeseen: false };
  }
  return { argv: [...argv, "-c", READ_SCRIPT, name], stdin: script, command, unforeseen: false };
}

function shellWords(argv: readonly string[]): StartWords {
  if (argv.length === 1 && basename(argv[0]!) === "bash") {
    return { argv: [...argv, ...INTERACTIVE], command: null, unforeseen: true };
  }
  throw new ToolError(
    "invalid_input",
    `Cannot open ${JSON.stringify(argv)} as a shell: only bash is one here`,
  );
}

/** With options alone, an opened program gets its code later. Another one may read it from stdin. */
function isUnforeseen({ argv, stdin }: StartSpec, stays: boolean): boolean {
  if (stays) return argv.slice(1).every((word) => /^[-+]/.test(word));
  return stdin !== undefined && isInterpreter(basename(argv[0] ?? ""));
}
