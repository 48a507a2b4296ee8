import { FrameReader, toFrame } from "../frames.ts";
import type { FromRoom, ToRoom } from "../protocol.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { openWorkerLink, type RoomEntries, type WorkerLink } from "../worker_link.ts";

const GIVEN_UP = ["read", "write", "net", "run", "env", "sys", "ffi", "import"] as const;
const READ_BYTES = 64 * 1024;
/** Time between two looks at the memory of a call, in milliseconds. */
const MEMORY_LOOK_MS = 20;
/** The exit code without free memory: V8 aborts a process with the same code. */
const NO_MEMORY = 134;

/** The pipes of a room process. */
export interface RoomPipes {
  /** Fills the buffer; returns the number of bytes, `null` at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
  /** The same, and nothing else happens in this thread meanwhile. */
  readSync(buffer: Uint8Array): number | null;
  /**
   * Writes all bytes before it returns: main reads without a pause, and a later turn would slow each call.
   */
  write(bytes: Uint8Array): void;
}

/**
 * The life of a room process: its main makes the scoped worker, gives up every permission of its own, and passes on the
 * JSON lines of its input until that ends. The worker reads them and writes its own answers, and main does nothing but
 * wait for more: each further thread would slow each call. Only where the memory of a call is bounded, main must look at it
 * meanwhile, and so the answers pass through it.
 *
 * @returns The exit code: 0 at the end of the input, 1 if the worker died, 134 if there is no memory for a
 * message
 */
export async function runRoomProcess(pipes: RoomPipes, entries?: RoomEntries): Promise<number> {
  const died = Promise.withResolvers<number>();
  const ready = Promise.withResolvers<void>();
  const memory = watchMemory(() => died.resolve(NO_MEMORY));
  const onMessage = (message: FromRoom) => {
    if (message.t === "done") memory.stop();
    // When the worker speaks, it has loaded its module. So this process needs its permissions no longer.
    if (message.t === "ready") { for (const name of GIVEN_UP) Deno.permissions.revokeSync({ name }); }
    for (const piece of toFrame(message)) pipes.write(piece);
    if (message.t === "ready") ready.resolve();
  };
  let link: WorkerLink | undefined;
  const take = (message: ToRoom): Promise<void> | null => {
    if (message.t === "call") memory.start();
    if (message.t !== "open") {
      link?.send(message);
      return null;
    }
    const { profile, token } = message;
    const { module, read, write, files: { workspace } } = profile;
    // Authors of tools write paths as in any program.
    if (module && [read, write].some((scope) => covers(scope, workspace))) Deno.chdir(workspace);
    memory.bound = profile.memory.residentBytes ?? Infinity;
    const writes = memory.bound === Infinity;
    link = openWorkerLink(profile, token, { onMessage, writes, ...(entries && { entries }) });
    link.closed.then(() => died.resolve(1));
    return writes ? ready.promise : null;
  };
  const pass = (bytes: Uint8Array<ArrayBuffer>) => link?.pass(bytes);
  return await Promise.race([relay(pipes, { take, pass }).catch(codeOfFailure), died.promise]);
}

/** Looks during calls how much memory this process takes: the worker's thread may be too busy for anything else. */
function watchMemory(onTooMuch: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => clearInterval(timer);
  return {
    bound: Infinity,
    start() {
      if (this.bound === Infinity) return;
      stop();
      timer = setInterval(() => {
        if (Deno.memoryUsage().rss > this.bound) onTooMuch();
      }, MEMORY_LOOK_MS);
    },
    stop,
  };
}

/** JSON values can always be cloned, unless there is no memory for the clone. */
function codeOfFailure(error: unknown): number {
  if (error instanceof DOMException && error.name === "DataCloneError") return NO_MEMORY;
  throw error;
}

/**
 * @param to `take` returns what to wait for before this thread may do nothing but read, if it may; from then on, `pass`
 * gets what comes
 */
async function relay(
  pipes: RoomPipes,
  { take, pass }: {
    take(message: ToRoom): Promise<void> | null;
    pass(bytes: Uint8Array<ArrayBuffer>): void;
  },
): Promise<number> {
  const frames = new FrameReader();
  const buffer = new Uint8Array(READ_BYTES);
  let isAlone = false;
  for (;;) {
    const read = isAlone ? pipes.readSync(buffer) : await pipes.read(buffer);
    if (read === null) return 0;
    if (isAlone) {
      pass(buffer.slice(0, read));
      continue;
    }
    for (const message of frames.push(buffer.subarray(0, read))) {
      const alone = take(message as ToRoom);
      if (alone === null) continue;
      await alone;
      isAlone = true;
    }
  }
}
