import type { Message, ToolCall } from "./chat.ts";
import type { JsonSchema } from "../manifest.ts";

/** A tool as the model sees it. */
export interface FunctionTool {
  /** The name that the model calls. */
  name: string;
  /** What the model reads about it. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonSchema;
}

/**
 * What a request is for: a turn of the task, the summary of older turns, another try at the form of the answer, or an MCP
 * server or a tool that asks the model.
 */
export type Purpose = "turn" | "compact" | "repair" | AsidePurpose;
/** Who asks the model beside the conversation, which knows nothing of it. */
export type AsidePurpose = "server" | "tool";

/** Whether a request is made beside the conversation. */
export function isAside(purpose: Purpose): purpose is AsidePurpose {
  return purpose === "server" || purpose === "tool";
}

/** What a whole reply must be: one JSON object of this schema. */
export interface ReplyForm {
  /** Letters, digits, `_` and `-`. */
  name: string;
  /** What the reply must be. */
  schema: JsonSchema;
}

/** One request to a model. */
export interface ModelRequest {
  /** What the reply is for. */
  purpose: Purpose;
  /** The whole conversation so far. */
  messages: readonly Message[];
  /** Empty if the model must answer with text. */
  tools: readonly FunctionTool[];
  /** The reply must call one of the tools. A server that takes no such demand is told it in words. @default false */
  mustCall?: boolean;
  /** What the text of the reply must be. A server that takes no schema is told it in words. @default any text */
  form?: ReplyForm;
  /** The demands and the tools are told in words as well: a server may leave them out and say nothing. @default false */
  inWords?: boolean;
  /** Longest reply, in tokens. @default as long as the server gives */
  maxOutputTokens?: number;
  /** What the session's earlier replies had {@linkcode ModelReply.learned | learned}. @default nothing */
  learned?: Readonly<Record<string, unknown>>;
}

/** Tokens that a request took, as the provider counted. */
export interface Usage {
  /** Tokens of the request. */
  input_tokens: number;
  /** Part of the input that came from the provider's cache. */
  cached_tokens: number;
  /** Tokens of the reply. */
  output_tokens: number;
  /** Dollars, as the provider says; absent if it does not. */
  cost?: number;
}

/** One whole reply of a model. */
export interface ModelReply {
  /** The text; `""` if there is none. */
  content: string;
  /** The calls that it asks for. */
  tool_calls: readonly ToolCall[];
  /** The calls were read from its text. @default the model made them itself */
  from_text?: true;
  /** The tools were told in words, because the server takes none: its calls can only be texts. @default false */
  told_tools?: true;
  /** `length` if the reply was cut off. */
  finish: "stop" | "tool_calls" | "length" | "content_filter" | "other";
  /** `null` if the provider did not say. */
  usage: Usage | null;
  /** See {@linkcode Message}. */
  extra?: Readonly<Record<string, unknown>>;
  /** What its server does not take, as refusals taught: the session keeps it for later requests. @default nothing new */
  learned?: Readonly<Record<string, unknown>>;
  /** What the model said of the work beside its choice of a tool; kept in the trace, and not sent again. */
  reasoning?: Readonly<Record<string, unknown>>;
}

/** Options of {@linkcode Model.complete}. */
export interface CompleteOptions {
  /** Aborts when the reply is no longer wanted. */
  signal: AbortSignal;
  /** Takes the text of the reply as it comes. After a broken stream the text starts again. */
  onText?: (delta: string) => void;
  /** Takes back the text so far: it was not of the answer. */
  onRestart?: () => void;
  /** Takes what the user should know of how the model was asked. */
  onWarning?: (message: string) => void;
}

/** A language model of any kind. */
export interface Model extends AsyncDisposable {
  /** Name for people and for the trace. */
  readonly name: string;
  /**
   * Asks once, without retries.
   *
   * @throws {ToolError} `unauthenticated` for a key that is missing or refused; `rate_limited`, with
   * `details.retry_after_ms` if the provider says so; `external_failure` for failures that may be temporary
   * (5xx, network, a broken stream; `retryable` says whether) and for other refusals (not retryable);
   * `limit_exceeded` with `details.reason: "context"` if the conversation is too long; `timeout`;
   * `cancelled`. `details.status` is the HTTP status, if there was one
   */
  complete(request: ModelRequest, options: CompleteOptions): Promise<ModelReply>;
}

/** A model that a server offers. */
export interface OfferedModel {
  /** The name that the server uses. */
  id: string;
  /** Longest conversation, in tokens; `null` if the server does not say. */
  context_tokens: number | null;
}

/** What is known about a model, from the configuration or by default. */
export interface ModelProfile {
  /** Longest conversation, reply included, in tokens. */
  context_tokens: number;
  /** Longest reply that is asked for, in tokens; `null` for as long as the server gives. */
  output_tokens: number | null;
  /** Whether the model reads pictures. */
  images: boolean;
  /** Its provider makes calls of what the model asks for: a text that looks like one is none. @default not known */
  makes_calls?: boolean;
  /** Dollars for a million tokens; `null` if unknown. */
  prices: { input: number; cached_input: number; output: number } | null;
}

/** The profile of an unknown model. */
export const UNKNOWN_MODEL: ModelProfile = {
  context_tokens: 131_072,
  output_tokens: null,
  images: true,
  prices: null,
};
