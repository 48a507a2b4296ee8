import { z } from "zod";

import { forcedCall } from "./forced_call.ts";

/** Longest data URL: a picture of 25 MiB as base64, and what stands before it. */
const MAX_DATA_URL = Math.ceil(25 * 1024 * 1024 / 3) * 4 + 64;
const DATA_URL = /^data:image\/(?:png|jpe?g|webp|gif);base64,/i;
const MISSPELT = ["workspace_root", "workspace-dir", "workspace_dir", "workspace"];

const TextPart = z.looseObject({ type: z.enum(["text", "refusal"]), text: z.string().optional() });
const ImagePart = z.looseObject({
  type: z.literal("image_url"),
  image_url: z.union([z.string(), z.looseObject({ url: z.string() })]),
});

/** A part of a message: a text, or a picture. */
export const ChatPart = z.discriminatedUnion("type", [TextPart, ImagePart], {
  error: "A part of content must be of type 'text' or 'image_url'.",
});

/** A message of a conversation, from any of its roles. */
export const ChatMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"], {
    error: ({ input }) => `Unsupported message role: '${input}'.`,
  }),
  content: z.union([z.string(), z.array(ChatPart), z.null()], {
    error: "content must be a text, or a list of parts of type 'text' or 'image_url'.",
  }).optional(),
}, { error: "Each message must be an object." })
  .superRefine(({ content }, context) => {
    for (const part of Array.isArray(content) ? content : []) {
      const message = part.type === "image_url" ? dataUrlProblem(urlOf(part)) : null;
      if (message !== null) context.addIssue({ code: "custom", message, path: ["content"] });
    }
  });

/** The form that an answer must have. */
const ResponseFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }),
  }),
]);

/** A request of OpenAI's API for chat completions; fields that are not named here are taken and left aside. */
export const ChatRequest = z.looseObject({
  model: z.string().nullish().describe(
    "Name of an agent; with `:chat` behind it, no tools; or the id of an agent that goes on. Default: the server's agent.",
  ),
  messages: z.array(ChatMessage, { error: "messages must be a non-empty list." })
    .min(1, "messages must be a non-empty list."),
  stream: z.boolean().nullish().describe("Default: false."),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.int({ error: "n must be an integer." }).refine((n) => n === 1, "Only n=1 is supported.").nullish(),
  response_format: ResponseFormat.nullish(),
  user: z.string().nullish().describe(
    "Whose turn it is, if runs wait; the header X-Client-ID stands above it.",
  ),
  "workspace-root": z.string().nullish().describe(
    "Absolute path of a folder that is served, or lies in one.",
  ),
  "llm-extra-body": z.record(z.string(), z.unknown(), { error: "llm-extra-body must be a JSON object." })
    .nullish().describe("Fields of every request to the model besides the usual ones."),
  "stream-style": z.enum(["reasoning", "openai", "open_webui"]).nullish().describe(
    "How a stream shows what the agent does: as reasoning_content, as deltas of calls and of results, or as <details> " +
      "in the text. Default: the server's.",
  ),
}, { error: "Request body must be a JSON object." })
  .superRefine((body, context) => {
    for (const alias of MISSPELT.filter((name) => name in body)) {
      const message = `Use 'workspace-root' instead of '${alias}', with an absolute path.`;
      context.addIssue({ code: "custom", message, path: [alias] });
    }
    if (forcedCall(body) === "unclear") {
      const message =
        "tool_choice can only ask for one function of tools, whose arguments are the answer then: " +
        "the agent runs the server's tools by itself; leave it out.";
      context.addIssue({ code: "custom", message, path: ["tool_choice"] });
    }
  });

/** The answer to what an agent asked. */
export const Clarification = z.looseObject({
  messages: z.array(ChatMessage).min(1).optional(),
  clarifications: z.string().min(1).optional(),
}).refine(
  ({ messages, clarifications }) => messages !== undefined || clarifications !== undefined,
  "Give messages, or clarifications.",
);

/** Part of {@linkcode ChatMessage} that is a picture. */
function urlOf({ image_url }: z.infer<typeof ImagePart>): string {
  return typeof image_url === "string" ? image_url : image_url.url;
}

/** Says what is wrong with a data URL of a picture; `null` if nothing is. */
export function dataUrlProblem(url: string): string | null {
  if (/^https?:/i.test(url)) {
    return "image_url must be a data URL: the server fetches no picture; send its bytes as data:image/png;base64,…";
  }
  if (!DATA_URL.test(url)) {
    return "image_url must be a base64 data URL of a PNG, JPEG, WebP or GIF picture.";
  }
  return url.length > MAX_DATA_URL ? "A picture may have at most 25 MiB; send a smaller one." : null;
}
