import type { ErrorInfo } from "../../schemas/error.ts";

/** Names a client's connection; calls of one connection share what tools remember. */
export type ConnectionId = string;

/** The one connection of a server over stdio. */
export const PIPE: ConnectionId = "pipe";

/** How clients reach the server. */
export type ServeWay =
  | { kind: "stdio" }
  /** `token: null` lets everybody in who reaches the port. */
  | { kind: "http"; port: number; token: string | null };

/** The tools that a client is offered. */
export interface ServedList {
  /** In the form of the protocol. */
  tools: readonly Readonly<Record<string, unknown>>[];
  /** The names of those that touch files or start programs: roots narrow them. */
  rooted: readonly string[];
}

/** What the worker that speaks with clients is told first. */
export interface ServeSettings {
  name: string;
  version: string;
  instructions: string;
  way: ServeWay;
  /** The tools of every client at first. */
  list: ServedList;
  /** There may be more tools later. */
  grows: boolean;
}

/** A call as a client made it. */
export interface ClientCall {
  connection: ConnectionId;
  /** The folders that the client works in, absolute; `null` if it names none. */
  roots: readonly string[] | null;
  /** The name under which the tool is offered. */
  name: string;
  input: unknown;
  /** Where the call stands in the client's trace. @default nowhere */
  traceparent?: string | undefined;
}

/** A resource: a file that a call of the connection left. */
export interface ServedResource {
  uri: string;
  name: string;
  mimeType: string;
  size: number;
}

/** What a resource holds: a text, or base64 of its bytes. */
export type ResourceContent = { uri: string; mimeType: string } & ({ text: string } | { blob: string });

/** The end of a call, in the form of the protocol. */
export interface CallAnswer {
  content: readonly Readonly<Record<string, unknown>>[];
  structuredContent?: Readonly<Record<string, unknown>>;
  isError: boolean;
  _meta?: Readonly<Record<string, unknown>>;
}

/** How far a call is. */
export interface CallProgress {
  /** Grows with each message. */
  progress: number;
  total?: number;
  message?: string;
}

/** What main asks the worker for, or answers. */
export type ToServer =
  | { t: "open"; settings: ServeSettings }
  /** A connection has these tools from now on. */
  | { t: "tools"; connection: ConnectionId; list: ServedList }
  | { t: "progress"; id: number; progress: CallProgress }
  | { t: "answer"; id: number; answer: CallAnswer; leaves: boolean }
  | { t: "resources"; id: number; resources: readonly ServedResource[] }
  | { t: "content"; id: number; content: ResourceContent | null }
  | { t: "failed"; id: number; error: ErrorInfo }
  | { t: "close" };

/** What the worker asks main for, or tells. */
export type FromServer =
  /** `port` is where it listens, `null` for stdio. */
  | { t: "ready"; port: number | null }
  | { t: "call"; id: number; call: ClientCall }
  | { t: "list"; id: number; connection: ConnectionId }
  | { t: "read"; id: number; connection: ConnectionId; uri: string }
  | { t: "cancel"; id: number }
  /** A connection has ended. */
  | { t: "ended"; connection: ConnectionId }
  | { t: "warning"; message: string }
  /** Nothing is served any more; `error` says why if that is a failure. */
  | { t: "closed"; error: ErrorInfo | null };
