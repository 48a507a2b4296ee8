import { z } from "zod";

import { dataUrlProblem } from "./chat_schemas.ts";

const Part = z.looseObject({
  type: z.enum(["input_text", "output_text", "text", "refusal", "input_image"], {
    error: "A part of content must be of type 'input_text' or 'input_image'.",
  }),
  text: z.string().optional(),
  image_url: z.string().nullish(),
}).superRefine(({ type, image_url: url }, context) => {
  const message = type === "input_image" ? dataUrlProblem(url ?? "") : null;
  if (message !== null) context.addIssue({ code: "custom", message, path: ["image_url"] });
});

/** An item of a conversation: a message, or what became of a call of the client's own tools. */
export const InputItem = z.looseObject({
  type: z.string().optional(),
  role: z.enum(["system", "developer", "user", "assistant"]).optional(),
  content: z.union([z.string(), z.array(Part)]).optional(),
});

/** A request of OpenAI's API for a response; fields that are not named here are taken and left aside. */
export const ResponseRequest = z.looseObject({
  model: z.string().nullish().describe(
    "Name of an agent; with `:chat` behind it, no tools; or the id of an agent that goes on. Default: the server's agent.",
  ),
  input: z.union([z.string().min(1), z.array(InputItem).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish().describe("Default: false."),
  previous_response_id: z.string().nullish().describe("The run of this response goes on with the input."),
  text: z.looseObject({
    format: z.looseObject({
      type: z.enum(["text", "json_object", "json_schema"]),
      schema: z.record(z.string(), z.unknown()).optional(),
    }).nullish(),
  }).nullish(),
  user: z.string().nullish().describe(
    "Whose turn it is, if runs wait; the header X-Client-ID stands above it.",
  ),
  "workspace-root": z.string().nullish().describe(
    "Absolute path of a folder that is served, or lies in one.",
  ),
  "llm-extra-body": z.record(z.string(), z.unknown()).nullish()
    .describe("Fields of every request to the model besides the usual ones."),
});
