import { inOwnSession } from "../walls/process/own_session.ts";
import type { RoomCommand } from "./room_command.ts";
import { FrameReader, toFrame } from "./frames.ts";
import type { FromRoom, OnMessage, RoomEnd, RoomLink, ToRoom } from "./protocol.ts";
import type { RoomProfile } from "./profile.ts";

/** How many characters of a room's stderr are kept for the message about its end. */
const STDERR_KEPT = 2_000;

const MEMORY_SIGNALS: ReadonlySet<Deno.Signal> = new Set(["SIGILL", "SIGTRAP", "SIGABRT", "SIGSEGV"]);

/**
 * Opens a room in a process of its own and speaks with it in JSON lines over its pipes. Needs `run`.
 *
 * @param token Marks the room's temporary files
 */
export function openProcessLink(
  profile: RoomProfile,
  token: string,
  options: { command: RoomCommand; onMessage: OnMessage },
): RoomLink {
  const { command, onMessage } = options;
  // The room gets its own session: Ctrl-C goes to main, which then asks its rooms to stop.
  const { argv: [program = "", ...args], detached } = inOwnSession(command.argv);
  const child = new Deno.Command(program, {
    args,
    clearEnv: true,
    env: { ...command.env },
    cwd: "/",
    detached,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const send = (message: ToRoom) => {
    // `closed` reports that the room is gone. The failed write says nothing new.
    for (const piece of toFrame(message)) writer.write(piece).catch(() => {});
  };
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // Already gone, as wanted.
    }
  };
  const stderr = keepEnd(child.stderr);
  let broken: string | undefined;
  // Ends a room that breaks the protocol.
  const reading = relay(child.stdout, onMessage).catch((error) => {
    broken = error instanceof RangeError
      ? "it gave more than a message holds"
      : "it wrote to its stdout, where only its messages may stand";
    kill();
  });
  const closed = (async (): Promise<RoomEnd> => {
    const { signal, code } = await child.status;
    await reading;
    await writer.close().catch(() => {});
    const said = (await stderr).trim();
    const how = broken ?? signal ?? `exit code ${code}`;
    return {
      outOfMemory: broken === undefined && isOutOfMemory(signal, code),
      detail: said === "" ? how : `${how}: ${said}`,
    };
  })();
  send({ t: "open", profile, token });
  return { send, kill, closed };
}

/** V8 ends a process without free memory with a trap or an abort. A box shows signals as exit codes. */
function isOutOfMemory(signal: Deno.Signal | null, code: number): boolean {
  return signal === null ? [132, 133, 134, 139].includes(code) : MEMORY_SIGNALS.has(signal);
}

async function relay(stdout: ReadableStream<Uint8Array>, onMessage: OnMessage): Promise<void> {
  const frames = new FrameReader();
  // The receiver checks the message.
  for await (const chunk of stdout) for (const message of frames.push(chunk)) onMessage(message as FromRoom);
}

async function keepEnd(stream: ReadableStream<Uint8Array>): Promise<string> {
  let kept = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    kept = (kept + chunk).slice(-STDERR_KEPT);
  }
  return kept;
}
