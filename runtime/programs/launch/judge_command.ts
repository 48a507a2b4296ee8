import { basename } from "@std/path";

import type { Command, CommandAnalysis, CommandFilter } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Grants, Scope } from "../../../schemas/grants.ts";
import { readAnswer } from "../../../schemas/own/answers.ts";
import type { ReadCommand } from "./command_reader.ts";

/** The call for which a command is judged. */
export interface JudgedCall {
  /** Its tool starts shells and interpreters that get their code later, as its description says. */
  interprets: boolean;
  /** The user named the program: what it may do is held by its walls, not judged by its words. @default false */
  isNamed?: boolean;
  /** Takes the analysis of each command, also of a refused one. */
  onAnalysis(analysis: CommandAnalysis): void;
}

/** Judges commands under the grants of a run. */
export type Judge = (
  command: Command,
  call: JudgedCall,
  options?: { unforeseen?: boolean },
) => Promise<void>;

/**
 * Makes the judge of commands. It judges the words that will really start, before they start, and refuses
 * what the policy forbids. The box holds what a program can do after that.
 *
 * With `unforeseen`, only the program itself is judged. Its later input is judged when it comes, or is held by the box
 * alone. A judge throws `denied_by_policy`, or `permission_denied` for a program that is denied by name.
 *
 * @param filter The policy's own code; it judges what the rules allow
 */
export function makeJudge(grants: Grants, read: ReadCommand, filter?: CommandFilter): Judge {
  const { commands, deny } = grants;
  return async (command, call, { unforeseen = false } = {}) => {
    const analysis = await read(command);
    // Most runs start no program, and need none of the tables about commands.
    const { refuseCommand } = await import("../shell/refuse_command.ts");
    const { programsOf } = await import("../shell/programs_of.ts");
    call.onAnalysis(analysis);
    const { readTyped } = await import("../shell/read/typed_line.ts");
    // A line that is ended may be run by a shell: then it is a command as any other.
    const isPart = "script" in command && (command.typed ?? false) && readTyped(command.script).isPart;
    const refusal = refuseCommand(analysis, commands, { isPart, unforeseen, isNamed: call.isNamed ?? false });
    if (refusal) throw refusal;
    if (filter) await ask(filter, command, commands.name);
    const programs = programsOf(analysis);
    const denied = programs.find((program) => names(deny.run, program));
    if (denied !== undefined) throw deniedProgram(denied);
  };
}

/** A filter that fails refuses. */
async function ask(filter: CommandFilter, command: Command, policy: string): Promise<void> {
  let refuse: string | undefined;
  try {
    const answer = readAnswer("policy.filter", await filter(structuredClone(command)));
    if (answer !== null) refuse = (answer as { refuse: string }).refuse;
  } catch (error) {
    refuse = `its filter failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (refuse === undefined) return;
  throw new ToolError(
    "denied_by_policy",
    `Cannot run this command: policy "${policy}" refuses it: ${refuse}`,
    {
      details: { rule: "filter", policy },
    },
  );
}

/** Two paths are compared as they are, all else by name: a name stands for the file wherever it lies. */
function names(scope: Scope, program: string): boolean {
  if (scope === true) return true;
  return scope.some((name) =>
    name.includes("/") && program.includes("/") ? name === program : basename(name) === basename(program)
  );
}

function deniedProgram(program: string): ToolError {
  return new ToolError(
    "permission_denied",
    `Cannot run "${program}": it is denied by --deny-run or the configuration`,
    {
      details: { kind: "run", target: program, reason: "denied", flag: "--deny-run", flags: [] },
    },
  );
}
