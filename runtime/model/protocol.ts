import type { ErrorInfo } from "../../schemas/error.ts";
import type { ModelReply, ModelRequest, OfferedModel } from "../../schemas/agent/model.ts";
import type { ListForm } from "./providers/presets.ts";
import type { Quirks } from "./quirks/learn.ts";

/** How the user's name of a model differs from the server's. */
export interface ModelAlias {
  /** What stands before the server's names. */
  prefix: string;
  /** Another name that the server may know the model by. */
  other: string | null;
}

/** Where a model is and how it is asked. */
export interface ModelSettings {
  /** The name that the server uses. */
  name: string;
  alias: ModelAlias;
  /** With its path, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** `""` if the model needs no key. */
  apiKey: string;
  /** Besides the usual ones, or in their place; their values count as secrets. */
  headers: Readonly<Record<string, string>>;
  /** How the server is asked for its list of models. @default as for all else */
  list?: ListForm;
  /** Longest time of a request with its reply, in milliseconds. */
  requestTimeoutMs: number;
  /** Longest silence within a reply, in milliseconds. */
  idleTimeoutMs: number;
  /** Fields of every request besides the usual ones, or in their place. */
  extraBody: Readonly<Record<string, unknown>>;
  /** What is known of its server from the start. */
  quirks: Readonly<Quirks>;
}

/** What main says to the worker of a model. */
export type ToModel =
  | { t: "open"; settings: ModelSettings }
  /** `request` leaves out its first `kept` messages: they are the same as in the request before. */
  | { t: "ask"; id: number; request: ModelRequest; kept: number }
  | { t: "list"; id: number }
  | { t: "cancel"; id: number };

/** What the worker of a model says. */
export type FromModel =
  | { t: "ready" }
  | { t: "text"; id: number; delta: string }
  | { t: "restart"; id: number }
  | { t: "warning"; id: number; message: string }
  | { t: "reply"; id: number; reply: ModelReply }
  | { t: "models"; id: number; models: readonly OfferedModel[] }
  | { t: "failed"; id: number; error: ErrorInfo };
