import { ToolError } from "../../../schemas/error.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { FOREIGN_COMMANDS, FOREIGN_OPTIONS, type ForeignWords } from "../args/foreign_words.ts";

/**
 * Says what stands here for a word that people know from another program, or for the name of a tool.
 *
 * @returns The same error if nothing is known of the word
 */
export function explainUnknown(error: ToolError, manifest: Manifest): ToolError {
  const { unknown_option: option, unknown_command: command } = error.details;
  if (typeof option === "string") {
    return reword(error, `option "${option}"`, sayForeign(option, FOREIGN_OPTIONS));
  }
  if (typeof command !== "string") return error;
  const said = sayTool(command, manifest) ?? sayForeign(command, FOREIGN_COMMANDS) ?? sayTask(command);
  return reword(error, `command "${command.length > 60 ? `${command.slice(0, 60)}…` : command}"`, said);
}

function reword(error: ToolError, what: string, said: string | null): ToolError {
  if (said === null) return error;
  const { retryable, details } = error;
  return new ToolError("invalid_input", `Unknown ${what}: ${said}`, {
    retryable,
    details: { ...details, candidates: [] },
    cause: error,
  });
}

function sayForeign(word: string, table: readonly ForeignWords[]): string | null {
  const found = table.find(({ words }) => words.includes(word)) ??
    table.find(({ words }) => words.includes(word.toLowerCase()));
  return found ? `use bulkhead ${found.use}, which ${found.which}` : null;
}

function sayTool(word: string, { foreign_commands, tools }: Manifest): string | null {
  if (Object.hasOwn(foreign_commands, word)) return `use bulkhead ${foreign_commands[word]}`;
  const tool = tools.find(({ name, full_name }) => name === word || full_name === word);
  return tool ? `it is a tool, use bulkhead call ${word} key=value, see: bulkhead help ${word}` : null;
}

/** Nobody names a command in several words. */
function sayTask(words: string): string | null {
  return /\s/.test(words.trim()) ? "for a task of a model, use bulkhead run 'PROMPT'" : null;
}
