import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { APART_FOLDER } from "../../schemas/program.ts";
import { defineTool } from "../../schemas/tool.ts";
import { exitSummary } from "../engine/summary.ts";
import { sandboxPath } from "./shared/sandbox_path.ts";
import {
  endSession,
  enterFolder,
  findSession,
  isLive,
  keepSession,
  knownSessions,
  openSession,
  outputOf,
  readSession,
  type SandboxSession,
  startCommand,
} from "./shared/sandbox_sessions.ts";

const DEFAULT_SECONDS = 60;
const MOST_SECONDS = 3_600;
/** What is left of a call's time for its answer, in milliseconds. */
const MARGIN_MS = 1_000;
const MOST_NAME_CHARS = 100;

const input = z.object({
  action: z.enum(["execute_command", "check_command_output", "terminate_command", "list_commands"]).describe(
    "What to do.",
  ),
  command: z.string().optional().describe(
    "The command to execute, for execute_command. It may be several lines, with pipes and the like.",
  ),
  folder: z.string().optional().describe(
    `Folder in ${APART_FOLDER} in which the command starts, such as 'src/app'. Default: ${APART_FOLDER}.`,
  ),
  session_name: z.string().optional().describe(
    "Name of the session. Commands of one name share a shell with its variables. Default: a new session.",
  ),
  blocking: z.boolean().default(false).describe("Wait until the command has ended, and return its output."),
  timeout: z.int().min(1).max(MOST_SECONDS).default(DEFAULT_SECONDS).describe(
    "Longest wait of a blocking command, in seconds. The command runs on after it.",
  ),
  kill_session: z.boolean().default(false).describe("End the session after check_command_output."),
});

type Input = z.output<typeof input>;

const output = z.object({
  output: z.string().optional(),
  session_name: z.string().optional(),
  cwd: z.string().optional(),
  message: z.string().optional(),
  status: z.string().optional(),
  completed: z.boolean().optional(),
  exit_code: z.int().nullable().optional(),
  sessions: z.array(z.string()).optional(),
});

type Output = z.output<typeof output>;

export default defineTool({
  name: "sandbox_shell",
  description:
    `Executes shell commands in the session's private sandbox, whose folder ${APART_FOLDER} is kept with the session; files of the user are not in it.\n` +
    "* execute_command returns at once, or with `blocking: true` when the command has ended or `timeout` is over. Leave servers and long work unblocked.\n" +
    "* check_command_output returns the output so far, whether the command has ended, and its exit code.\n" +
    "* terminate_command ends a session with all that it runs; list_commands names the sessions.\n" +
    "* Commands with one `session_name` share a shell: its variables stay. Other sessions have other processes and share the files.",
  input,
  output,
  needs: { run: "granted" },
  readOnly: false,
  interprets: true,
  parallel: false,
  examples: [
    {
      line: "action=execute_command command='echo tea > list; wc -c list' blocking=true",
      meaning: "Run a command in the private sandbox",
    },
  ],
  limits: { timeoutMs: (MOST_SECONDS + 60) * 1000, concurrency: 1 },
  targets: ({ action, command }) => [{
    kind: "run",
    value: "bash",
    apart: true,
    ...(action === "execute_command" && command !== undefined &&
      { command: { script: command, shell: "bash" } }),
  }],
  async run(asked, context): Promise<Output> {
    switch (asked.action) {
      case "execute_command":
        return await execute(asked, context);
      case "check_command_output":
        return await check(asked, context);
      case "terminate_command":
        return await terminate(asked, context);
      case "list_commands":
        return await list(context);
    }
  },
  summary: ({ output, exit_code, message, status }) =>
    output === undefined
      ? message ?? ""
      : exit_code === null
      ? status ?? message ?? "still running"
      : exitSummary(exit_code ?? null, output),
  text: (result) => JSON.stringify(result, null, 2),
  errorText: ({ message }) => `Error: ${message}`,
});

async function execute(asked: Input, context: ToolContext): Promise<Output> {
  const { command, folder = "", blocking, timeout } = asked;
  if (command === undefined || command.trim() === "") {
    throw new ToolError("invalid_input", "command is required for execute_command");
  }
  if (command.includes("\0")) {
    throw new ToolError("invalid_input", "Error executing command: embedded null byte");
  }
  const cwd = sandboxPath(folder);
  const running = await begin(await idleSession(asked, context), { command, folder }, context);
  const { name: session_name } = running;
  if (!blocking) {
    const message =
      `Command sent to tmux session '${session_name}'. Use check_command_output to view results.`;
    return { session_name, cwd, message, completed: false };
  }
  const left = Math.max(0, context.deadline - Date.now() - MARGIN_MS);
  const now = await readSession(context, running, { waitMs: Math.min(timeout * 1000, left) });
  if (now.code !== null && now.single) await endSession(context, now);
  return {
    output: outputOf(now),
    session_name,
    cwd,
    ...(now.code === null && {
      message:
        `The command still runs after ${timeout} seconds. Use check_command_output to view results, or terminate_command to end it.`,
    }),
    completed: now.code !== null,
    exit_code: now.code,
  };
}

/** Returns the session for a command: the one of the name, or a new one. */
async function idleSession(
  { session_name }: Input,
  context: ToolContext,
): Promise<{ session: SandboxSession; isNew: boolean }> {
  if (session_name === undefined) {
    const name = `session_${crypto.randomUUID().slice(0, 8)}`;
    return { session: await openSession(context, { name, single: true }), isNew: true };
  }
  checkName(session_name);
  const found = await findSession(context, session_name);
  const now = found && await readSession(context, found, { waitMs: 0 });
  if (now && !now.over && now.code !== null) return { session: now, isNew: false };
  if (now === null || now.over) {
    if (now) await endSession(context, now);
    if (now || await wasKnown(context, session_name)) {
      context.warn(
        `The shell of session '${session_name}' had ended, and what was set in it is lost: this is a new one`,
      );
    }
    return { session: await openSession(context, { name: session_name, single: false }), isNew: true };
  }
  throw new ToolError(
    "conflict",
    `Session '${session_name}' still runs a command: use check_command_output to view its results, ` +
      "terminate_command to end it, or another session_name",
  );
}

async function wasKnown(context: ToolContext, name: string): Promise<boolean> {
  return (await knownSessions(context)).some((session) => session.name === name);
}

function checkName(name: string): void {
  // deno-lint-ignore no-control-regex
  if (name !== "" && name.length <= MOST_NAME_CHARS && !/[\x00-\x1f\x7f]/.test(name)) return;
  throw new ToolError(
    "invalid_input",
    `session_name must have 1 to ${MOST_NAME_CHARS} characters and no control characters, not ${
      JSON.stringify(name)
    }`,
  );
}

/** Starts a command in its folder; a session that was opened for a command that may not start is ended. */
async function begin(
  { session, isNew }: { session: SandboxSession; isNew: boolean },
  { command, folder = "" }: Pick<Input, "folder"> & { command: string },
  context: ToolContext,
): Promise<SandboxSession> {
  try {
    const why = await enterFolder(context, session, sandboxPath(folder));
    if (why === null) return await startCommand(context, session, command);
    throw new ToolError("not_found", `Error executing command: cannot start in folder '${folder}': ${why}`);
  } catch (error) {
    if (isNew) await endSession(context, session);
    else await keepSession(context, session);
    throw error;
  }
}

async function check({ session_name, kill_session }: Input, context: ToolContext): Promise<Output> {
  const session = await named(session_name, "check_command_output", context);
  const now = await readSession(context, session, { waitMs: 0 });
  if (kill_session) await endSession(context, now);
  const status = kill_session || now.over
    ? "Session terminated."
    : now.code === null
    ? "Session still running."
    : "Command completed. The session takes further commands.";
  return {
    output: outputOf(now),
    session_name: now.name,
    status,
    completed: now.code !== null,
    exit_code: now.code,
  };
}

async function terminate({ session_name }: Input, context: ToolContext): Promise<Output> {
  const session = await named(session_name, "terminate_command", context);
  await endSession(context, session);
  return { message: `Tmux session '${session.name}' terminated successfully.` };
}

async function list(context: ToolContext): Promise<Output> {
  const known = await knownSessions(context);
  const live = await Promise.all(known.map((session) => isLive(context, session)));
  const sessions = known.filter((_, index) => live[index]).map(({ name }) => name);
  const message = sessions.length === 0
    ? "No active tmux sessions found."
    : `Found ${sessions.length} active sessions.`;
  return { message, sessions };
}

async function named(
  name: string | undefined,
  action: Input["action"],
  context: ToolContext,
): Promise<SandboxSession> {
  if (name === undefined) throw new ToolError("invalid_input", `session_name is required for ${action}`);
  const session = await findSession(context, name);
  if (session !== null) return session;
  throw new ToolError("not_found", `Tmux session '${name}' does not exist.`);
}
