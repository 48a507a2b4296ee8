import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ClippedOutput, ProgramEnd, ProgramSpec } from "../../schemas/program.ts";
import { defineTool, type Told } from "../../schemas/tool.ts";
import { boundSeconds } from "../engine/program/bound_seconds.ts";
import { joinClipped, warnOfChanged } from "../engine/program/join_clipped.ts";
import { type FailureDetails, programFailure } from "../engine/program/program_failure.ts";
import { stripEscapes } from "../../schemas/terminal/strip_escapes.ts";
import { exitSummary } from "../engine/summary.ts";
import { COMMAND, commandSettings } from "./shared/command_settings.ts";
import { allowedCommands, notIncluded, plainWords } from "./shared/plain_command.ts";

const output = z.object({ stdout: z.string(), stderr: z.string(), return_code: z.int() });

type Output = z.output<typeof output>;

export default defineTool({
  name: "run_command_tool",
  description:
    "Run a shell command in the workspace and return stdout, stderr and return_code. A return_code that is not 0 is no " +
    "error. Nothing is kept between calls but files. stdin is empty. Of long output the start and the end are returned.",
  input: z.object({
    reasoning: z.string().describe("Why this command is run."),
    command: z.string().describe("The command, as a shell reads it."),
  }),
  output,
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  settings: Object.values(COMMAND),
  examples: [
    { line: "reasoning='see what is there' command='ls -l'", meaning: "Run a command in the workspace" },
  ],
  shows: { kind: "program", code: "return_code" },
  limits: { timeoutMs: 610_000 },
  targets: ({ command }, told) => {
    const [first] = specsOf(command, told);
    const { argv, script } = first!;
    const analysed = script === undefined ? { argv } : { script, shell: "bash" as const };
    const { folder } = commandSettings(told);
    return [{ kind: "read", value: folder }, { kind: "run", value: argv[0]!, command: analysed }];
  },
  async run({ command }, context): Promise<Output> {
    if (command.trim() === "") throw new ToolError("invalid_input", "command is empty: say what to run");
    if (command.includes("\0")) throw new ToolError("invalid_input", "command has an embedded null byte");
    const { folder, isUnsafe, seconds: most } = commandSettings(context);
    if (isUnsafe) {
      context.warn(
        `${COMMAND.mode}=unsafe opens nothing: what a command may do, the policy and the flags say`,
      );
    }
    const { real, info } = await context.files.locate(folder, "read");
    if (info?.isDirectory !== true) {
      throw new ToolError(
        "configuration",
        `${COMMAND.workspacePath} is "${folder}": there is no such folder`,
      );
    }
    const seconds = boundSeconds(most, context);
    const end = await runFirst(specsOf(command, context), { cwd: real, timeoutMs: seconds * 1000, context })
      .catch((error) => {
        const { include } = commandSettings(context);
        const isLost = include.length > 0 && error instanceof ToolError && error.code === "not_found";
        throw isLost ? notIncluded(plainWords(command)[0], include) : error;
      });
    warnOfChanged(end, context);
    const failure = programFailure(end, {
      seconds,
      timeout: (advice) =>
        `Command timed out after ${seconds} s${
          advice === null ? `: ${COMMAND.timeoutSeconds} sets the time` : `: ${advice}`
        }`,
      render,
    });
    if (failure) throw failure;
    return { stdout: render(end.stdout), stderr: render(end.stderr), return_code: end.exitCode };
  },
  summary: ({ return_code, stdout, stderr }) => exitSummary(return_code, stdout, stderr),
  text: ({ stdout, stderr, return_code }) =>
    [...sections({ stdout, stderr }), `return_code: ${return_code}`].join("\n\n"),
  errorText: ({ message, details }) =>
    [`Error: ${message}`, ...sections(details as Partial<FailureDetails>)].join("\n\n"),
});

/** What is started: a shell with the command; one program alone if the user says which may be started. */
function specsOf(command: string, told: Pick<Told, "settings">): ProgramSpec[] {
  const settings = commandSettings(told);
  if (settings.include.length + settings.exclude.length === 0) return [{ argv: ["bash"], script: command }];
  return allowedCommands(plainWords(command), settings).map((argv) => ({ argv }));
}

/** Runs the first of several programs that is there. */
async function runFirst(
  specs: readonly ProgramSpec[],
  { cwd, timeoutMs, context }: { cwd: string; timeoutMs: number; context: ToolContext },
): Promise<ProgramEnd> {
  const [spec, ...others] = specs;
  try {
    return await context.programs.run({ ...spec!, cwd, timeoutMs, env: { GIT_TERMINAL_PROMPT: "0" } });
  } catch (error) {
    if (others.length === 0 || !(error instanceof ToolError) || error.code !== "not_found") throw error;
    return await runFirst(others, { cwd, timeoutMs, context });
  }
}

function render(stream: ClippedOutput): string {
  const { omittedBytes, omittedLines } = stream;
  return stripEscapes(
    joinClipped(stream, `[truncated: ${omittedBytes} bytes / ${omittedLines} lines omitted]`),
  ).replace(/\n$/, "");
}

function sections({ stdout, stderr }: Partial<FailureDetails>): string[] {
  return [...(stdout ? [`stdout:\n${stdout}`] : []), ...(stderr ? [`stderr:\n${stderr}`] : [])];
}
