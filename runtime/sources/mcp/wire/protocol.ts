import type { ErrorInfo } from "../../../../schemas/error.ts";
import type { Progress } from "../../../../schemas/context.ts";
import type { KeptLogin, RemoteWay } from "./remote_way.ts";

/** How the worker reaches its server. */
export type ClientWay =
  /** Over messages that main passes on. */
  | { kind: "wire" }
  /** Over requests that the gate passes on; its port comes with the message. */
  | RemoteWay;

/** What the worker that speaks with one server is told first. */
export interface ClientSettings {
  name: string;
  version: string;
  way: ClientWay;
  /** What the server may ask for: the model of the run, and the person. */
  offers: { sampling: boolean; elicitation: boolean };
}

/** What a server said of itself. */
export interface ServerFacts {
  /** Revision of the protocol that is spoken, such as `2025-11-25`. */
  protocol: string;
  name: string;
  version: string;
  instructions: string;
  /** What it can be asked for. */
  has: { tools: boolean; resources: boolean; prompts: boolean };
}

/** What a server can be asked for. */
export type ServerAsk =
  | { method: "ping" }
  | { method: "tools/list" }
  | { method: "resources/list" }
  | { method: "resources/templates/list" }
  | { method: "prompts/list" }
  | { method: "tools/call"; name: string; input: Readonly<Record<string, unknown>> }
  | { method: "resources/read"; uri: string }
  | { method: "prompts/get"; name: string; input: Readonly<Record<string, string>> };

/** A list that has come from a server, page by page. */
export interface ListAnswer {
  items: unknown[];
  /** There is more than was taken. */
  isCut: boolean;
}

/** What a server asks the user for, in the form of the protocol. */
export interface ServerQuestion {
  kind: "roots" | "sampling" | "elicitation";
  params: unknown;
}

/** Lists of a server that may change. */
export type ChangedList = "tools" | "resources" | "prompts";

/** What main tells the worker, asks it for, or answers. */
export type ToClient =
  | { t: "open"; settings: ClientSettings }
  /** A message of the server. */
  | { t: "message"; bytes: Uint8Array<ArrayBuffer> }
  /** There will be no more messages. */
  | { t: "ended" }
  | { t: "ask"; id: number; ask: ServerAsk; wantsProgress: boolean }
  | { t: "cancel"; id: number }
  /** The answer to a question of the server, in the form of the protocol. */
  | { t: "told"; id: number; answer: Readonly<Record<string, unknown>> }
  | { t: "refused"; id: number; message: string }
  /** The folders that the client works in are others. */
  | { t: "roots" }
  /** The user's browser came back from a login, with this query; `null` if it did not. */
  | { t: "returned"; query: string | null; why: string }
  /** The login is held; what is kept of it now, `null` if nothing can be. */
  | { t: "held"; kept: KeptLogin | null }
  | { t: "close" };

/** What the worker tells main, asks it for, or answers. */
export type FromClient =
  | { t: "opened"; server: ServerFacts }
  | { t: "unopened"; error: ErrorInfo }
  /** A message for the server. */
  | { t: "send"; message: string }
  /** So many bytes of the server's messages were taken in. */
  | { t: "taken"; bytes: number }
  | { t: "answer"; id: number; answer: unknown }
  | { t: "failed"; id: number; error: ErrorInfo }
  | { t: "progress"; id: number; progress: Progress }
  | { t: "question"; id: number; question: ServerQuestion }
  /** The server does not wait for the answer any more. */
  | { t: "withdrawn"; id: number }
  | { t: "changed"; list: ChangedList }
  /** What is to be kept of the login. */
  | { t: "keep"; kept: KeptLogin }
  /** The login is to be held against other runs, and given back. */
  | { t: "hold" }
  | { t: "free" }
  /** The user's browser is to go there. */
  | { t: "authorize"; url: string }
  /** The connection does not hold any longer. */
  | { t: "lost"; why: string }
  | { t: "closed" };
