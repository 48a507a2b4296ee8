import { completeBash } from "./complete_bash.ts";
import { completeFish } from "./complete_fish.ts";
import { completeZsh } from "./complete_zsh.ts";
import type { Shell } from "../args/command_table.ts";

/**
 * Returns a completion script for a shell, made from the tables of commands and options.
 *
 * @param tools Names of tools, bare or full; names that a shell could read as more than a word are left out
 */
export function renderCompletions(shell: Shell, tools: readonly string[]): string {
  const safe = tools.filter((name) => /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)?$/.test(name));
  const toolsets = new Set(safe.filter((name) => name.includes("/")).map((name) => name.split("/", 1)[0]!));
  const names = { tools: [...new Set(safe)], toolsets: [...toolsets] };
  return { bash: completeBash, zsh: completeZsh, fish: completeFish }[shell](names);
}
