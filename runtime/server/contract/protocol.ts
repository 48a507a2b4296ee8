import type { ErrorInfo } from "../../../schemas/error.ts";

/** Names a request between the worker and main. */
export type AskId = number;

/** Where and how the server listens. */
export interface ListenSettings {
  /** Name or address of this machine, such as `127.0.0.1`. */
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** What clients must show. */
  token: string;
  /** Lets one browser in instead of the token, once and within a minute. @default none */
  code?: string;
  /** Names that clients may call the server by, besides the host: `Host` must be one of them. With or without a port. */
  names: readonly string[];
  /** Origins of other web pages that may ask, such as `https://chat.example`. */
  origins: readonly string[];
  /** Certificate chain and key in PEM, and a port of this machine behind which TLS ends; `null` for plain HTTP. */
  tls: { cert: string; key: string; port: number } | null;
  /** Ids of the operations that main answers: only these are served, and stand in `/openapi.json`. */
  operations: readonly string[];
  /** Bounds of connections and requests. @default those of `inside/http_limits.ts` */
  limits?: Readonly<Record<string, number>>;
  /** Of this program. */
  version: string;
}

/** A request that passed all checks of the worker. */
export interface AskedOperation {
  /** Names the operation, see `api/`. */
  operation: string;
  /** The parts of the path, decoded. */
  params: Readonly<Record<string, string>>;
  /** As the operation's schema gives it; `{}` without one. */
  query: unknown;
  /** As the operation's schema gives it; `undefined` without one. */
  body: unknown;
  /** Headers that answers depend on, in small letters: those of `TOLD_HEADERS` that the client sent. */
  headers: Readonly<Record<string, string>>;
  /** Address of the client, without a port. */
  client: string;
  /** How many connections of clients are open. */
  connections: number;
}

/** Headers of a request that main is told. */
export const TOLD_HEADERS = ["last-event-id", "x-client-id", "accept", "user-agent", "traceparent"] as const;

/** The body of an answer: JSON, bytes of a type, or pieces of text that the worker asks for one after the other. */
export type AnswerBody =
  /** As text: a value would be copied on both sides of the way, and then be written. */
  | { kind: "json"; text: string }
  | { kind: "bytes"; bytes: Uint8Array<ArrayBuffer>; type: string }
  | { kind: "stream"; type: string }
  | { kind: "empty" };

/** What the worker tells main. */
export type FromListener =
  | { t: "ready"; port: number }
  | { t: "ask"; id: AskId; asked: AskedOperation }
  /** Nobody waits for the answer, or for the rest of it, any more. */
  | { t: "gone"; id: AskId }
  /** The client of a stream can take the next piece. */
  | { t: "pull"; id: AskId }
  | { t: "warning"; message: string }
  | { t: "closed"; error: ErrorInfo | null };

/** What main tells the worker. */
export type ToListener =
  | { t: "open"; settings: ListenSettings }
  | { t: "answer"; id: AskId; status: number; headers: Readonly<Record<string, string>>; body: AnswerBody }
  /** Instead of an answer, or of a piece: then the client sees that its stream broke off. */
  | { t: "failed"; id: AskId; error: ErrorInfo }
  /** A piece of a stream; `null` is its end. Exactly one for each `pull`, or `failed`. */
  | { t: "piece"; id: AskId; text: string | null }
  | { t: "close" };
