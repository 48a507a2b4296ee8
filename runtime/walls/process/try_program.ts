import { inOwnSession } from "./own_session.ts";

/** How much is kept of what it says, in characters. */
const MAX_TEXT = 64 * 1024;

/** How a program that was tried has ended. */
export interface TriedProgram {
  success: boolean;
  /** What it wrote there, without white space around it. */
  stderr: string;
}

/** Options of {@linkcode tryProgram}. */
export interface TryOptions {
  /** Longest time until it has ended and closed its output, in milliseconds. */
  ms: number;
  /** Its whole environment. @default empty */
  env?: Readonly<Record<string, string>>;
}

/**
 * Runs a small program of the system to see whether it works, in an empty environment, and ends it with all that it started
 * if it does not come to an end: a helper that hangs must not hold up what waits for it. Needs `run`.
 *
 * @param argv Starts with an absolute path
 * @returns How it ended; one that was late has failed, and `stderr` says so
 * @throws Deno's error if it cannot be started
 */
export async function tryProgram(
  argv: readonly string[],
  { ms, env = {} }: TryOptions,
): Promise<TriedProgram> {
  const { argv: [name = "", ...args], detached } = inOwnSession(argv);
  const child = new Deno.Command(name, {
    ...{ args, detached, env: { ...env }, clearEnv: true, cwd: "/" },
    ...{ stdin: "null", stdout: "null", stderr: "piped" },
  }).spawn();
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  const reader = child.stderr.getReader();
  try {
    // One of its own may hold its output open after its end.
    const ended = Promise.all([child.status, readAll(reader)]);
    const found = await Promise.race([ended, late]);
    if (found !== null) return { success: found[0].success, stderr: found[1].trim() };
    return { success: false, stderr: `it did not end within ${ms / 1_000} seconds` };
  } finally {
    clearTimeout(timer);
    endGroup(child.pid);
    await reader.cancel().catch(() => {});
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    if (text.length < MAX_TEXT) text += decoder.decode(value, { stream: true });
  }
}

function endGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}
