import type { Documents } from "../../../schemas/context.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isText, isTime, optional } from "./checks.ts";
import { toBase64 } from "./to_base64.ts";

/** Has a reader take bytes, in base64, apart. */
export interface DocumentAsk {
  kind: "document.read";
  reader: string;
  bytes: string;
  input: Readonly<Record<string, unknown>>;
  /** Longest time in milliseconds. @default the call's */
  timeoutMs?: number | undefined;
}

export const DOCUMENT_CHECKS: AskChecks<DocumentAsk> = {
  "document.read": { reader: isText, bytes: isText, input: isObject, timeoutMs: optional(isTime) },
};

/** Returns the readers that main opens for this room. */
export function askedDocuments(ask: Asker<DocumentAsk>): Documents {
  return {
    read: (reader, bytes, { input, timeoutMs }) =>
      ask({ kind: "document.read", reader, bytes: toBase64(bytes), input, timeoutMs }),
  };
}
