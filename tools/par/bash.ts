import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ClippedOutput } from "../../schemas/program.ts";
import { defineTool } from "../../schemas/tool.ts";
import { boundSeconds } from "../engine/program/bound_seconds.ts";
import { joinClipped, warnOfChanged } from "../engine/program/join_clipped.ts";
import { type FailureDetails, programFailure } from "../engine/program/program_failure.ts";
import { stripEscapes } from "../../schemas/terminal/strip_escapes.ts";
import { type Existing, locateExisting, notADirectory } from "./shared/search.ts";
import { exitSummary } from "../engine/summary.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;
const MOST_SECONDS = 600;
const MOST_ARGUMENTS = 4096;
const MAX_BYTES = 51_200;
const MAX_LINES = 2000;

const input = z.object({
  argv: z.array(z.string()).describe(
    'The program and its arguments, such as ["ls", "-la"]: no shell reads them. For a pipe, ["bash", "-c", "…"].',
  ),
  cwd: z.string().default(".").describe(
    'Directory to start in, relative to the workspace; no colon, no "..".',
  ),
  timeout: z.number().default(DEFAULT_TIMEOUT_SECONDS).describe(
    `Longest time in seconds, at most ${MOST_SECONDS}; 0 or less is the default.`,
  ),
});

export default defineTool({
  name: "bash",
  description:
    "Run a program and return stdout, stderr, exit_code, duration in seconds, and whether output was truncated. " +
    "A non-zero exit_code is not an error. stdin is empty. Each stream is cut at 50 KB or 2000 lines: its start and its " +
    'end are kept, with a marker between them. Example: {"argv": ["ls", "-la"], "cwd": "src", "timeout": 30}.',
  input,
  output: z.object({
    stdout: z.string(),
    stderr: z.string(),
    exit_code: z.int(),
    duration: z.number(),
    truncated: z.boolean(),
  }),
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: 'argv=\'["ls","-l"]\'', meaning: "Run a program, without a shell" },
    { line: "-- ls -l", meaning: "The same" },
  ],
  shows: { kind: "program", code: "exit_code" },
  limits: { timeoutMs: 610_000, concurrency: 4 },
  paths: ["cwd"],
  targets: ({ argv, cwd }) => [
    { kind: "read", value: cwd },
    { kind: "run", value: argv[0] ?? "", command: { argv } },
  ],
  async run({ argv, cwd, timeout }, context) {
    checkArguments(argv);
    const folder = await locateExisting(context, cwd);
    checkFolder(folder, cwd);
    const seconds = boundSeconds(documentedSeconds(timeout, context), context);
    const limits = { timeoutMs: seconds * 1000, maxBytes: MAX_BYTES, maxLines: MAX_LINES };
    const end = await withHint(argv, () => context.programs.run({ argv, cwd: folder.real, ...limits }));
    warnOfChanged(end, context);
    const timedOut = (advice: string | null) =>
      `Cannot finish ${JSON.stringify(argv[0])}: it ran longer than ${seconds} s, ${
        advice ?? "pass a larger timeout"
      }`;
    const failure = programFailure(end, { seconds, timeout: timedOut, render });
    if (failure) throw failure;
    return {
      stdout: render(end.stdout),
      stderr: render(end.stderr),
      exit_code: end.exitCode,
      duration: Math.round(end.durationMs) / 1000,
      truncated: end.stdout.omittedBytes > 0 || end.stderr.omittedBytes > 0,
    };
  },
  errorText: ({ message, details }) =>
    [message, ...outputSoFar(details as Partial<FailureDetails>)].join("\n"),
  summary: ({ exit_code, stdout, stderr }) => exitSummary(exit_code, stdout, stderr),
});

function checkArguments(argv: readonly string[]): void {
  if (argv.length === 0 || argv[0] === "") throw refuse("argv names no program");
  if (argv.length > MOST_ARGUMENTS) {
    throw refuse(`argv has ${argv.length} elements, at most ${MOST_ARGUMENTS} are possible`);
  }
  const bad = argv.findIndex((word) => word.includes("\0"));
  if (bad !== -1) throw refuse(`argv[${bad}] has an embedded null byte`);
}

function checkFolder({ info }: Existing, cwd: string): void {
  if (cwd.split(/[/\\]/).includes("..")) {
    throw new ToolError(
      "invalid_input",
      `Cannot use path "${cwd}": paths with ".." are refused, write it without`,
      { details: { path: cwd } },
    );
  }
  if (!info.isDirectory) throw notADirectory(cwd);
}

/** Runs a program; gives a hint if the caller wrote a whole command line as one word. */
async function withHint<T>(argv: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isLine = argv.length === 1 && /\S\s+\S/.test(argv[0]!);
    if (!isLine || !(error instanceof ToolError) || error.code !== "not_found") throw error;
    const { code, message, retryable, details } = error;
    const hint = `${message}; argv takes each word as an element of its own: ["ls", "-la"]`;
    throw new ToolError(code, hint, { retryable, details, cause: error });
  }
}

function refuse(reason: string): ToolError {
  return new ToolError("invalid_input", `Cannot run a program: ${reason}`);
}

function documentedSeconds(asked: number, context: ToolContext): number {
  if (asked > 0 && asked <= MOST_SECONDS) return asked;
  const seconds = asked > 0 ? MOST_SECONDS : DEFAULT_TIMEOUT_SECONDS;
  context.warn(`timeout ${asked} became ${seconds} seconds`);
  return seconds;
}

function render(stream: ClippedOutput): string {
  const { omittedBytes, omittedLines } = stream;
  return stripEscapes(
    joinClipped(stream, `[truncated: ${omittedBytes} bytes / ${omittedLines} lines omitted]`),
  );
}

function outputSoFar({ stdout, stderr }: Partial<FailureDetails>): string[] {
  return [...(stdout ? [`stdout:\n${stdout}`] : []), ...(stderr ? [`stderr:\n${stderr}`] : [])];
}
