import { headers, type MsgHdrs, nuid } from "@nats-io/nats-core";

import { ToolError } from "../../../../../schemas/error.ts";
import { API_CODES, asToolError, hasCode } from "../link/failures.ts";
import type { Link } from "../link/link.ts";

/** What a stream holds under one subject. */
export interface StoredRecord {
  /** Number in the stream. */
  seq: number;
  /** Who wrote it: one writing has one id. */
  id: string;
  headers: MsgHdrs;
  data: Uint8Array<ArrayBuffer>;
}

/** Header of the library for the id of a writing. */
const ID = "Nats-Msg-Id";

/** Returns a new id of a writing, safe in subjects. */
export function newWritingId(): string {
  return nuid.next();
}

/** Returns headers with these values. */
export function headersOf(values: Readonly<Record<string, string | null>>): MsgHdrs {
  const made = headers();
  for (const [name, value] of Object.entries(values)) if (value !== null) made.set(name, value);
  return made;
}

/** Reads the newest record of a subject, `null` if there is none. The node that decides is asked. */
export async function readStored(link: Link, stream: string, subject: string): Promise<StoredRecord | null> {
  const stored = await link.ask(({ streams }) => streams.getMessage(stream, { last_by_subj: subject }));
  if (!stored) return null;
  const { seq, header } = stored;
  return { seq, id: header.get(ID), headers: header, data: new Uint8Array(stored.data) };
}

/** How a record is written. */
export interface WriteTerms {
  stream: string;
  /** @default a new one */
  id?: string;
  headers?: MsgHdrs;
  /** Number of the record that it follows. @default 0: there must be none */
  after?: number;
}

/**
 * Writes a record if the one before it is still the newest of the subject.
 *
 * @returns The newest record if that is another one: nothing was written then
 * @throws {ToolError} `external_failure` for what the engine refuses
 */
export async function writeRecord(
  link: Link,
  subject: string,
  body: Uint8Array,
  { stream, id = newWritingId(), headers: values = headers(), after = 0 }: WriteTerms,
): Promise<StoredRecord | null> {
  while (true) {
    try {
      await link.put(subject, body, { id, headers: values, after });
      return null;
    } catch (error) {
      if (!hasCode(error, API_CODES.wrongLastSequence)) throw asToolError(error);
    }
    const found = await readStored(link, stream, subject);
    // The answer to an earlier try was lost.
    if (found?.id === id) return null;
    if (found) return found;
    // It has been removed meanwhile; what was to follow it is the first then.
    after = 0;
  }
}

/**
 * Removes what a subject holds. To purge one subject alone would be shorter, but nats-server 2.9 lets consumers of a wider
 * subject skip all that they have not given yet.
 *
 * @throws {ToolError} `external_failure` for what the engine refuses
 */
export async function removeRecord(link: Link, stream: string, subject: string): Promise<void> {
  let last = 0;
  while (true) {
    const found = await readStored(link, stream, subject);
    if (!found) return;
    const { seq } = found;
    try {
      await link.ask(({ streams }) => streams.deleteMessage(stream, seq, false));
    } catch (error) {
      // Somebody else has removed it meanwhile, unless it is still there.
      if (!(error instanceof ToolError) || error.code !== "external_failure" || seq === last) throw error;
    }
    last = seq;
  }
}
