import * as z from "zod";

import type { Target } from "../../../schemas/access.ts";
import type { ToolContext } from "../../../schemas/context.ts";
import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import type { ClippedOutput, ProgramEnd, ProgramRun } from "../../../schemas/program.ts";
import { roundSeconds } from "../../engine/program/bound_seconds.ts";
import { joinClipped, warnOfChanged } from "../../engine/program/join_clipped.ts";
import { type FailureDetails, programFailure } from "../../engine/program/program_failure.ts";
import { exitSummary } from "../../engine/summary.ts";
import PYTHON_BOOTSTRAP from "./python_bootstrap.py" with { type: "text" };

const pythonOutput = z.object({ observation: z.string(), success: z.boolean() });
type PythonOutput = z.output<typeof pythonOutput>;

/** What all tools are that run Python code. Code may run for 5 seconds unless the user says otherwise. Needs `read` and `run`. */
export const PYTHON_TOOL = {
  output: pythonOutput,
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  interprets: true,
  parallel: false,
  limits: { timeoutMs: 5_000 },
  targets: (): Target[] => [{ kind: "run", value: "python3", command: { argv: ["python3", "-"] } }],
  run: ({ code }: { code: string }, context: ToolContext) => runCode(code, context),
  preview: ({ code }: { code: string }) => code.trimEnd(),
  summary: ({ observation, success }: PythonOutput) =>
    `${success ? "ok" : "failed"} · ${exitSummary(null, observation)}`,
  errorText: (error: ErrorInfo) =>
    [wording(error), ...outputSoFar(error.details as Partial<FailureDetails>)].join("\n"),
} as const;

/**
 * Runs code as the main module, in a process of its own.
 *
 * @throws {ToolError} `timeout` with what was printed so far; `unavailable` without Python
 */
async function runCode(code: string, context: ToolContext): Promise<PythonOutput> {
  const seconds = roundSeconds((context.deadline - Date.now()) / 1000);
  const end = await runPython({ stdin: code, timeoutMs: seconds * 1000 }, context);
  warnOfChanged(end, context);
  const timeout = (advice: string | null) =>
    `Execution timeout after ${seconds} seconds${advice === null ? "" : `: ${advice}`}`;
  const failure = programFailure(end, { seconds, timeout, render });
  if (failure) throw failure;
  return { observation: observationOf(end), success: end.exitCode === 0 };
}

async function runPython(
  run: Pick<ProgramRun, "stdin" | "timeoutMs">,
  context: ToolContext,
): Promise<ProgramEnd> {
  for (const python of ["python3", "python"]) {
    try {
      return await context.programs.run({
        argv: [python, "-u", "-c", PYTHON_BOOTSTRAP],
        env: { PYTHONIOENCODING: "utf-8" },
        ...run,
      });
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "not_found") throw error;
    }
  }
  throw new ToolError(
    "unavailable",
    "Cannot execute Python: neither python3 nor python was found, install Python 3 and put it on the PATH",
  );
}

function observationOf({ exitCode, stdout, stderr }: ProgramEnd): string {
  const shown = render(stdout) + render(stderr);
  // An exception has its traceback; a silent end would look like success.
  if (exitCode === 0 || (exitCode === 1 && shown !== "")) return shown;
  const start = shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`;
  return `${start}[Python ended with exit code ${exitCode}]`;
}

function render(stream: ClippedOutput): string {
  return joinClipped(
    stream,
    `[output truncated: ${stream.omittedBytes} bytes / ${stream.omittedLines} lines omitted]`,
  );
}

function wording({ code, message }: ErrorInfo): string {
  return code === "timeout" ? message : `Error: ${message}`;
}

function outputSoFar({ stdout, stderr }: Partial<FailureDetails>): string[] {
  return [stdout, stderr].filter((text) => text !== undefined && text !== "") as string[];
}
