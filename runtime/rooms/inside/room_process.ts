import { FrameReader, toFrame } from "../frames.ts";
import type { FromRoom, RoomLink, ToRoom } from "../protocol.ts";
import { openWorkerLink, type RoomEntries } from "../worker_link.ts";

const GIVEN_UP = ["read", "write", "net", "run", "env", "sys", "ffi", "import"] as const;
const READ_BYTES = 64 * 1024;
/** The exit code without free memory: V8 aborts a process with the same code. */
const NO_MEMORY = 134;

/** The pipes of a room process. */
export interface RoomPipes {
  /** Fills the buffer; returns the number of bytes, `null` at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
  /**
   * Writes all bytes before it returns: main reads without a pause, and a later turn would slow each call.
   */
  write(bytes: Uint8Array): void;
}

/**
 * The life of a room process: its main makes the scoped worker, gives up every permission of its own, and relays JSON
 * lines between the pipes and the worker until the input ends.
 *
 * @returns The exit code: 0 at the end of the input, 1 if the worker died, 134 if there is no memory for a
 * message
 */
export async function runRoomProcess(pipes: RoomPipes, entries?: RoomEntries): Promise<number> {
  const died = Promise.withResolvers<number>();
  const onMessage = (message: FromRoom) => {
    // When the worker speaks, it has loaded its module. So this process needs its permissions no longer.
    if (message.t === "ready") { for (const name of GIVEN_UP) Deno.permissions.revokeSync({ name }); }
    for (const piece of toFrame(message)) pipes.write(piece);
  };
  let link: RoomLink | undefined;
  const take = (message: ToRoom) => {
    if (message.t !== "open") return link?.send(message);
    link = openWorkerLink(message.profile, message.token, { onMessage, ...(entries && { entries }) });
    link.closed.then(() => died.resolve(1));
  };
  return await Promise.race([relay(pipes, take).catch(codeOfFailure), died.promise]);
}

/** JSON values can always be cloned, unless there is no memory for the clone. */
function codeOfFailure(error: unknown): number {
  if (error instanceof DOMException && error.name === "DataCloneError") return NO_MEMORY;
  throw error;
}

async function relay(pipes: RoomPipes, take: (message: ToRoom) => void): Promise<number> {
  const frames = new FrameReader();
  const buffer = new Uint8Array(READ_BYTES);
  for (let read = await pipes.read(buffer); read !== null; read = await pipes.read(buffer)) {
    for (const message of frames.push(buffer.subarray(0, read))) take(message as ToRoom);
  }
  return 0;
}
