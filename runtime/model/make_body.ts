import type OpenAI from "openai";

import type { Message } from "../../schemas/agent/chat.ts";
import type { FunctionTool, ModelRequest } from "../../schemas/agent/model.ts";
import type { ModelSettings } from "./protocol.ts";
import type { Quirks } from "./quirks/learn.ts";
import { simpleSchema } from "./quirks/simple_schema.ts";
import { withTokenLimit } from "./quirks/reply_limit.ts";
import type { WireMessage } from "./wire.ts";
import { toWireMessages } from "./wire_messages.ts";

/** What a request depends on. */
export interface BodyContext {
  settings: Pick<ModelSettings, "name" | "extraBody">;
  quirks: Quirks;
  /** Messages in the provider's form, kept from earlier requests: each round sends most of them again. */
  wired: WeakMap<Message, WireMessage>;
}

/** A request of chat completions. */
export type Body = OpenAI.ChatCompletionCreateParams;

/** Makes a request as this server takes it. */
export function makeBody(request: ModelRequest, { settings, quirks, wired }: BodyContext): Body {
  const { mustCall, form } = request;
  const tools = takenTools(request.tools, quirks);
  const messages = toWireMessages(request.messages, { quirks, wired, ...request, tools });
  const extra = Object.entries(settings.extraBody).filter(([name]) => !quirks.withoutFields?.includes(name));
  const body = {
    ...(!quirks.noUsage && !quirks.noStream && { stream_options: { include_usage: true } }),
    ...Object.fromEntries(extra),
    model: settings.name,
    // The library's types are narrower than what its servers take.
    messages: messages as Body["messages"],
    ...(tools.length > 0 && !quirks.noTools && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        function: { name, description, parameters },
      })),
    }),
    ...(mustCall && tools.length > 0 && !quirks.noTools && !quirks.noChoice && {
      // With one tool this names it, and some servers refuse a name.
      tool_choice: "required" as const,
    }),
    ...(form && !quirks.noForm && {
      // A strict schema may not have what those of tools have.
      response_format: { type: "json_schema" as const, json_schema: { ...form, strict: false } },
    }),
    stream: !quirks.noStream,
  };
  return withTokenLimit(body, request.maxOutputTokens ?? null, quirks);
}

/** The tools that the server takes, in the form in which it takes them. */
function takenTools(
  tools: readonly FunctionTool[],
  { withoutTools = [], mostTools = Infinity, simpleSchemas = false }: Quirks,
): readonly FunctionTool[] {
  const taken = tools.filter(({ name }) => !withoutTools.includes(name)).slice(0, mostTools);
  if (!simpleSchemas) return taken;
  return taken.map((tool) => ({ ...tool, parameters: simpleSchema(tool.parameters) }));
}
