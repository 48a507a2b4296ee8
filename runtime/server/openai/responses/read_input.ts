import type { z } from "zod";

import type { ResponseRequest } from "../../api/response_schemas.ts";
import { type Message, readMessages, type ToldConversation } from "../read_messages.ts";

/** The body of a request for a response. */
export type ResponseBody = z.infer<typeof ResponseRequest>;

type Item = Exclude<ResponseBody["input"], string>[number];

/**
 * Reads the conversation of a request for a response.
 *
 * @throws {ToolError} `invalid_input` if nobody asks for anything
 */
export function readResponseInput(
  { input, instructions }: Pick<ResponseBody, "input" | "instructions">,
): ToldConversation {
  const first: Message[] = instructions ? [{ role: "developer", content: instructions }] : [];
  const rest: Message[] = typeof input === "string"
    ? [{ role: "user", content: input }]
    : input.map(toMessage);
  return readMessages([...first, ...rest]);
}

function toMessage(item: Item): Message {
  const { role, content } = item;
  // Calls of the client's own tools, and what came of them.
  if (role === undefined) return { role: "tool", content: JSON.stringify(item) };
  if (content === undefined || typeof content === "string") return { role, content: content ?? "" };
  return {
    role,
    content: content.map(({ type, text = "", image_url: url }) =>
      type === "input_image"
        ? { type: "image_url" as const, image_url: url ?? "" }
        : { type: "text" as const, text }
    ),
  };
}
