import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { SessionRead } from "../../../schemas/program.ts";
import { settleLines } from "../../../schemas/terminal/settle_line.ts";
import { endMark, joinUnread, mayHoldMark, takeMarks } from "./shell_protocol.ts";

const KEY = "bash";
/** Bytes kept of the start and of the end of unread output, each. */
const KEPT_BYTES = 25_600;
/** Longest time until a shell is ready, in milliseconds: a machine may be busy, and a remote sandbox may have to wake. */
const START_MS = 60_000;
/** Longest wait for the rest of the marks, in milliseconds; they are complete when output pauses for so long. */
const MARK_MS = 2_000;
const MARK_QUIET_MS = 100;
/** Most characters that an error repeats of what a shell said. */
const SAID_CHARS = 1_000;

const stored = z.object({ id: z.string(), nonce: z.string(), running: z.boolean() });

/** The shell that calls of a session share. */
export type Shell = z.output<typeof stored>;

/** What came from the shell since the last read. */
export interface ShellOutput {
  stdout: string;
  stderr: string;
  /** Exit code of the command that has ended; `null` if no command has ended. */
  ended: number | null;
  /** Exit code of the shell itself; `null` while it lives. */
  shellExit: number | null;
  /** A command runs. */
  runs: boolean;
}

/** Returns the shell of earlier calls, `null` if there was no shell. */
export async function storedShell(context: ToolContext): Promise<Shell | null> {
  return stored.safeParse(await context.session.get(KEY)).data ?? null;
}

/** Remembers a shell for the next calls, or forgets it. */
export async function storeShell(context: ToolContext, shell: Shell | null): Promise<void> {
  await context.session.set(KEY, shell);
}

/** Says whether a shell is there: another process of the same session has other shells by the same ids. */
export async function isOpenShell(context: ToolContext, { id, nonce }: Shell): Promise<boolean> {
  try {
    return (await context.programs.read(id, { waitMs: 0, maxChars: 0 })).nonce === nonce;
  } catch (error) {
    if (error instanceof ToolError && error.code === "not_found") return false;
    throw error;
  }
}

/** Starts a shell that waits for its first command, in the workspace or `apart` from it. */
export async function openShell(context: ToolContext, { apart = false } = {}): Promise<Shell> {
  const { id, nonce = "" } = await context.programs.open({
    argv: ["bash"],
    shell: true,
    ...(apart && { apart }),
    env: { GIT_TERMINAL_PROMPT: "0" },
    headBytes: KEPT_BYTES,
    bufferBytes: 2 * KEPT_BYTES,
  });
  const shell = { id, nonce, running: false };
  // While it starts, it only says that it has no terminal.
  const { ended, stderr, shellExit } = await readShell(context, shell, { waitMs: START_MS });
  if (ended !== null) return shell;
  await closeShell(context, shell);
  throw notStarted({ stderr, shellExit });
}

function notStarted({ stderr, shellExit }: Pick<ShellOutput, "stderr" | "shellExit">): ToolError {
  const said = stderr.trim().slice(-SAID_CHARS).replaceAll("\n", "; ") || "nothing";
  const why = shellExit === null
    ? `it did not get ready within ${START_MS / 1000} seconds`
    : `it ended with exit code ${shellExit}`;
  return new ToolError("unavailable", `Cannot start bash: ${why}, and said: ${said}\nTry it again`, {
    retryable: true,
    details: { timeout_ms: START_MS, ...(shellExit !== null && { exit_code: shellExit, said: stderr }) },
  });
}

/** Ends a shell and all that it runs; a shell that has already ended is fine. */
export async function closeShell(context: ToolContext, { id }: Shell): Promise<void> {
  try {
    await context.programs.close(id, { graceMs: 0 });
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "not_found") throw error;
  }
}

/** Waits until the running command ends, the time is up, or the output pauses, and takes what came. */
export async function readShell(
  context: ToolContext,
  { id, nonce }: Shell,
  wait: Pick<SessionRead, "waitMs" | "quietMs">,
): Promise<ShellOutput> {
  const first = await context.programs.read(id, { ...wait, until: endMark(nonce) });
  let out = joinUnread(first.stdout);
  let err = joinUnread(first.stderr);
  let { alive, exitCode, runs = false } = first;
  // The wait may have ended between the marks of the two streams.
  if (alive && !first.found && (mayHoldMark(out) || mayHoldMark(err))) {
    const waitMs = Math.min(MARK_MS, Math.max(0, context.deadline - Date.now()) / 2);
    const rest = await context.programs.read(id, { waitMs, quietMs: MARK_QUIET_MS });
    out += joinUnread(rest.stdout);
    err += joinUnread(rest.stderr);
    ({ alive, exitCode, runs = false } = rest);
  }
  const stdout = takeMarks(out, nonce);
  const stderr = takeMarks(err, nonce);
  return {
    stdout: shown(stdout.text),
    stderr: shown(stderr.text),
    ended: stderr.code === null ? null : stdout.code,
    shellExit: alive ? null : exitCode ?? 0,
    runs,
  };
}

/** As a terminal shows it in the end, with a sign for NULs, which no text can hold. */
function shown(text: string): string {
  return settleLines(text).replaceAll("\0", "\u2400");
}
