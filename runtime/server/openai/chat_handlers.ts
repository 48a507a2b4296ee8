import type { z } from "zod";

import type { ChatRequest } from "../api/chat_schemas.ts";
import type { Answer, Handlers, Request } from "../answer.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import type { RunRequest, Runs } from "../runs/runs.ts";
import { plantedLine, toAgentId } from "./agent_id.ts";
import { ChatStream } from "./chat_stream.ts";
import { type MeantModel, meantModel, modelIds, type ServerOffer } from "./meant_model.ts";
import { type ChunkHead, completion, usageOf } from "./chunk.ts";
import { type Begun, continueRun, waitingRun } from "./continue_run.ts";
import { readMessages, type ToldConversation } from "./read_messages.ts";
import { type Ending, endingOf } from "./run_ending.ts";
import type { StreamStyle } from "./show_steps.ts";
import { watchRun } from "./watch_run.ts";

/** The body of a request for a chat completion. */
export type ChatBody = z.infer<typeof ChatRequest>;

/** What is kept of a request besides its run. */
export interface RequestTrace {
  /** The folder that was made for the run; absent if it works elsewhere. */
  workspace?: string;
  /** Tells which run it became. */
  begun(id: string): void;
}

/** What answers the requests of clients of OpenAI's API. */
export interface ChatParts {
  runs: Runs;
  /** What clients may choose from now. */
  offer(signal: AbortSignal): Promise<ServerOffer>;
  /** How streams show what the agent does, unless the request says. */
  style: StreamStyle;
  /** Keeps a trace of each request. @default nothing is kept */
  trace?: ((body: ChatBody, wish: MeantModel) => RequestTrace) | undefined;
}

/** A failed run must not be started again by itself: clients ask again after most failures. */
const NO_RETRY = { "x-should-retry": "false" };
/** When the agents came to be: nothing depends on it. */
const CREATED = 1_234_567_890;

/** Makes what answers `/v1/models` and `/v1/chat/completions`. */
export function chatHandlers(parts: ChatParts): Handlers {
  return {
    listModels: async ({ signal }) => ({
      json: { object: "list", data: modelIds(await parts.offer(signal)).map(modelOf) },
    }),
    getModel: async ({ params, signal }) => {
      const wish = meantModel(params.id, await parts.offer(signal));
      if (wish.kind === "run") await parts.runs.get(wish.id);
      return { json: modelOf(params.id!) };
    },
    createChatCompletion: (request: Request<unknown, ChatBody>) => complete(parts, request),
  };
}

function modelOf(id: string): Record<string, unknown> {
  return { id, object: "model", created: CREATED, owned_by: "bulkhead" };
}

async function complete(parts: ChatParts, request: Request<unknown, ChatBody>): Promise<Answer> {
  const { runs } = parts;
  const { body, signal } = request;
  const wish = meantModel(body.model, await parts.offer(signal));
  const conversation = readMessages(body.messages);
  const begun = await begin(parts, request, wish, conversation);
  const isBare = wish.kind === "agent" && wish.isBare;
  const agentId = toAgentId(begun.id);
  const head: ChunkHead = {
    id: `chatcmpl-${begun.id}-${begun.after}`,
    created: Math.floor(Date.now() / 1000),
    model: isBare ? wish.name : agentId,
  };
  const headers = { "x-agent-id": agentId, "x-agent-model": wish.kind === "agent" ? wish.name : agentId };
  const mustBeJson = schemaOf(body) !== undefined;
  // A title is nobody's run.
  const done = isBare ? () => runs.settled(begun.id).then(() => runs.remove(begun.id)) : null;
  if (body.stream !== true) {
    const answer = await whole(runs, begun.id, { head, mustBeJson, signal });
    done?.().catch(() => {});
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }
  const stream = new ChatStream({
    ...{ head, mustBeJson, style: body["stream-style"] ?? parts.style },
    planted: isBare ? "" : plantedLine(begun.id),
    withUsage: body.stream_options?.include_usage === true,
  });
  const { failure, pieces } = await watchRun({ runs, ...begun, stream, mustBeJson, signal });
  if (failure !== null) {
    done?.().catch(() => {});
    return failed(failure, headers);
  }
  return { headers, stream: { pieces: thenDo(pieces, done), type: "text/event-stream" } };
}

/** Starts a run, or goes on with one. */
async function begin(
  { runs, trace }: ChatParts,
  { body, headers, client: address, signal }: Request<unknown, ChatBody>,
  wish: MeantModel,
  { prompt, before, images, run }: ToldConversation,
): Promise<Begun> {
  const client = headers["x-client-id"] ?? body.user ?? address;
  if (wish.kind === "run") {
    return await continueRun(runs, await runs.get(wish.id), { prompt, images, client });
  }
  const waiting = wish.isBare ? null : await waitingRun(runs, run);
  if (waiting !== null) return await continueRun(runs, waiting, { prompt, images, client });
  const kept = trace?.(body, wish);
  const workspace = body["workspace-root"] || kept?.workspace;
  const schema = schemaOf(body);
  const extraBody = body["llm-extra-body"];
  const request: RunRequest = {
    ...{ prompt, client, ask: false, gone: signal },
    ...wish.agent !== undefined && { agent: wish.agent },
    ...wish.model !== undefined && { model: wish.model },
    ...wish.isBare && { grants: { tools: [] } },
    ...before !== "" && { before },
    ...images.length > 0 && { images },
    ...workspace && { workspace },
    ...schema && { output_schema: schema },
    ...extraBody && { extraBody },
  };
  const { id } = await runs.start(request);
  kept?.begun(id);
  return { id, after: 0 };
}

/** Options of {@linkcode whole}. */
interface WholeOptions {
  head: ChunkHead;
  mustBeJson: boolean;
  signal: AbortSignal;
}

async function whole(runs: Runs, id: string, { head, mustBeJson, signal }: WholeOptions): Promise<Answer> {
  const detail = await orAborted(runs.settled(id), signal);
  // Nobody reads it.
  if (detail === null) return {};
  const ending = endingOf(detail, mustBeJson);
  if (ending.kind === "failure") return failed(ending, {});
  // A client that remembers by itself answers a question by the run's id.
  const planted = detail.state === "waiting" ? plantedLine(id) : "";
  const { content, finish } = ending;
  return {
    json: completion(head, {
      content: planted + content,
      finish_reason: finish,
      usage: usageOf(detail.usage),
    }),
  };
}

function failed(
  { status, body }: Extract<Ending, { kind: "failure" }>,
  headers: Readonly<Record<string, string>>,
): Answer {
  return { status, headers: { ...headers, ...NO_RETRY }, json: body };
}

function schemaOf({ response_format: format }: ChatBody): Record<string, unknown> | undefined {
  if (format?.type === "json_schema") return format.json_schema.schema;
  return format?.type === "json_object" ? { type: "object" } : undefined;
}

async function* thenDo(
  pieces: AsyncIterable<string>,
  done: (() => Promise<unknown>) | null,
): AsyncGenerator<string> {
  try {
    yield* pieces;
  } finally {
    // The client does not wait for it.
    done?.().catch(() => {});
  }
}
