import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import {
  closeShell,
  isOpenShell,
  openShell,
  readShell,
  type Shell,
  type ShellOutput,
  storedShell,
  storeShell,
} from "./shared/shell_session.ts";
import { exitSummary } from "../engine/summary.ts";

const INTERRUPT = "ctrl+c";
const COMMAND_MS = 120_000;
/** How long a poll, an interrupt, and an answer to typed input are waited for, in milliseconds. */
const ANSWER_MS = 10_000;
/** Output that pauses for so long, in milliseconds, is an answer. */
const QUIET_MS = 1000;
/** Part of the call's time that is kept for returning the output: at most this, and this part of it. */
const MARGIN_MS = 1000;
const MARGIN_PART = 0.2;

/** Most characters that an error repeats of what a shell said. */
const SAID_CHARS = 4_000;

const STILL_RUNNING =
  "The command is still running. Send an empty command to get further output, text for its stdin, " +
  `or ${INTERRUPT} to interrupt it; restart: true ends it.`;
const TYPED = "The text was sent to the stdin of the running command.";
const ENDED = "The running command has ended.";
const NOTHING_RUNS = "No command is running.";

const input = z.object({
  command: z.string().optional().describe(
    "The bash command to execute. While a command is running (exit code -1): empty to get further output, " +
      `\`${INTERRUPT}\` to interrupt it, other text is sent to its stdin.`,
  ),
  restart: z.boolean().default(false).describe(
    "Ends the shell and all that runs in it; the next command gets a new one.",
  ),
});

const output = z.object({
  output: z.string(),
  error: z.string().nullable(),
  system: z.string().nullable(),
  exit_code: z.int().nullable(),
});

type Output = z.output<typeof output>;

export default defineTool({
  name: "bash",
  description:
    "Executes a bash command in a shell that stays: its folder, variables and functions are there for the next call.\n" +
    "* A command that may run for long, such as a server, belongs in the background with its output in a file: " +
    "`python3 app.py > server.log 2>&1 &`.\n" +
    "* Exit code `-1` says that the command still runs, after 120 seconds. Then an empty `command` gets further " +
    `output, other text goes to its stdin, and \`${INTERRUPT}\` interrupts it.\n` +
    "* `restart: true` ends the shell and all that runs in it.",
  input,
  output,
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  interprets: true,
  parallel: false,
  examples: [
    { line: "command='ls -l'", meaning: "Run a command" },
  ],
  limits: { timeoutMs: 135_000, concurrency: 1 },
  targets: ({ command }) => [{
    kind: "run",
    value: "bash",
    ...(command === undefined || isControl(command) ? {} : { command: { script: command, shell: "bash" } }),
  }],
  async run({ command, restart }, context): Promise<Output> {
    if (restart) {
      if (command !== undefined) context.warn("A restart runs no command: send it with the next call");
      return await restartShell(context);
    }
    if (command === undefined) throw new ToolError("invalid_input", "no command provided.");
    if (command.includes("\0")) {
      throw new ToolError("invalid_input", "Cannot execute the command: embedded null byte");
    }
    const found = await findShell(context);
    if (!found && isControl(command)) return result({ system: NOTHING_RUNS });
    const shell = found?.shell ?? await openShell(context);
    return await converse(command, { shell, before: found?.output ?? NOTHING, context });
  },
  summary: ({ output, error, system, exit_code }) =>
    exit_code === null ? system ?? output : exitSummary(exit_code, output, error ?? ""),
  text: ({ output, error, system, exit_code }) =>
    [
      ...(output === "" ? [] : [output]),
      ...(error === null ? [] : [`stderr:\n${error}`]),
      ...(exit_code === null || exit_code === 0 ? [] : [`exit code: ${exit_code}`]),
      ...(system === null ? [] : [system]),
    ].join("\n"),
  errorText: ({ message }) => `Error: ${message}`,
});

const NOTHING: ShellOutput = { stdout: "", stderr: "", ended: null, shellExit: null, runs: false };

function isControl(command: string): boolean {
  return isPoll(command) || isInterrupt(command);
}

function isPoll(command: string): boolean {
  return /^ *$/.test(command);
}

function isInterrupt(command: string): boolean {
  return command.trim().toLowerCase() === INTERRUPT;
}

function result(parts: Partial<Output>): Output {
  return { output: "", error: null, system: null, exit_code: null, ...parts };
}

async function restartShell(context: ToolContext): Promise<Output> {
  const shell = await storedShell(context);
  if (shell && await isOpenShell(context, shell)) await closeShell(context, shell);
  await storeShell(context, null);
  return result({ system: "tool has been restarted." });
}

/** Returns the shell of earlier calls and its output since, `null` if there is no shell. */
async function findShell(context: ToolContext): Promise<{ shell: Shell; output: ShellOutput } | null> {
  const shell = await storedShell(context);
  if (!shell) return null;
  if (await isOpenShell(context, shell)) {
    const output = await readShell(context, shell, { waitMs: 0 });
    // A command that was refused, or whose call was cancelled before, has not started.
    const running = shell.running && (output.runs || output.ended !== null);
    return { shell: { ...shell, running }, output };
  }
  context.warn("The shell of the earlier calls is gone, and what was set in it is lost");
  await storeShell(context, null);
  return null;
}

interface Conversation {
  shell: Shell;
  /** What came since the last call. */
  before: ShellOutput;
  context: ToolContext;
}

async function converse(command: string, { shell, before, context }: Conversation): Promise<Output> {
  if (before.shellExit !== null) {
    if (!isControl(command)) throw notRun(before);
    await storeShell(context, { ...shell, running: false });
    return shell.running ? outcome(before) : result({ system: NOTHING_RUNS });
  }
  const runs = shell.running && before.ended === null;
  if (!runs && isControl(command)) {
    await storeShell(context, { ...shell, running: false });
    return shell.running ? outcome(before, ENDED) : outcome({ ...before, ended: 0 }, NOTHING_RUNS);
  }
  // Stored before the command starts: the call may be cancelled while the command goes on.
  await storeShell(context, { ...shell, running: true });
  const talk = { shell, before, context };
  const after = runs ? await goOn(command, talk) : await start(command, talk);
  await storeShell(context, { ...shell, running: after.ended === null });
  const all = { ...after, stdout: before.stdout + after.stdout, stderr: before.stderr + after.stderr };
  return outcome(all, remarkOn(command, { runs, before, after }));
}

/** The shell has ended by itself: what it said last is not lost. */
function notRun({ stdout, stderr, shellExit }: ShellOutput): ToolError {
  const said = [stdout, stderr].map((text) => text.trim()).filter((text) => text !== "").join("\n");
  return new ToolError(
    "conflict",
    `Nothing was run: bash has exited with returncode ${shellExit}; send restart: true, and then the command again` +
      (said === "" ? "" : `\nIts last output: ${said.slice(-SAID_CHARS)}`),
    { details: { exit_code: shellExit } },
  );
}

/** Returns what the output alone does not say. */
function remarkOn(
  command: string,
  { runs, before, after }: { runs: boolean; before: ShellOutput; after: ShellOutput },
): string | null {
  if (!runs) {
    return before.ended === null
      ? null
      : `${ENDED} Its exit code was ${before.ended}; its output stands first.`;
  }
  if (!isControl(command)) return TYPED;
  return after.ended === null ? null : ENDED;
}

async function start(command: string, { shell, context }: Conversation): Promise<ShellOutput> {
  await context.programs.command(shell.id, command);
  return await readShell(context, shell, { waitMs: bounded(COMMAND_MS, context) });
}

/** Polls or interrupts the running command, or types into it. */
async function goOn(command: string, { shell, context }: Conversation): Promise<ShellOutput> {
  const waitMs = bounded(ANSWER_MS, context);
  if (isInterrupt(command)) {
    await context.programs.signal(shell.id, "SIGINT");
    return await readShell(context, shell, { waitMs });
  }
  if (!isPoll(command)) await type(command.endsWith("\n") ? command : `${command}\n`, { shell, context });
  return await readShell(context, shell, { waitMs, quietMs: QUIET_MS });
}

async function type(
  text: string,
  { shell, context }: Pick<Conversation, "shell" | "context">,
): Promise<void> {
  try {
    await context.programs.write(shell.id, text);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (error.code === "conflict") throw notRun(await readShell(context, shell, { waitMs: 0 }));
    if (error.code !== "unavailable") throw error;
    const message = "The running command does not read its stdin, and not all of the text was sent: " +
      `send ${INTERRUPT} to interrupt it, or restart: true to end it`;
    throw new ToolError(error.code, message, { retryable: error.retryable, cause: error });
  }
}

function bounded(waitMs: number, { deadline }: ToolContext): number {
  const left = Math.max(0, deadline - Date.now());
  return Math.min(waitMs, left - Math.min(MARGIN_MS, left * MARGIN_PART));
}

function outcome({ stdout, stderr, ended, shellExit }: ShellOutput, remark: string | null = null): Output {
  const output = trimEnd(stdout);
  const error = trimEnd(stderr);
  if (shellExit !== null) {
    const words = trimEnd(error.replace(/(^|\n)exit$/, ""));
    const end = `bash has exited with returncode ${shellExit}`;
    return result({
      output,
      error: words === "" ? end : `${words}\n${end}`,
      system: "tool must be restarted",
      exit_code: shellExit,
    });
  }
  const remarks = [...(remark === null ? [] : [remark]), ...(ended === null ? [STILL_RUNNING] : [])];
  return result({
    output,
    error: error === "" ? null : error,
    system: remarks.length === 0 ? null : remarks.join(" "),
    exit_code: ended ?? -1,
  });
}

/** Drops one line end. */
function trimEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}
