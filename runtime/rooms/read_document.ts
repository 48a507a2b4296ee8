import { LONGEST_MS } from "../wait/longest.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ArtifactWriter } from "../state/artifact_writer.ts";
import type { DocumentAsk } from "./asks/documents.ts";
import type { Ask } from "./asks/ask.ts";
import { readerProfile, type RoomProfile } from "./profile.ts";
import type { CallService } from "./room.ts";
import type { RoomPool } from "./room_pool.ts";

/** A reader of pages that takes more is ended; until that is done, it stays below 600 MB. */
const PAGE_MEMORY_BYTES = 550_000_000;
/** A reader of longer pages reads no other one: what is left in its heap would count for that. */
const READS_ON_BYTES = 1024 * 1024;

/** The room of each reader. */
const PROFILES: ReadonlyMap<string, RoomProfile> = new Map([
  ["pdf", readerProfile({ threads: 1, threadService: "pdf" })],
  ["image", readerProfile({ threads: 0 })],
  ["office", readerProfile({ threads: 0 })],
  ["chart", readerProfile({ threads: 0 })],
  ["page", readerProfile({ threads: 0, residentBytes: PAGE_MEMORY_BYTES })],
]);

/** What a reader works for. */
export interface ReadDocumentOptions {
  rooms: RoomPool;
  artifacts: ArtifactWriter;
  onProgress: CallService["onProgress"];
  warn(message: string): void;
  /** Aborts when the call has ended, for any reason. */
  signal: AbortSignal;
}

/**
 * Gives foreign bytes to a reader, in a process that holds nothing else. The process stays for the next call,
 * unless something failed in it.
 *
 * @returns The reader's output
 * @throws {ToolError} The reader's own; `timeout`; `limit_exceeded` if it ran out of memory
 */
export async function readDocument(ask: DocumentAsk, options: ReadDocumentOptions): Promise<unknown> {
  const { rooms, artifacts, onProgress, warn, signal } = options;
  const profile = PROFILES.get(ask.reader);
  if (profile === undefined) throw new TypeError(`There is no reader ${JSON.stringify(ask.reader)}`);
  // The start of a room counts: a busy machine takes a good part of the time for it.
  using stop = stopping(ask, signal);
  const room = await rooms.acquire(profile);
  try {
    const { timeoutMs } = stop;
    const call = {
      tool: `reader/${ask.reader}`,
      input: ask.input,
      bytes: ask.bytes,
      timeoutMs,
      stopAfterMs: timeoutMs,
      mode: "run" as const,
      told: { settings: {} },
    };
    const answer = (asked: Ask) => {
      if (asked.kind === "artifact.write") return artifacts.write(asked.name, asked.bytes);
      throw new TypeError(`reader ${ask.reader} asked for ${asked.kind}`);
    };
    const outcome = await Promise.race([room.call(call, { onProgress, answer }), stop.stopped]);
    outcome.warnings.forEach(warn);
    if (outcome.error) throw new ToolError(outcome.error.code, outcome.error.message, outcome.error);
    if (profile.memory.residentBytes !== undefined && ask.bytes.length > READS_ON_BYTES) rooms.discard(room);
    else rooms.release(room);
    return outcome.result;
  } catch (error) {
    rooms.discard(room);
    throw error;
  }
}

/** Rejects when the reader's time is up or the call has ended. */
function stopping({ reader, timeoutMs = LONGEST_MS }: DocumentAsk, signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>();
  // The caller may have stopped waiting.
  promise.catch(() => {});
  const timedOut = () =>
    reject(
      new ToolError("timeout", `The ${reader} reader was stopped: it took longer than ${timeoutMs} ms`, {
        details: { timeout_ms: timeoutMs },
      }),
    );
  const timer = setTimeout(timedOut, timeoutMs);
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    stopped: promise,
    timeoutMs,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
