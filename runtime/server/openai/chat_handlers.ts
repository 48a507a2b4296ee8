import type { z } from "zod";

import { forcedCall } from "../api/forced_call.ts";
import type { ChatRequest } from "../api/chat_schemas.ts";
import type { HandlerAnswer, Handlers, Request } from "../contract/answer.ts";
import type { Runs } from "../runs/runs.ts";
import { plantedLine, toAgentId } from "./agent_id.ts";
import { answerByRun } from "./answer_run.ts";
import { beginRun, type TraceRequest } from "./begin_run.ts";
import { ChatStream } from "./chat_stream.ts";
import { callPart, type ChunkHead, completion, usageOf } from "./chunk.ts";
import { meantModel, modelIds, type ServerOffer } from "./meant_model.ts";
import { readMessages } from "./read_messages.ts";
import type { StreamStyle } from "./show_steps.ts";

/** The body of a request for a chat completion. */
type ChatBody = z.infer<typeof ChatRequest>;

/** What answers the requests of clients of OpenAI's API. */
export interface ChatParts {
  runs: Runs;
  /** What clients may choose from now. */
  offer(signal: AbortSignal): Promise<ServerOffer>;
  /** How streams show what the agent does, unless the request says. */
  style: StreamStyle;
  /** Keeps a trace of each request. @default nothing is kept */
  trace?: TraceRequest | undefined;
}

/** When the agents came to be: nothing depends on it. */
const CREATED = 1_234_567_890;

/** Makes what answers `/v1/models` and `/v1/chat/completions`. */
export function chatHandlers(parts: ChatParts): Handlers {
  return {
    listModels: async ({ signal }) => ({
      json: { object: "list", data: modelIds(await parts.offer(signal)).map(modelOf) },
    }),
    getModel: async ({ params, signal }) => {
      const meant = meantModel(params.id, await parts.offer(signal));
      if (meant.kind === "run") await parts.runs.get(meant.id);
      return { json: modelOf(params.id!) };
    },
    createChatCompletion: (request: Request<unknown, ChatBody>) => complete(parts, request),
  };
}

function modelOf(id: string): Record<string, unknown> {
  return { id, object: "model", created: CREATED, owned_by: "bulkhead" };
}

async function complete(
  { runs, offer, style, trace }: ChatParts,
  { body, headers, client, signal }: Request<unknown, ChatBody>,
): Promise<HandlerAnswer> {
  const meant = meantModel(body.model, await offer(signal));
  const forced = forcedCall(body);
  const call = forced === "unclear" ? null : forced;
  const schema = call?.schema ?? schemaOf(body);
  const begun = await beginRun(runs, trace, {
    ...{ meant, model: body.model ?? null, conversation: readMessages(body.messages), schema, signal },
    client: headers["x-client-id"] ?? body.user ?? client,
    traceparent: headers.traceparent,
    workspace: body["workspace-root"] || undefined,
    extraBody: body["llm-extra-body"] ?? undefined,
  });
  const isBare = meant.kind === "agent" && meant.isBare;
  const head: ChunkHead = {
    id: `chatcmpl-${begun.id}-${begun.after}`,
    created: Math.floor(Date.now() / 1000),
    model: isBare ? meant.name : toAgentId(begun.id),
  };
  const mustBeJson = schema !== undefined;
  const planted = isBare ? "" : plantedLine(begun.id);
  const withUsage = body.stream_options?.include_usage === true;
  const stream = { head, mustBeJson, call, planted, withUsage, style: body["stream-style"] ?? style };
  return await answerByRun(runs, {
    ...{ begun, meant, mustBeJson, signal },
    stream: body.stream === true ? new ChatStream(stream) : null,
    whole: ({ content, finish, isJson }, { state, usage }) => {
      const told = { usage: usageOf(usage), finish_reason: finish };
      // A client that remembers by itself answers a question by the run's id.
      if (state === "waiting") return completion(head, { ...told, said: { content: planted + content } });
      if (call === null || isJson !== true) return completion(head, { ...told, said: { content } });
      const tool_calls = [callPart(head.id, call.name, content)];
      return completion(head, { ...told, finish_reason: "tool_calls", said: { content: null, tool_calls } });
    },
  });
}

function schemaOf({ response_format: format }: ChatBody): Record<string, unknown> | undefined {
  if (format?.type === "json_schema") return format.json_schema.schema;
  return format?.type === "json_object" ? { type: "object" } : undefined;
}
