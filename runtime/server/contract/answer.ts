import type { AskedOperation } from "./protocol.ts";

/** A request as an operation's handler gets it. */
export interface Request<Query = unknown, Body = unknown>
  extends Omit<AskedOperation, "operation" | "query" | "body"> {
  query: Query;
  body: Body;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** What a handler answers; a thrown `ToolError` is told in the operation's form. */
export interface HandlerAnswer {
  /** @default 200 */
  status?: number;
  /** In small letters. @default none besides the usual ones */
  headers?: Readonly<Record<string, string>>;
  /** JSON. */
  json?: unknown;
  bytes?: { bytes: Uint8Array<ArrayBuffer>; type: string };
  /** Pieces of text, each asked for only once the client took the one before; ended early by `return()`. */
  stream?: { pieces: AsyncIterable<string>; type: string };
}

/** Answers one operation. */
// deno-lint-ignore no-explicit-any
export type Handler = (request: Request<any, any>) => Promise<HandlerAnswer> | HandlerAnswer;

/** Handlers by the id of their operation. */
export type Handlers = Readonly<Record<string, Handler>>;
