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

/** Longest time that a page is read, in milliseconds. */
const PAGE_MS = 15_000;

/** The room of each reader, and the longest time that it reads, in milliseconds. */
const READERS: ReadonlyMap<string, { profile: RoomProfile; longestMs: number }> = new Map([
  ["pdf", { profile: readerProfile({ threads: 1, threadService: "pdf" }), longestMs: LONGEST_MS }],
  ["image", { profile: readerProfile({ threads: 0 }), longestMs: LONGEST_MS }],
  ["office", { profile: readerProfile({ threads: 0 }), longestMs: LONGEST_MS }],
  ["chart", { profile: readerProfile({ threads: 0 }), longestMs: LONGEST_MS }],
  [
    "page",
    { profile: readerProfile({ threads: 0, residentBytes: PAGE_MEMORY_BYTES }), longestMs: PAGE_MS },
  ],
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
  const reader = READERS.get(ask.reader);
  if (reader === undefined) throw new TypeError(`There is no reader ${JSON.stringify(ask.reader)}`);
  const { profile, longestMs } = reader;
  const { timeoutMs: askedMs = LONGEST_MS } = ask;
  const begun = performance.now();
  const room = await rooms.acquire(profile);
  // On a busy machine a room takes long to start: that counts for who asked, and not for the reader.
  const timeoutMs = Math.max(0, Math.min(longestMs, Math.ceil(askedMs - (performance.now() - begun))));
  using stop = stopping(timeoutMs, { reader: ask.reader, told: Math.min(longestMs, askedMs), signal });
  try {
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

/** Rejects after so many milliseconds, or when the call has ended. @param about `told`: the bound that the error names */
function stopping(timeoutMs: number, about: { reader: string; told: number; signal: AbortSignal }) {
  const { reader, told, signal } = about;
  const { promise, reject } = Promise.withResolvers<never>();
  // The caller may have stopped waiting.
  promise.catch(() => {});
  const timedOut = () =>
    reject(
      new ToolError("timeout", `The ${reader} reader was stopped: it took longer than ${told} ms`, {
        details: { timeout_ms: told },
      }),
    );
  const timer = setTimeout(timedOut, timeoutMs);
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    stopped: promise,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
