import type { OrderId } from "../../../contract/engine.ts";
import type { MsgHdrs } from "@nats-io/nats-core";

import { ToolError } from "../../../../../schemas/error.ts";
import { joinChunks } from "../link/join_chunks.ts";
import type { Link } from "../link/link.ts";
import { headersOf, newWritingId, readStored } from "./records.ts";
import { blobSubject, STREAMS } from "./subjects.ts";

/** Largest body, in bytes. */
const MAX_BODY = 64 * 1024 * 1024;
/** Larger ones are kept apart from their message, in chunks of this size, in bytes. */
const MAX_INLINE = 256 * 1024;
/** What headers may add to a chunk, in bytes. */
const HEADER_ROOM = 4_096;
/** Chunks on their way at once. */
const AT_ONCE = 8;

/** Header of a message whose body is kept apart: its key. */
const BODY = "Bh-Body";
const HEAD = "head";

/** What is known of a blob before its chunks are read. */
interface BlobHead {
  /** Second word of the subjects of its chunks. */
  version: string;
  chunks: number;
  size: number;
}

/** Keeps bytes of any size under a key of an order. What was there before goes. */
export async function putBlob(
  link: Link,
  id: OrderId,
  { key, bytes }: { key: string; bytes: Uint8Array },
): Promise<void> {
  requireSize(bytes);
  const size = chunkSize(link);
  const version = newWritingId();
  const head: BlobHead = { version, chunks: Math.ceil(bytes.length / size), size: bytes.length };
  await eachOf(head.chunks, async (at) => {
    const subject = blobSubject(id, key, `${version}.${at}`);
    await putPlain(link, subject, bytes.subarray(at * size, (at + 1) * size));
  });
  const before = await readHead(link, id, key);
  await putPlain(link, blobSubject(id, key, HEAD), new TextEncoder().encode(JSON.stringify(head)));
  if (before) await purge(link, STREAMS.blobs, blobSubject(id, key, `${before.version}.>`));
}

/** Reads what is kept under a key of an order, `null` if there is nothing, or not all of it any more. */
export async function getBlob(link: Link, id: OrderId, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  while (true) {
    const head = await readHead(link, id, key);
    if (!head) return null;
    const chunks = new Array<Uint8Array>(head.chunks);
    await eachOf(head.chunks, async (at) => {
      const chunk = await readStored(link, STREAMS.blobs, blobSubject(id, key, `${head.version}.${at}`));
      if (chunk) chunks[at] = chunk.data;
    });
    const bytes = joinChunks(chunks.filter((chunk) => chunk !== undefined));
    if (bytes.length === head.size) return new Uint8Array(bytes);
    // Another one took its place while it was read, or it is too old.
    if ((await readHead(link, id, key))?.version === head.version) return null;
  }
}

/** Removes what is kept under a key of an order. */
export async function dropBlob(link: Link, id: OrderId, key: string): Promise<void> {
  await purge(link, STREAMS.blobs, blobSubject(id, key, ">"));
}

/** Puts a body that is too large for a message apart. Returns what the message takes in its place. */
export async function carryBody(
  link: Link,
  id: OrderId,
  body: Uint8Array,
): Promise<{ inline: Uint8Array; key: string | null; headers: MsgHdrs }> {
  requireSize(body);
  if (body.length <= Math.min(MAX_INLINE, chunkSize(link))) {
    return { inline: body, key: null, headers: headersOf({}) };
  }
  const key = `body-${newWritingId()}`;
  await putBlob(link, id, { key, bytes: body });
  return { inline: new Uint8Array(0), key, headers: headersOf({ [BODY]: key }) };
}

/** Returns the body of a message wherever it is kept, `null` if it is not there any more. */
export async function bodyOf(
  link: Link,
  id: OrderId,
  { headers, data }: { headers?: MsgHdrs | undefined; data: Uint8Array },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const key = bodyKey(headers);
  // A message lies in the buffer of all that came with it.
  return key === null ? new Uint8Array(data) : await getBlob(link, id, key);
}

/** Returns the key of a body that is kept apart. */
export function bodyKey(headers: MsgHdrs | undefined): string | null {
  const key = headers?.get(BODY) ?? "";
  return /^body-\w+$/.test(key) ? key : null;
}

/** Removes all messages of a subject, which may hold wildcards. */
export async function purge(link: Link, stream: string, filter: string): Promise<void> {
  await link.ask(({ streams }) => streams.purge(stream, { filter }));
}

async function readHead(link: Link, id: OrderId, key: string): Promise<BlobHead | null> {
  const record = await readStored(link, STREAMS.blobs, blobSubject(id, key, HEAD));
  return record && JSON.parse(new TextDecoder().decode(record.data)) as BlobHead;
}

async function putPlain(link: Link, subject: string, body: Uint8Array): Promise<void> {
  await link.ask(() => link.put(subject, body, { id: newWritingId(), headers: headersOf({}) }));
}

function chunkSize(link: Link): number {
  return Math.max(1_024, Math.min(MAX_INLINE, link.maxPayload - HEADER_ROOM));
}

function requireSize({ length }: Uint8Array): void {
  if (length <= MAX_BODY) return;
  throw new ToolError(
    "limit_exceeded",
    `Cannot put ${length} bytes into the queue: it takes at most ${MAX_BODY} in one piece`,
  );
}

async function eachOf(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, worker));
}
