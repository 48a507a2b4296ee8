import type { AgentUsage } from "../../../schemas/agent/agent.ts";

/** What stays the same in all that is told of one answer. */
export interface ChunkHead {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
}

/** How an answer ended, in OpenAI's words. */
export type FinishReason = "stop" | "length" | "tool_calls";

/** Part of a message in a chunk. */
export type Delta = Readonly<Record<string, unknown>>;

/** Returns a server-sent event with an object. */
export function sse(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** Ends every stream that went well. */
export const DONE = "data: [DONE]\n\n";

/** Returns a chunk of a stream. */
export function chunk(head: ChunkHead, delta: Delta, finish_reason: FinishReason | null = null): string {
  return sse({
    ...stem(head, "chat.completion.chunk"),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
}

/** Returns the chunk that tells the usage. */
export function usageChunk(head: ChunkHead, usage: Usage): string {
  return sse({ ...stem(head, "chat.completion.chunk"), choices: [], usage });
}

/** Returns an answer as a whole. */
export function completion(
  head: ChunkHead,
  { said, finish_reason, usage }: { said: Delta; finish_reason: FinishReason; usage: Usage },
): Record<string, unknown> {
  const message = { role: "assistant", ...said, refusal: null };
  return {
    ...stem(head, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage,
  };
}

/** Returns a call of the client's own tool, as a part of a message. */
export function callPart(id: string, name: string, json: string): Readonly<Record<string, unknown>> {
  return { id: `call_${id}`, type: "function", function: { name, arguments: json } };
}

/** Tokens, in OpenAI's words. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number };
}

/** Turns the usage of a run into OpenAI's words; what is not known is 0. */
export function usageOf(usage: object | null): Usage {
  const { input_tokens = 0, output_tokens = 0, cached_tokens = 0 } = (usage ?? {}) as Partial<AgentUsage>;
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens },
  };
}

function stem({ id, created, model }: ChunkHead, object: string): Record<string, unknown> {
  return { id, object, created, model, system_fingerprint: null };
}
