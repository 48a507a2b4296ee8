import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { APART_FOLDER, LINK_FAILED } from "../../../schemas/program.ts";
import { noLink } from "./sandbox_file.ts";
import { closeShell, isOpenShell, openShell, readShell } from "./shell_session.ts";

/** Most sessions that are remembered; the oldest that have ended are forgotten first. */
const MOST_SESSIONS = 64;
/** Characters kept of the start and of the end of a command's output, each. */
const KEPT_CHARS = 25_600;
const KEY = "sandbox_shell";
/** Longest wait for what takes a shell no time, in milliseconds. */
const PROMPT_MS = 60_000;

const stored = z.object({
  name: z.string(),
  /** It was not named by the caller: it serves one command. */
  single: z.boolean(),
  shell: z.object({ id: z.string(), nonce: z.string(), running: z.boolean() }),
  /** Output of the last command: its start, how many characters are left out, and its end. */
  head: z.string(),
  omitted: z.int(),
  tail: z.string(),
  /** Exit code of the last command, `null` while it runs. */
  code: z.int().nullable(),
  /** The shell itself has ended. */
  over: z.boolean(),
});

/** A session of the sandbox's shell: a shell that stays, and what its last command gave. */
export type SandboxSession = z.output<typeof stored>;

/** Returns the sessions that are remembered, the oldest first; shells of another process are not there any more. */
export async function knownSessions(context: ToolContext): Promise<SandboxSession[]> {
  return z.array(stored).safeParse(await context.session.get(KEY)).data ?? [];
}

/** Remembers a session, as it is now. */
export async function keepSession(context: ToolContext, session: SandboxSession): Promise<void> {
  await change(context, session.name, [session]);
}

/** Ends a session and all that it runs, and forgets it. */
export async function endSession(context: ToolContext, { name, shell }: SandboxSession): Promise<void> {
  await change(context, name, []);
  await closeShell(context, shell);
}

/** Puts others in the place of a session; another process may remember sessions at the same time. */
async function change(context: ToolContext, name: string, now: readonly SandboxSession[]): Promise<void> {
  await context.session.alone(KEY, async () => {
    const others = (await knownSessions(context)).filter((session) => session.name !== name);
    await context.session.set(KEY, [...others, ...now].slice(-MOST_SESSIONS));
  });
}

/** Says whether the shell of a session is there. */
export async function isLive(context: ToolContext, { shell }: SandboxSession): Promise<boolean> {
  return await isOpenShell(context, shell);
}

/** Returns the session of a name if its shell is there. */
export async function findSession(context: ToolContext, name: string): Promise<SandboxSession | null> {
  const session = (await knownSessions(context)).find((one) => one.name === name);
  return session !== undefined && await isLive(context, session) ? session : null;
}

/** Opens a session, whose commands say everything on one stream. Shells that have done their one command make room for it. */
export async function openSession(
  context: ToolContext,
  { name, single }: Pick<SandboxSession, "name" | "single">,
): Promise<SandboxSession> {
  const shell = await openShell(context, { apart: true }).catch(async (error) => {
    if (error instanceof ToolError && error.details?.exit_code === LINK_FAILED) {
      throw noLink(String(error.details.said));
    }
    if (!(error instanceof ToolError) || error.code !== "limit_exceeded") throw error;
    if (!await endFinished(context)) throw error;
    return await openShell(context, { apart: true });
  });
  await context.programs.command(shell.id, "exec 2>&1");
  await readShell(context, shell, { waitMs: PROMPT_MS });
  return { name, single, shell, head: "", omitted: 0, tail: "", code: 0, over: false };
}

async function endFinished(context: ToolContext): Promise<boolean> {
  for (const session of await knownSessions(context)) {
    if (!session.single || !await isLive(context, session)) continue;
    const now = await readSession(context, session, { waitMs: 0 });
    if (now.code === null) continue;
    await endSession(context, now);
    return true;
  }
  return false;
}

/** Changes the folder of an idle session. Returns why it cannot, `null` if it did. */
export async function enterFolder(
  context: ToolContext,
  { shell }: SandboxSession,
  folder: string,
): Promise<string | null> {
  await context.programs.command(shell.id, `cd -- '${folder.replaceAll("'", "'\\''")}'`);
  const { stdout, ended } = await readShell(context, shell, { waitMs: PROMPT_MS });
  return ended === 0 ? null : stdout.trim() || "the shell does not answer";
}

/** Starts a command in an idle session. It is kept before it starts: the call may be cancelled while it goes on. */
export async function startCommand(
  context: ToolContext,
  session: SandboxSession,
  command: string,
): Promise<SandboxSession> {
  const running: SandboxSession = { ...session, head: "", omitted: 0, tail: "", code: null };
  await keepSession(context, running);
  await context.programs.command(session.shell.id, command);
  return running;
}

/** Waits for the running command, takes what it said, and keeps it. */
export async function readSession(
  context: ToolContext,
  session: SandboxSession,
  { waitMs }: { waitMs: number },
): Promise<SandboxSession> {
  if (session.code !== null) return session;
  const { stdout, stderr, ended, shellExit } = await readShell(context, session.shell, { waitMs });
  // Its commands say everything on stdout: this is said by the command that reaches a remote sandbox.
  if (shellExit === LINK_FAILED && stderr.trim() !== "") {
    await endSession(context, session);
    throw linkFailed(stderr);
  }
  const more = withOutput(session, shellExit === null ? stdout + stderr : stdout);
  const said = shellExit === null ? more : withoutFarewell(more);
  const now = { ...said, code: shellExit ?? ended, over: shellExit !== null };
  await keepSession(context, now);
  return now;
}

/** Returns the output of the last command, with a line where some of it was left out. */
export function outputOf({ head, omitted, tail }: SandboxSession): string {
  return omitted === 0 ? head + tail : `${head}\n[output truncated: ${omitted} characters omitted]\n${tail}`;
}

function linkFailed(said: string): ToolError {
  return new ToolError(
    "unavailable",
    `The link to the remote sandbox broke, and what ran in this session was ended: ${
      said.trim().replaceAll("\n", "; ")
    }\nFiles in ${APART_FOLDER} are kept: start a new session`,
    { retryable: true },
  );
}

/** A shell that is left says so, perhaps before it has ended. */
function withoutFarewell(session: SandboxSession): SandboxSession {
  const end = session.tail === "" ? "head" : "tail";
  return { ...session, [end]: session[end].replace(/(^|\n)exit\n$/, "$1") };
}

function withOutput(session: SandboxSession, more: string): SandboxSession {
  const head = session.head + more.slice(0, KEPT_CHARS - session.head.length);
  const rest = session.tail + more.slice(head.length - session.head.length);
  const over = Math.max(0, rest.length - KEPT_CHARS);
  return { ...session, head, omitted: session.omitted + over, tail: rest.slice(over) };
}
