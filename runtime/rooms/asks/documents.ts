import type { Documents } from "../../../schemas/context.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isBytes, isText, isTime, optional } from "./checks.ts";

/** Asks a reader to take bytes apart. */
export interface DocumentAsk {
  kind: "document.read";
  reader: string;
  bytes: Uint8Array;
  input: Readonly<Record<string, unknown>>;
  /** Longest time in milliseconds. @default the call's */
  timeoutMs?: number | undefined;
}

export const DOCUMENT_CHECKS: AskChecks<DocumentAsk> = {
  "document.read": { reader: isText, bytes: isBytes, input: isObject, timeoutMs: optional(isTime) },
};

/** Returns the readers that main opens for this room. */
export function askedDocuments(ask: Asker<DocumentAsk>): Documents {
  return {
    read: (reader, bytes, { input, timeoutMs }) =>
      ask({ kind: "document.read", reader, bytes, input, timeoutMs }),
  };
}
