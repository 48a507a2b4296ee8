import { extname } from "@std/path";

import type { ScriptTool } from "../../../schemas/config.ts";

/** What starts files of a language, by the ending of their names. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  ".py": ["python3"],
  ".sh": ["bash"],
  ".bash": ["bash"],
  ".js": ["node"],
  ".mjs": ["node"],
  ".cjs": ["node"],
  ".ts": ["deno", "run", "--quiet", "--no-prompt", "--allow-all"],
  ".rb": ["ruby"],
  ".pl": ["perl"],
  ".php": ["php"],
  ".lua": ["lua"],
  ".R": ["Rscript"],
  ".r": ["Rscript"],
};

/** Returns the words that start a script whose path is known. */
export function wordsOfScript({ interpreter }: Pick<ScriptTool, "interpreter">, path: string): string[] {
  return [...interpreter ?? INTERPRETERS[extname(path)] ?? [], path];
}
