import { isAbsolute, join } from "@std/path";

import type { ThinkingPrompts } from "../../../../schemas/step/thinking.ts";
import { FileFields } from "./fields.ts";
import type { PlainObject } from "./plain_tree.ts";

/** Reads a file of the user; `null` if there is none. */
export type ReadText = (path: string) => string | null;

/** The prompts of a file, by their names here, with the placeholders of earlier versions by today's. */
const PROMPTS = [
  ["system", "system_prompt", {}],
  ["request", "initial_user_request", { user_request: "task" }],
  ["clarification", "clarification_response", { clarification_needed: "clarifications" }],
] as const;

/**
 * Reads the section `prompts`: each one is a text, or the path of a file from the file's own folder on. A text counts
 * before a file. A file that is not there is told and left out.
 *
 * @throws {ToolError} `configuration` for a file that cannot be read
 */
export function readPrompts(
  section: PlainObject,
  at: string,
  { readText, warn }: { readText: ReadText; warn(message: string): void },
): ThinkingPrompts {
  const fields = new FileFields(section, `${at}.prompts`);
  const folder = fields.text("prompts_dir") ?? "";
  const prompts: { -readonly [name in keyof ThinkingPrompts]: ThinkingPrompts[name] } = {};
  for (const [name, upstream, earlier] of PROMPTS) {
    const text = fields.text(`${upstream}_str`) ?? fields.text(upstream);
    const named = fields.text(`${upstream}_file`);
    const path = named === undefined || isAbsolute(named) ? named : join(folder, named);
    const read = text ?? (path === undefined ? null : readText(path));
    if (read !== null) prompts[name] = renamed(undoubled(read), earlier);
    else if (path !== undefined) warn(`${at}.prompts: there is no file "${path}": the usual prompt counts`);
  }
  for (const name of fields.unread) warn(`${fields.at}.${name} is not known here`);
  return prompts;
}

/** That system fills its prompts as Python's `str.format` does, where a brace that shall stay is written twice. */
function undoubled(text: string): string {
  return text.replace(
    /\{\{|\}\}|\{\w*\}/g,
    (found) => found === "{{" ? "{lbrace}" : found === "}}" ? "{rbrace}" : found,
  );
}

function renamed(text: string, earlier: Readonly<Record<string, string>>): string {
  return Object.entries(earlier).reduce((all, [was, is]) => all.replaceAll(`{${was}}`, `{${is}}`), text);
}
