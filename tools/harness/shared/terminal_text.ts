import * as z from "zod";

import type { SessionInfo } from "../../../schemas/program.ts";
import { oneLine } from "../../engine/file/one_line.ts";

/** What every terminal tool tells about a session. */
export const terminalFacts = z.object({
  session_id: z.string(),
  alive: z.boolean(),
  returncode: z.int().nullable(),
});

/** What the tools that read a terminal tell besides it. */
export const terminalOutput = terminalFacts.extend({
  truncated: z.boolean(),
  remaining_output_chars: z.int(),
  dropped_output_chars: z.int(),
  output: z.string(),
});

/** One of {@linkcode terminalFacts}. */
export type TerminalFacts = z.output<typeof terminalFacts>;
/** One of {@linkcode terminalOutput}. */
export type TerminalOutput = z.output<typeof terminalOutput>;

/** Returns the state of a session as the document names it. */
export function factsOf({ id, alive, exitCode }: SessionInfo): TerminalFacts {
  return { session_id: id, alive, returncode: exitCode };
}

/** Returns what a model sees: the tool's first line, a line a fact, and the output if there is a place for it. */
export function terminalText(
  firstLine: string,
  { output, ...facts }: TerminalFacts & { output?: string | undefined },
): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${oneLine(String(value ?? "None"))}`);
  return [firstLine, ...lines, ...(output === undefined ? [] : ["output:", output])].join("\n");
}
