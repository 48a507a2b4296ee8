import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import type { ClippedOutput, ProgramEnd, ProgramRun } from "../../schemas/program.ts";
import { defineTool } from "../../schemas/tool.ts";
import { boundSeconds } from "../engine/program/bound_seconds.ts";
import { changedParts, joinClipped } from "../engine/program/join_clipped.ts";
import { type FailureDetails, programFailure } from "../engine/program/program_failure.ts";
import { locateFolder } from "./shared/locate_folder.ts";
import { programErrorText } from "./shared/program_error_text.ts";
import { exitSummary } from "../engine/summary.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;
const DEFAULT_MAX_CHARS = 16_384;
const MOST_CHARS = 4_194_304;
/** Room for the line about what was left out. */
const MARKER_BYTES = 64;
const INTEGERS = "timeout and max_output_chars must be integers.";

const input = z.object({
  command: z.string().describe("Shell command to run with bash."),
  timeout: z.int({ error: INTEGERS }).meta({ minimum: 1 }).default(DEFAULT_TIMEOUT_SECONDS).describe(
    "Seconds after which the command is ended, together with all that it started.",
  ),
  workdir: z.string().optional().describe("Working directory; defaults to the workspace."),
  max_output_chars: z.int({ error: INTEGERS }).meta({ minimum: 1 }).default(DEFAULT_MAX_CHARS).describe(
    "Maximum size of stdout and of stderr, each; of longer output the start and the end are returned.",
  ),
  keep_output: z.boolean().default(false).describe(
    "Whether all output is also kept in files; the result names them.",
  ),
});

const keptFile = z.object({ name: z.string(), path: z.string(), bytes: z.int() });

const output = z.object({
  exit_code: z.int(),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean(),
  full_output: z.array(keptFile).optional(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export default defineTool({
  name: "Bash",
  description: "Run a one-shot shell command with bash and return its exit code, stdout and stderr. " +
    "Use it for rg, find, git, short Python (python3 - <<'PY'), validation, and structured local processing. " +
    "Nothing is kept between calls: no variables, no directory, no background processes. " +
    "stdin is empty. Of long output the start and the end are returned, with a line that says how much was left out " +
    "between them.",
  seeAlso: ["Use {TerminalStart} for programs that go on between calls."],
  input,
  output,
  promptHints: [
    "Find and read files with {Glob|Grep|Read} rather than with programs in {Bash}.",
  ],
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: "'ls -l'", meaning: "Run a command" },
    {
      line: "command='grep -rn TODO . | head' workdir=src timeout=10",
      meaning: "Run a pipeline in a folder, for ten seconds at most",
    },
  ],
  shows: { kind: "program", code: "exit_code" },
  limits: { timeoutMs: 3_600_000 },
  paths: ["workdir"],
  targets: ({ command, workdir }) => [
    ...(workdir === undefined ? [] : [{ kind: "read" as const, value: workdir }]),
    { kind: "run", value: "bash", command: { script: command, shell: "bash" } },
  ],
  async run(input, context): Promise<Output> {
    checkInput(input);
    const cwd = await locateFolder(context, input.workdir);
    const seconds = boundSeconds(input.timeout, context);
    const end = await context.programs.run({
      argv: ["bash"],
      script: input.command,
      ...outputLimits(input, context),
      cwd,
      env: { GIT_TERMINAL_PROMPT: "0" },
      timeoutMs: seconds * 1000,
    });
    const failure = programFailure(end, {
      seconds,
      timeout: (advice) => timeoutMessage(seconds, advice),
      render: renderStream,
    });
    if (failure) throw failure;
    return outputOf(end);
  },
  summary: ({ exit_code, stdout, stderr }) => exitSummary(exit_code, stdout, stderr),
  text: ({ exit_code, ...streams }) => [`exit_code: ${exit_code}`, ...sections(streams)].join("\n"),
  errorText: (error) => [wording(error), ...sections(error.details as Partial<FailureDetails>)].join("\n"),
});

const wording: (error: ErrorInfo) => string = programErrorText("Bash", {
  folderLead: "Invalid or blocked working directory: ",
});

function checkInput({ command, timeout, max_output_chars }: Input): void {
  if (timeout <= 0) throw new ToolError("invalid_input", "timeout must be > 0.");
  if (max_output_chars <= 0) throw new ToolError("invalid_input", "max_output_chars must be > 0.");
  if (command.includes("\0")) {
    throw new ToolError("invalid_input", "Error executing command: embedded null byte");
  }
}

function outputLimits(
  { max_output_chars, keep_output }: Input,
  context: ToolContext,
): Pick<ProgramRun, "maxBytes" | "cutBytes" | "maxLines" | "keepOutput"> {
  if (max_output_chars > MOST_CHARS) {
    context.warn(`max_output_chars ${max_output_chars} was lowered to ${MOST_CHARS}`);
  }
  const maxBytes = Math.min(max_output_chars, MOST_CHARS);
  // A text has no more lines than bytes, so this sets no limit of lines.
  const cutBytes = Math.max(maxBytes - MARKER_BYTES, Math.ceil(maxBytes / 2));
  return { maxBytes, cutBytes, maxLines: maxBytes, keepOutput: keep_output };
}

function timeoutMessage(seconds: number, advice: string | null): string {
  const next = advice ?? "pass a larger timeout, or run it in a terminal with TerminalStart";
  return `TimeoutError: Execution timed out. The command ran longer than ${seconds} s: ${next}`;
}

function outputOf(end: ProgramEnd): Output {
  return {
    exit_code: end.exitCode,
    stdout: renderStream(end.stdout),
    stderr: renderStream(end.stderr),
    truncated: end.stdout.omittedBytes > 0 || end.stderr.omittedBytes > 0,
    ...(end.kept.length === 0 ? {} : { full_output: [...end.kept] }),
  };
}

function renderStream(stream: ClippedOutput): string {
  if (stream.binary) {
    return `[binary output omitted: ${stream.bytes} bytes. Use file or a format-aware reader, or redirect it into a file.]`;
  }
  const notes = changedParts(stream).map((what) => `[${what}]\n`).join("");
  return notes +
    joinClipped(stream, `[output truncated before decoding: omitted ${stream.omittedBytes} bytes]`);
}

function sections({ stdout, stderr, full_output = [] }: Partial<Output>): string[] {
  return [
    ...(stdout ? [`stdout:\n${stdout}`] : []),
    ...(stderr ? [`stderr:\n${stderr}`] : []),
    ...(full_output.length === 0 ? [] : ["full_output:"]),
    ...full_output.map(({ name, path, bytes }) => `${name}: ${path} (${bytes} bytes)`),
  ];
}
