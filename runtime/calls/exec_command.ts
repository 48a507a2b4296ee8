import { ToolError } from "../../schemas/error.ts";
import type { ToolResult } from "../../schemas/result.ts";
import { BOUND_WORDS } from "../../schemas/program.ts";
import type { UserPrograms } from "../programs/process/make_program_host.ts";
import type { AttachedEnd, AttachedRun } from "../programs/process/run_attached.ts";
import { makeAuditRecord } from "./audit_record.ts";
import type { CallFacts } from "./catalog/carrier.ts";
import { failedResult, toToolError } from "./failed_result.ts";
import type { Machine } from "./machine.ts";

/** The name that the user's own command has in the audit. */
export const EXEC_NAME = "exec";

/** Options of {@linkcode execCommand}. */
export interface ExecCommandOptions {
  machine: Machine;
  programs: UserPrograms;
  /** Ends the command and all that it started. */
  signal: AbortSignal;
}

/**
 * Runs a command of the user on the streams of main: judged, bounded and boxed as programs of tools are, and recorded for
 * the audit.
 *
 * @throws {ToolError} If the command may not run or cannot be started
 */
export async function execCommand(run: AttachedRun, options: ExecCommandOptions): Promise<AttachedEnd> {
  const { machine, programs, signal } = options;
  const time = new Date();
  const facts: CallFacts = { targets: [], analyses: [], programs: [], connections: [] };
  const note = (result: ToolResult) => {
    const entry = { full_name: EXEC_NAME };
    const record = { entry, input: { argv: run.argv }, result, facts, confirmed: false, time };
    machine.control.audit?.(makeAuditRecord(record, machine));
  };
  try {
    const end = await programs.attach(run, {
      toolset: EXEC_NAME,
      // Its input is the user's, and cannot be known.
      interprets: true,
      signal,
      onAnalysis: (analysis) => facts.analyses.push(analysis),
      onProgram: (program) => facts.programs.push(program),
      onConnections: (connections) => facts.connections.push(...connections),
      onArtifact: () => {},
      warn: () => {},
    });
    note(resultOf(end, time));
    return end;
  } catch (error) {
    const failure = toToolError(error);
    note(failedResult({ full_name: EXEC_NAME, error_lead: "" }, failure.toInfo(), {
      durationMs: Date.now() - time.getTime(),
    }));
    throw failure;
  }
}

/** Returns the error of a command that was ended, `null` if it ended by itself. */
export function endError({ reason }: AttachedEnd): ToolError | null {
  if (reason === "exited") return null;
  if (reason === "timeout") return new ToolError("timeout", "The command took longer than --timeout allows");
  if (reason === "cancelled") return new ToolError("cancelled", "The command was interrupted");
  return new ToolError(
    "limit_exceeded",
    `The command was ended: ${BOUND_WORDS[reason]}; see bulkhead help programs`,
  );
}

function resultOf(end: AttachedEnd, time: Date): ToolResult {
  const metadata = { duration_ms: Date.now() - time.getTime(), place: "none" as const };
  const error = endError(end)?.toInfo() ?? null;
  const result = error === null ? { exit_code: end.exitCode } : null;
  return {
    ...{ tool_name: EXEC_NAME, ok: error === null, result, text: "", images: [], artifacts: [] },
    ...{ warnings: [...end.warnings], error, metadata },
  };
}
