import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { propertiesOf, resolveRef, typesOf } from "../../../schemas/json/shape.ts";
import { argumentObject } from "../args/argument_fields.ts";
import type { Shell } from "../args/command_table.ts";
import { completeBash } from "./complete_bash.ts";
import { completeFish } from "./complete_fish.ts";
import { completeZsh } from "./complete_zsh.ts";
import type { CompletedCall, CompletionNames } from "./completion_names.ts";

/**
 * Returns a completion script for a shell, made from the tables of commands and options.
 *
 * @param tools Names of tools, bare or full; names that a shell could read as more than a word are left out
 * @param more Arguments of tools, see {@linkcode completedCall}, and names of agents
 */
export function renderCompletions(
  shell: Shell,
  tools: readonly string[],
  { calls = [], agents = [] }: Partial<Pick<CompletionNames, "calls" | "agents">> = {},
): string {
  const safe = tools.filter((name) => /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)?$/.test(name));
  const toolsets = new Set(safe.filter((name) => name.includes("/")).map((name) => name.split("/", 1)[0]!));
  const known = calls.map((call) => ({
    names: call.names.filter((name) => safe.includes(name)),
    arguments: call.arguments.filter(({ name }) => isSafe(name)),
  }));
  const names = {
    tools: [...new Set(safe)],
    toolsets: [...toolsets],
    agents: agents.filter(isSafe),
    calls: known.filter((call) => call.names.length > 0 && call.arguments.length > 0),
  };
  return { bash: completeBash, zsh: completeZsh, fish: completeFish }[shell](names);
}

/**
 * Returns what shells offer for the arguments of a tool.
 *
 * @param names The names that find it
 */
export function completedCall(
  { input_schema: root }: ManifestEntry,
  names: readonly string[],
): CompletedCall {
  const fields = Object.entries(propertiesOf(argumentObject(root)));
  return {
    names,
    arguments: fields.map(([name, field]) => {
      const { enum: values } = resolveRef(field, root);
      const isBoolean = typesOf(field, root).has("boolean");
      const all = Array.isArray(values) ? values.map(String) : isBoolean ? ["true", "false"] : [];
      return { name, values: all.filter(isSafe) };
    }),
  };
}

function isSafe(word: string): boolean {
  return /^[A-Za-z0-9_.-]+$/.test(word);
}
