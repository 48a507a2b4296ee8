import { ToolError } from "../../../schemas/error.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { CommandName } from "../args/command_table.ts";
import type { ForeignKind } from "../../coming/foreign_word.ts";
import { findWord, sayWord } from "../../coming/systems.ts";
import { FOREIGN_COMMANDS, FOREIGN_OPTIONS, type ForeignWords } from "../args/foreign_words.ts";

/**
 * Says what stands here for a word that people know from another program, or for the name of a tool.
 *
 * @param typed The command that the user typed, as far as it was understood
 * @returns The same error if nothing is known of the word
 */
export function explainUnknown(
  error: ToolError,
  manifest: Manifest,
  typed: CommandName | null = null,
): ToolError {
  const { unknown_option: option, unknown_command: command, unknown_tool: tool } = error.details;
  if (typeof option === "string") {
    return reword(
      error,
      `option "${option}"`,
      sayForeign(option, FOREIGN_OPTIONS) ?? sayOther("flag", option),
    );
  }
  if (typeof tool === "string") {
    const said = sayForeignTool(tool, { manifest, typed }) ?? sayOther("tool", tool);
    return said === null ? seeTools(error) : reword(error, `tool "${tool}"`, said);
  }
  if (typeof command !== "string") return error;
  const said = sayTool(command, manifest) ?? sayForeign(command, FOREIGN_COMMANDS) ??
    sayOther("flag", command) ?? sayTask(command);
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

function sayOther(kind: ForeignKind, word: string): string | null {
  const found = findWord(kind, word);
  return found === undefined ? null : sayWord(found);
}

function sayTool(word: string, { foreign_commands, tools }: Manifest): string | null {
  if (Object.hasOwn(foreign_commands, word)) return `use bulkhead ${foreign_commands[word]}`;
  const tool = tools.find(({ name, full_name }) => name === word || full_name === word);
  return tool ? `it is a tool, use bulkhead call ${word} key=value, see: bulkhead help ${word}` : null;
}

/** What does the work of a command of a shell, where the user typed it as the tool of a call. */
function sayForeignTool(
  word: string,
  { manifest: { foreign_commands: lines }, typed }: { manifest: Manifest; typed: CommandName | null },
): string | null {
  const key = [word, word.toLowerCase()].find((key) => Object.hasOwn(lines, key));
  if (key === undefined || (typed !== "call" && typed !== "explain")) return null;
  return `use bulkhead ${lines[key]!.replace(/^call /, `${typed} `)}`;
}

function seeTools({ code, message, details }: ToolError): ToolError {
  return new ToolError(code, `${message}${message.endsWith("?") ? "" : "."} See: bulkhead tools`, {
    details,
  });
}

/** Nobody names a command in several words. */
function sayTask(words: string): string | null {
  return /\s/.test(words.trim()) ? "for a task of a model, use bulkhead run 'PROMPT'" : null;
}
