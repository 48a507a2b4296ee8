import { entryUrl } from "../self/entry_urls.ts";
import { startWorker } from "../self/start_worker.ts";
import type { OnMessage, RoomEnd, RoomLink, ToRoom } from "./protocol.ts";
import { type RoomProfile, SOCKET_WORD, workerPermissions } from "./profile.ts";

/** The modules that a room and its helper threads start with. */
export interface RoomEntries {
  room: URL;
  thread: URL;
}

const ENTRIES: RoomEntries = { room: entryUrl("room"), thread: entryUrl("thread") };

/** A room in a worker of this process. */
export interface WorkerLink extends RoomLink {
  /** Passes bytes of frames on as they came. They move to the room. */
  pass(bytes: Uint8Array<ArrayBuffer>): void;
}

/**
 * Opens a room as a worker of this process, with its helper threads, all under exactly the profile's permissions.
 * Needs what the profile holds, and `read` of the program's own files.
 *
 * @param token Marks the room's temporary files
 * @param options With `writes`, the room writes what it says after `ready` to this process's stdout itself
 */
export function openWorkerLink(
  profile: RoomProfile,
  token: string,
  options: { onMessage: OnMessage; writes?: boolean; entries?: RoomEntries },
): WorkerLink {
  const { onMessage, writes = false, entries = ENTRIES } = options;
  const closed = Promise.withResolvers<RoomEnd>();
  const room = startOne(entries.room, profile);
  const threads = Array.from({ length: profile.threads }, () => startOne(entries.thread, profile));
  for (const worker of [room, ...threads]) {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      closed.resolve({ outOfMemory: false, detail: `error in the room: ${event.message}` });
    });
  }
  const ports = threads.map((thread) => {
    const { port1, port2 } = new MessageChannel();
    thread.postMessage(profile.threadService ?? "search", [port1]);
    return port2;
  });
  const loaded = Promise.all(threads.map(firstMessage));
  room.addEventListener("message", async ({ data }) => {
    // At this message the owner may give up permissions that the threads need while they load.
    if (data?.t === "ready") await loaded;
    onMessage(data);
  });
  const open: ToRoom = { t: "open", profile, token, ...(writes && { writes }) };
  room.postMessage(open, ports);
  return {
    send: (message) => room.postMessage(message, bytesOf(message)),
    pass: (bytes) => room.postMessage(bytes, [bytes.buffer]),
    kill() {
      for (const worker of [room, ...threads]) worker.terminate();
      closed.resolve({ outOfMemory: false, detail: "killed" });
    },
    closed: closed.promise,
  };
}

/** Bytes that move to the room without a copy: main does not use them again. They are not shared memory. */
function bytesOf(message: ToRoom): ArrayBuffer[] {
  return message.t === "call" && message.bytes ? [message.bytes.buffer as ArrayBuffer] : [];
}

function firstMessage(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.addEventListener("message", () => resolve(), { once: true }));
}

function startOne(url: URL, profile: RoomProfile): Worker {
  const permissions = workerPermissions(profile);
  const start = (net: Deno.PermissionOptionsObject["net"]) =>
    startWorker(url, { ...permissions, net: net ?? false });
  const { net } = permissions;
  if (!Array.isArray(net)) return start(net);
  try {
    return start(net);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return start(net.filter((word) => !word.startsWith(SOCKET_WORD)));
  }
}
