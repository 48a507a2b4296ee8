import type OpenAI from "openai";

import type { Message } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ModelReply, ModelRequest } from "../../schemas/agent/model.ts";
import { isObject } from "../../schemas/json/shape.ts";
import { didYouMean, nearest } from "../../schemas/nearest.ts";
import { type ChatClient, clientOf, type WatchedInit } from "./chat_client.ts";
import { askForModels } from "./ask_for_models.ts";
import { type Body, makeBody } from "./make_body.ts";
import { ReplyAssembler } from "./assemble_reply.ts";
import type { ModelSettings } from "./protocol.ts";
import {
  brokenReply,
  connectionError,
  givenUpReply,
  isUnknownModel,
  modelRefusal,
  noReplyError,
  streamError,
} from "./model_error.ts";
import { tellLeftOut } from "./quirks/leave_out.ts";
import { learn, type Lesson, limitOf, type Quirks } from "./quirks/learn.ts";
import { learnedNow, readLearned } from "./quirks/learned.ts";
import { ResponseEvents } from "./responses/response_events.ts";
import { toResponses, withoutItems } from "./responses/to_responses.ts";
import { Route, saysNoPath } from "./route.ts";
import { WatchedFetch } from "./watched_fetch.ts";
import type { WireMessage } from "./wire.ts";

/** What {@linkcode complete} needs. */
export interface CompleteContext {
  settings: ModelSettings;
  /** {@linkcode complete} adds what it learns, as to the address and the name in the settings. */
  quirks: Quirks;
  library: ChatClient;
  /** Messages in the provider's form, kept from earlier requests: each round sends most of them again. */
  wired: WeakMap<Message, WireMessage>;
  signal: AbortSignal;
  onText(delta: string): void;
  /** Takes back the text of the reply so far: it was thought. */
  onRestart(): void;
  /** Tells the user of a way that was found. */
  warn(message: string): void;
}

/** Longest time to find out which models a server offers, once it has refused one, in milliseconds. */
const OFFER_MS = 5_000;
/** How many of them an error names. */
const SHOWN_OFFERS = 5;
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

/** Asks until the server takes the request: each refusal may teach one thing, and nothing is learned twice. */
async function askAdapting(
  request: ModelRequest,
  context: CompleteContext,
  abort: AbortController,
): Promise<ModelReply> {
  const { settings, quirks } = context;
  Object.assign(quirks, readLearned(request.learned));
  const before = JSON.stringify(learnedNow(quirks));
  const lessons = new Set<Lesson>();
  const route = new Route(settings);
  const onText = (text: string) => {
    route.tellOnce(context);
    context.onText(text);
  };
  for (;;) {
    // A reply that is not streamed comes after a long silence.
    const idleTimeoutMs = quirks.noStream ? settings.requestTimeoutMs : settings.idleTimeoutMs;
    const watch = new WatchedFetch({ abort, idleTimeoutMs, model: settings.name });
    const body = makeBody(request, context);
    try {
      const reply = await ask(body, { ...context, onText }, watch);
      route.tellOnce(context);
      const now = learnedNow(quirks);
      return {
        ...reply,
        ...(quirks.noTools && request.tools.length > 0 && { told_tools: true }),
        ...(JSON.stringify(now) !== before && { learned: now }),
      };
    } catch (error) {
      const { refusal } = watch;
      const { aborted, reason } = abort.signal;
      if (context.signal.aborted || !refusal) throw aborted ? reason : error;
      const sent = body as unknown as Record<string, unknown>;
      const learned = aborted ? null : learn(quirks, { ...refusal, sent, lessons });
      const told = learned && tellLeftOut(learned, settings.name);
      if (told) context.warn(told);
      if (learned || (!aborted && route.turn(refusal))) continue;
      const limit = lessons.has("limit") ? limitOf(sent) : null;
      const hint = isUnknownModel(refusal, settings) ? await offerOf(context) : route.hint;
      throw modelRefusal(refusal, settings, { limit, hint });
    } finally {
      watch.close();
    }
  }
}

/** The models of a server whose names are near the one that it does not know, else some of them. */
async function offerOf({ settings, signal }: CompleteContext): Promise<string> {
  const { name, alias: { prefix } } = settings;
  try {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(OFFER_MS)]);
    const offered = (await askForModels(settings, ends)).map(({ id }) => id).filter((id) => id !== name);
    const near = nearest(name, offered);
    if (near.length > 0) return didYouMean(near.map((id) => `${prefix}${id}`));
    const shown = offered.slice(0, SHOWN_OFFERS).map((id) => `${prefix}${id}`).join(", ");
    const more = offered.length - SHOWN_OFFERS;
    return shown === "" ? "" : `; it offers ${shown}${more > 0 ? ` and ${more} more` : ""}`;
  } catch {
    // The refusal says enough.
    return "";
  }
}

async function ask(
  body: Body,
  context: CompleteContext,
  watch: WatchedFetch,
): Promise<ModelReply> {
  const { settings, quirks, library } = context;
  const asked = send(body, clientOf(library, settings), { quirks, watch });
  const toChunk = chunksBy(quirks);
  try {
    const { data, response } = body.stream
      ? await asked.withResponse()
      : { data: null, response: await asked.asResponse() };
    const type = response.headers.get("content-type");
    if (type === "text/html") throw noReplyError("a web page", settings);
    if (data === null || type === "application/json") {
      const text = await response.text();
      if (saysNoPath(text)) watch.refusal = { status: 404, headers: response.headers, body: text };
      return readWhole(text, { context, toChunk });
    }
    return await readStream(data as AsyncIterable<unknown>, { watch, context, toChunk });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const isSaid = error instanceof library.APIError && error.error !== undefined;
    throw isSaid
      ? streamError(error.error, settings)
      : await connectionError(error, settings, { begun: watch.answered });
  }
}

/** Sends a request by the API that the model wants. */
function send(
  body: Body,
  { chat, responses }: OpenAI,
  { quirks: { responses: isOther, noReasoning }, watch }: { quirks: Quirks; watch: WatchedFetch },
) {
  const fetchOptions: Record<never, never> = { watch } satisfies Partial<WatchedInit>;
  const options = { fetchOptions };
  if (!isOther) return chat.completions.create({ ...body, messages: withoutItems(body.messages) }, options);
  const fields = body as unknown as Record<string, unknown>;
  const made: Record<string, unknown> = toResponses(fields, { reasoning: !noReasoning });
  return responses.create(made as OpenAI.Responses.ResponseCreateParams, options);
}

/** Returns what makes chunks of chat completions of what this API sends. */
function chunksBy(quirks: Quirks): (sent: unknown) => unknown {
  if (!quirks.responses) return (chunk) => chunk;
  const events = new ResponseEvents();
  return (event) => events.toChunk(event);
}

interface Reading {
  context: CompleteContext;
  /** Makes a chunk of chat completions of what this API sends. */
  toChunk(sent: unknown): unknown;
}

/** Tells the text that a chunk brought, and takes back what was none. */
function tell(reply: ReplyAssembler, text: string, { onText, onRestart }: CompleteContext): void {
  if (reply.takesBack()) onRestart();
  if (text !== "") onText(text);
}

/** Learns from a reply whether thoughts begin without a mark. */
function finish(reply: ReplyAssembler, context: CompleteContext): ModelReply {
  tell(reply, reply.end(), context);
  const whole = reply.reply();
  if (reply.leftOutMark) context.quirks.noThoughtMark = true;
  else if (whole.content !== "") delete context.quirks.noThoughtMark;
  return whole;
}

async function readStream(
  chunks: AsyncIterable<unknown>,
  { watch, context, toChunk }: Reading & { watch: WatchedFetch },
): Promise<ModelReply> {
  const { settings } = context;
  const reply = new ReplyAssembler(context.quirks);
  try {
    for await (const chunk of chunks) {
      tell(reply, reply.add(toChunk(chunk)), context);
      if (reply.failure !== null) throw givenUpReply(reply.failure, settings);
      if (reply.finished) watch.expectEnd();
    }
  } catch (error) {
    // A failure after the end of the reply does not matter.
    if (!reply.finished) throw error;
  }
  if (!reply.finished && !watch.sawEnd) throw brokenReply("it has no end", settings);
  return finish(reply, context);
}

/** Reads an answer that came as one text: a reply of a server that does not stream, or a chunk in each line. */
function readWhole(text: string, { context, toChunk }: Reading): ModelReply {
  const { settings } = context;
  const whole = parse(text);
  const chunks = whole === undefined ? chunksOf(text) : [whole];
  if (chunks === null) throw brokenReply("it is cut off", settings);
  const reply = new ReplyAssembler(context.quirks);
  for (const sent of chunks) {
    if (isObject(sent) && sent.error) throw streamError(sent.error, settings);
    const chunk = toChunk(sent);
    if (!isObject(chunk) || !Array.isArray(chunk.choices)) {
      throw noReplyError("JSON that is not a chat completion", settings);
    }
    tell(reply, reply.add(chunk), context);
    if (reply.failure !== null) throw givenUpReply(reply.failure, settings);
  }
  if (whole === undefined && !reply.finished) throw brokenReply("it has no end", settings);
  return finish(reply, context);
}

/** The chunks of a stream without its events' marks, or with them where no stream was asked for. */
function chunksOf(text: string): unknown[] | null {
  const lines = text.split("\n").map((line) => line.replace(/^data:/, "").trim());
  const chunks = lines.filter((line) => line !== "" && line !== "[DONE]" && !line.startsWith(":")).map(parse);
  return chunks.length === 0 || chunks[0] === undefined
    ? null
    : chunks.filter((chunk) => chunk !== undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
