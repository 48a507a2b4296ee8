import { basename } from "@std/path";
import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import type { SessionInfo } from "../../schemas/program.ts";
import { defineTool } from "../../schemas/tool.ts";
import { plainTerminalText } from "../engine/program/plain_terminal_text.ts";
import { locateFolder } from "./shared/locate_folder.ts";
import { programErrorText } from "./shared/program_error_text.ts";
import { terminalText } from "./shared/terminal_text.ts";

const MOST_CELLS = 1000;
/** A shell that cannot start is dead within this time, in milliseconds. */
const START_WAIT_MS = 250;
const START_QUIET_MS = 100;

const input = z.object({
  cwd: z.string().optional().describe("Working directory; defaults to the workspace."),
  shell: z.string().default("bash").describe("Name or path of the shell, or of another interactive program."),
  rows: z.int().meta({ minimum: 1, maximum: 1000 }).default(30).describe("Rows of the terminal."),
  cols: z.int().meta({ minimum: 1, maximum: 1000 }).default(120).describe("Columns of the terminal."),
});

const output = z.object({
  session_id: z.string(),
  pid: z.int(),
  cwd: z.string(),
  shell: z.string(),
  alive: z.boolean(),
  returncode: z.int().nullable(),
  output: z.string().optional(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export default defineTool({
  name: "TerminalStart",
  description:
    "Start a persistent terminal session: a shell that keeps its directory, variables and running programs between " +
    "calls. What is typed is not echoed, and there is no prompt.",
  seeAlso: [
    "Returns session_id for {TerminalWrite|TerminalRead|TerminalInterrupt|TerminalKill}.",
    "Use {Bash} for one-shot commands.",
  ],
  input,
  output,
  promptHints: [
    "Run single commands with {Bash}; {TerminalStart} is for programs that go on or want input[, end each session with {TerminalKill}].",
  ],
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  interprets: true,
  parallel: false,
  examples: [
    { line: "cwd=src", meaning: "Start a shell in a folder" },
  ],
  limits: { timeoutMs: 60_000 },
  paths: ["cwd"],
  targets: ({ cwd, shell }) => [
    ...(cwd === undefined ? [] : [{ kind: "read" as const, value: cwd }]),
    { kind: "run", value: shell, command: { argv: [shell] } },
  ],
  async run(input, context): Promise<Output> {
    checkInput(input);
    const cwd = await locateFolder(context, input.cwd);
    const opened = await openShell(input, { cwd, context });
    const { stdout, ...info } = await context.programs.read(opened.id, {
      waitMs: START_WAIT_MS,
      quietMs: START_QUIET_MS,
    });
    const greeting = plainTerminalText(stdout.text);
    return {
      session_id: info.id,
      pid: info.pid,
      cwd: info.cwd,
      shell: input.shell,
      alive: info.alive,
      returncode: info.exitCode,
      ...(greeting.trim() === "" ? {} : { output: greeting }),
    };
  },
  text: (result) => terminalText("[TerminalStart] Started terminal session.", result),
  errorText: programErrorText("TerminalStart"),
});

function checkInput({ shell, rows, cols }: Input): void {
  if (rows <= 0 || cols <= 0) throw new ToolError("invalid_input", "rows and cols must both be > 0.");
  if (rows > MOST_CELLS || cols > MOST_CELLS) {
    throw new ToolError("invalid_input", `rows and cols must both be <= ${MOST_CELLS}.`);
  }
  if (shell === "") throw new ToolError("invalid_input", "Shell not found: the name is empty");
}

async function openShell(
  { shell, rows, cols }: Input,
  { cwd, context }: { cwd: string; context: ToolContext },
): Promise<SessionInfo> {
  try {
    return await context.programs.open({
      argv: [shell, ...shellOptions(shell)],
      cwd,
      env: { PS1: "", PS2: "", PROMPT_COMMAND: "", TERM: "xterm-256color", GIT_TERMINAL_PROMPT: "0" },
      terminal: { rows, cols },
    });
  } catch (error) {
    throw error instanceof ToolError ? startFailure(error, shell) : error;
  }
}

/** The options that keep each shell quiet and stop it from reading the user's start files. */
function shellOptions(shell: string): string[] {
  const name = basename(shell);
  if (name === "bash") return ["--noprofile", "--norc"];
  // Its line editor would echo what is typed, and a mark would stand before each prompt.
  return name === "zsh" ? ["-f", "--no-zle", "--no-prompt-sp"] : [];
}

function startFailure(error: ToolError, shell: string): ToolError {
  const { code, message, retryable, details } = error;
  if (code !== "not_found" && code !== "internal" && code !== "unavailable") return error;
  const words = code === "not_found"
    ? `Shell not found: ${shell}`
    : `Failed to start terminal session: ${message}`;
  return new ToolError(code, words, { retryable, details, cause: error });
}
