import type { Usage } from "../chunk.ts";
import type { ErrorBody } from "../error_body.ts";
import type { Ending } from "../run_ending.ts";
import type { ResponseBody } from "./read_input.ts";

/** What stays the same in all that is told of one response. */
export interface ResponseHead {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
  body: Pick<ResponseBody, "instructions" | "previous_response_id" | "text">;
}

/** Returns a response before its end. */
export function openResponse(head: ResponseHead): Record<string, unknown> {
  const { id, created, model, body: { instructions, previous_response_id, text } } = head;
  return {
    ...{ id, object: "response", created_at: created, status: "in_progress", background: false },
    ...{ error: null, incomplete_details: null, instructions: instructions ?? null, max_output_tokens: null },
    ...{ model, output: [], parallel_tool_calls: true, previous_response_id: previous_response_id ?? null },
    ...{ reasoning: { effort: null, summary: null }, store: true, temperature: null, top_p: null },
    ...{ text: { format: text?.format ?? { type: "text" } }, tool_choice: "auto", tools: [] },
    ...{ truncation: "disabled", usage: null, metadata: {} },
  };
}

/** Returns a response with its answer. */
export function closedResponse(
  head: ResponseHead,
  { content, finish }: Pick<Extract<Ending, { kind: "answer" }>, "content" | "finish">,
  usage: Usage,
): Record<string, unknown> {
  const isCut = finish === "length";
  return {
    ...openResponse(head),
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: [messageItem(head, content, isCut ? "incomplete" : "completed")],
    usage: {
      input_tokens: usage.prompt_tokens,
      input_tokens_details: usage.prompt_tokens_details,
      output_tokens: usage.completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.total_tokens,
    },
  };
}

/** Returns a response whose run failed. */
export function failedResponse(
  head: ResponseHead,
  { error: { code, message } }: ErrorBody,
): Record<string, unknown> {
  return { ...openResponse(head), status: "failed", error: { code, message } };
}

/** Returns the message that is the answer; `null` before it has a text. */
export function messageItem(
  { id }: Pick<ResponseHead, "id">,
  text: string | null,
  status: "in_progress" | "completed" | "incomplete",
): Record<string, unknown> {
  const content = text === null ? [] : [textPart(text)];
  return { id: itemId(id), type: "message", status, role: "assistant", content };
}

/** Returns the part of the message that is its text. */
export function textPart(text: string): Record<string, unknown> {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** Returns the id of the message of a response. */
export function itemId(responseId: string): string {
  return responseId.replace(/^resp_/, "msg_");
}
