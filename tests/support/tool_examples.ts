import { assertEquals } from "@std/assert";

import { parseCallArguments } from "../../runtime/cli/args/call_arguments.ts";
import { parseArgv } from "../../runtime/cli/args/parse_argv.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";

export async function shellWords(lines: readonly string[], cwd: string): Promise<string[][]> {
  const script = lines.map((line) => `printf '%s\\0' ${line === "" ? "''" : line}; printf '\\1'\n`).join("");
  const { stdout } = await new Deno.Command("/bin/bash", {
    args: ["--norc", "--noprofile", "-c", script],
    cwd,
    clearEnv: true,
  }).output();
  const parts = new TextDecoder().decode(stdout).split("\x01").slice(0, -1);
  return parts.map((part, at) => lines[at] === "" ? [] : part.split("\0").slice(0, -1));
}

/** What the program makes of the words after `call TOOL`. */
export function argumentsOf(tool: ManifestEntry, words: readonly string[]): Record<string, unknown> {
  const { command, positionals: [name, ...rest] } = parseArgv(["call", tool.full_name, ...words]);
  assertEquals([command, name], ["call", tool.full_name]);
  return parseCallArguments(rest, tool.input_schema);
}
