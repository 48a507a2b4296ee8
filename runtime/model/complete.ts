import { LONGEST_MS } from "../wait/longest.ts";
import type OpenAI from "openai";

import type { Message } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ModelReply, ModelRequest } from "../../schemas/agent/model.ts";
import { isObject } from "../../schemas/json/shape.ts";
import { ReplyAssembler } from "./assemble_reply.ts";
import type { ModelSettings } from "./protocol.ts";
import { connectionError, modelRefusal, noReplyError, streamError } from "./model_error.ts";
import { type FetchRefusal, WatchedFetch } from "./watched_fetch.ts";
import { toWireMessage, type WireMessage } from "./wire.ts";

/** The library that speaks with providers. */
export type ChatClient = typeof import("openai");

/** The fields that a server does not accept. The model learns them from refusals, for its whole life. */
export interface Quirks {
  noUsage?: boolean;
  newTokenLimit?: boolean;
  noExtra?: boolean;
}

/** What {@linkcode complete} needs. */
export interface CompleteContext {
  settings: ModelSettings;
  /** {@linkcode complete} adds what it learns. */
  quirks: Quirks;
  library: ChatClient;
  /** Messages in the provider's form, kept from earlier requests: each round sends most of them again. */
  wired: WeakMap<Message, WireMessage>;
  signal: AbortSignal;
  onText(delta: string): void;
}

const SECONDS = 1_000;

/** Asks a model once. If a server refuses a field that is not necessary, asks again without it. */
export async function complete(request: ModelRequest, context: CompleteContext): Promise<ModelReply> {
  const { settings, signal } = context;
  const abort = new AbortController();
  const onAbort = () => abort.abort(signal.reason);
  const timer = setTimeout(() => {
    const seconds = settings.requestTimeoutMs / SECONDS;
    abort.abort(new ToolError("timeout", `The model did not finish its reply within ${seconds} s`));
  }, settings.requestTimeoutMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await askAdapting(request, context, abort);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    // Closes the rest of the connection.
    abort.abort();
  }
}

async function askAdapting(
  request: ModelRequest,
  context: CompleteContext,
  abort: AbortController,
): Promise<ModelReply> {
  for (;;) {
    const watch = new WatchedFetch({ abort, idleTimeoutMs: context.settings.idleTimeoutMs });
    try {
      return await ask(request, context, watch);
    } catch (error) {
      const { refusal } = watch;
      const { aborted, reason } = abort.signal;
      if (context.signal.aborted || !refusal) throw aborted ? reason : error;
      if (aborted || !learn(context.quirks, refusal, request)) throw modelRefusal(refusal, context.settings);
    } finally {
      watch.close();
    }
  }
}

async function ask(
  request: ModelRequest,
  { settings, quirks, library, wired, onText }: CompleteContext,
  watch: WatchedFetch,
): Promise<ModelReply> {
  const client = makeClient(library, settings, watch);
  const body = makeBody(request, settings, { quirks, wired });
  try {
    const { data, response } = await client.chat.completions.create(body).withResponse();
    const type = response.headers.get("content-type");
    if (type === "text/html") throw noReplyError("a web page", settings);
    if (type === "application/json") return readWhole(await response.text(), settings, onText);
    return await readStream(data, { watch, settings, onText });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const isSaid = error instanceof library.APIError && error.error !== undefined;
    throw isSaid
      ? streamError(error.error, settings)
      : connectionError(error, settings, { begun: watch.answered });
  }
}

function makeClient(library: ChatClient, settings: ModelSettings, watch: WatchedFetch): OpenAI {
  const { apiKey, baseUrl: baseURL, headers } = settings;
  return new library.OpenAI({
    baseURL,
    apiKey: apiKey || "none",
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: LONGEST_MS,
    logLevel: "off",
    fetch: (input, init) => watch.fetch(input, init),
    defaultHeaders: { ...(apiKey === "" && { Authorization: null }), ...headers },
  });
}

type Body = OpenAI.ChatCompletionCreateParamsStreaming;

function makeBody(
  request: ModelRequest,
  settings: ModelSettings,
  { quirks, wired }: Pick<CompleteContext, "quirks" | "wired">,
): Body {
  const { messages, tools, maxOutputTokens } = request;
  const limit = quirks.newTokenLimit ? "max_completion_tokens" : "max_tokens";
  const extra = quirks.noExtra ? "drop" : "send";
  const hasLimit = ["max_tokens", "max_completion_tokens"].some((name) => name in settings.extraBody);
  return {
    ...(!hasLimit && { [limit]: maxOutputTokens }),
    ...(!quirks.noUsage && { stream_options: { include_usage: true } }),
    ...settings.extraBody,
    model: settings.name,
    // The library's types are narrower than what its servers take.
    messages: messages.map((message) =>
      extra === "drop" ? toWireMessage(message, { extra }) : wireOnce(message, wired)
    ) as Body["messages"],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        function: { name, description, parameters },
      })),
    }),
    stream: true,
  };
}

function wireOnce(message: Message, wired: WeakMap<Message, WireMessage>): WireMessage {
  const known = wired.get(message);
  if (known) return known;
  const made = toWireMessage(message, { extra: "send" });
  wired.set(message, made);
  return made;
}

interface Reading {
  watch: WatchedFetch;
  settings: ModelSettings;
  onText(delta: string): void;
}

async function readStream(
  chunks: AsyncIterable<unknown>,
  { watch, settings, onText }: Reading,
): Promise<ModelReply> {
  const reply = new ReplyAssembler();
  try {
    for await (const chunk of chunks) {
      const text = reply.add(chunk);
      if (text !== "") onText(text);
      if (reply.finished) watch.expectEnd();
    }
  } catch (error) {
    // A failure after the end of the reply does not matter.
    if (!reply.finished) throw error;
  }
  if (!reply.finished && !watch.sawEnd) {
    throw connectionError("it has no end", settings, { begun: true });
  }
  return reply.reply();
}

/** Reads the answer of a server that does not stream. */
function readWhole(text: string, settings: ModelSettings, onText: (delta: string) => void): ModelReply {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw connectionError(error, settings, { begun: true });
  }
  if (isObject(answer) && answer.error) throw streamError(answer.error, settings);
  if (!isObject(answer) || !Array.isArray(answer.choices)) {
    throw noReplyError("JSON that is not a chat completion", settings);
  }
  const reply = new ReplyAssembler();
  const said = reply.add(answer);
  if (said !== "") onText(said);
  return reply.reply();
}

/** Learns from a refusal which field to leave out. Says whether the next try differs. */
function learn(quirks: Quirks, { status, body }: FetchRefusal, request: ModelRequest): boolean {
  if (status !== 400 && status !== 422) return false;
  const names = (name: string) => body.includes(name);
  if (!quirks.noUsage && (names("stream_options") || names("include_usage"))) return quirks.noUsage = true;
  if (!quirks.newTokenLimit && names("max_completion_tokens")) return quirks.newTokenLimit = true;
  const extras = request.messages.flatMap((message) =>
    message.role === "assistant"
      ? Object.keys(message.extra ?? {}).filter((name) => name !== "tool_calls")
      : []
  );
  if (!quirks.noExtra && extras.some(names)) return quirks.noExtra = true;
  return false;
}
