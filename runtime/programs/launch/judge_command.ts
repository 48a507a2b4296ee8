import type { Command, CommandAnalysis } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Grants, Scope } from "../../../schemas/grants.ts";
import type { ReadCommand } from "./command_reader.ts";

/** The call for which a command is judged. */
export interface JudgedCall {
  /** Its tool starts shells and interpreters that get their code later, as its description says. */
  interprets: boolean;
  /** Takes what each command was understood to do, also if it is refused. */
  onAnalysis(analysis: CommandAnalysis): void;
}

/** Judges commands under the grants of a run. */
export type Judge = (
  command: Command,
  call: JudgedCall,
  options?: { unforeseen?: boolean },
) => Promise<{ vouched: boolean }>;

/**
 * Makes what judges each command before it starts, on the words that will really start: it refuses what the policy
 * forbids. What a program can do then is held by the box.
 *
 * A judge returns `vouched`: whether all of the command is understood, and the user named every program of it. With
 * `unforeseen` only the program itself is judged: what it gets later is judged when it comes, or held by the box alone.
 * It throws `denied_by_policy`, or `permission_denied` for a program that is denied by name.
 */
export function makeJudge(grants: Grants, read: ReadCommand): Judge {
  const { commands, allow, deny } = grants;
  return async (command, call, { unforeseen = false } = {}) => {
    const analysis = await read(command);
    // Most runs start no program, and need none of the tables about commands.
    const { refuseCommand } = await import("../shell/refuse_command.ts");
    const { programsOf } = await import("../shell/programs_of.ts");
    call.onAnalysis(analysis);
    const typed = "script" in command && (command.typed ?? false);
    const refusal = refuseCommand(analysis, commands, { typed, unforeseen });
    if (refusal) throw refusal;
    const programs = programsOf(analysis);
    const denied = programs.find((program) => names(deny.run, program));
    if (denied !== undefined) throw deniedProgram(denied);
    const vouched = analysis.opaque.length === 0 && programs.every((program) => names(allow.run, program));
    return { vouched };
  };
}

function names(scope: Scope, program: string): boolean {
  return scope === true || scope.includes(program);
}

function deniedProgram(program: string): ToolError {
  return new ToolError("permission_denied", `Cannot run "${program}": it is denied by --deny-run`, {
    details: { kind: "run", target: program, reason: "denied", flag: "--deny-run" },
  });
}
