import type { Target } from "../../../schemas/access.ts";
import type { CommandAnalysis, CommandPolicy } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Scope } from "../../../schemas/grants.ts";

/** What a room knows of the user's will about programs. */
export interface RunProfile {
  commands: CommandPolicy;
  allow: Scope;
  deny: Scope;
}

/**
 * Analyses the commands that a call says it will run, and refuses what the policy forbids. This is advice, given before
 * anything starts: what a program can do is held by the box.
 *
 * @param analyses Gets what each command was understood to do, also if it is refused
 * @returns `vouched`: whether everything is understood, and every program of it is named in the grants
 * @throws {ToolError} `denied_by_policy`, `permission_denied` for a program that is denied by name
 */
export async function checkCommands(
  targets: readonly Target[],
  run: RunProfile,
  analyses: CommandAnalysis[],
): Promise<{ vouched: boolean }> {
  let vouched = targets.some(({ command }) => command !== undefined);
  for (const { command } of targets) {
    if (!command) continue;
    // The parser is a library that a room needs for commands alone.
    const { analyseCommand } = await import("../../programs/shell/analyse_command.ts");
    const { refuseCommand } = await import("../../programs/shell/refuse_command.ts");
    const { programsOf } = await import("../../programs/shell/programs_of.ts");
    const analysis = await analyseCommand(command);
    analyses.push(analysis);
    const typed = "script" in command && (command.typed ?? false);
    const unforeseen = "argv" in command && (command.unforeseen ?? false);
    const refusal = refuseCommand(analysis, run.commands, { typed, unforeseen });
    if (refusal) throw refusal;
    const denied = programsOf(analysis).find((program) => names(run.deny, program));
    if (denied !== undefined) throw deniedProgram(denied);
    vouched &&= analysis.opaque.length === 0 &&
      programsOf(analysis).every((program) => names(run.allow, program));
  }
  return { vouched };
}

function names(scope: Scope, program: string): boolean {
  return scope === true || scope.includes(program);
}

function deniedProgram(program: string): ToolError {
  return new ToolError("permission_denied", `Cannot run "${program}": it is denied by --deny-run`, {
    details: { kind: "run", target: program, reason: "denied", flag: "--deny-run" },
  });
}
