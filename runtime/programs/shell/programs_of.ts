import type { CommandAnalysis, SimpleCommand } from "../../../schemas/command.ts";
import { isShell } from "./facts/languages.ts";
import { BUILTINS } from "./facts/program_lists.ts";

const IN_SHELL = new Set(["eval", "trap", "command", "builtin", "exec"]);

/**
 * Returns all known programs that a command starts: those that it names, and the wrappers and shells between.
 * Each one by name, or by path if it was written so; builtins of a shell do not count. Complete if nothing is
 * opaque.
 */
export function programsOf({ commands }: CommandAnalysis): string[] {
  const programs = commands.flatMap((command) => [
    ...command.via.filter((name) => !BUILTINS.has(name)),
    ...(command.program === "" || isBuiltin(command) ? [] : [command.path]),
  ]);
  return [...new Set(programs)];
}

function isBuiltin({ program, path, via }: SimpleCommand): boolean {
  const last = via.at(-1);
  const isInShell = last === undefined || isShell(last) || IN_SHELL.has(last);
  return isInShell && path === program && BUILTINS.has(program);
}
