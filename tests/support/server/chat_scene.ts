import OpenAI from "openai";

import { chatHandlers, type ChatParts } from "../../../runtime/server/openai/chat_handlers.ts";
import type { ServerOffer } from "../../../runtime/server/openai/meant_model.ts";
import { responseHandlers } from "../../../runtime/server/openai/responses/response_handlers.ts";
import { serveHandlers, TOKEN } from "./serve_handlers.ts";
import type { PlayedRuns } from "./played_runs.ts";

export const OFFER: ServerOffer = {
  agent: "default",
  agents: ["default", "researcher"].map((name) => ({ name, description: "", kind: "tools", model: null })),
  ...{ model: null, model_problem: null, keys: [] },
  models: ["vendor/small"],
  max_runs: 4,
  tools: [{ name: "Look", full_name: "own/Look", description: "Looks." }],
};

/** Serves runs to a client of OpenAI's own library. */
export async function chatScene(runs: PlayedRuns, parts: Partial<ChatParts> = {}) {
  const offer = () => Promise.resolve(OFFER);
  const all: ChatParts = { runs, offer, style: "reasoning", ...parts };
  const server = await serveHandlers({ ...chatHandlers(all), ...responseHandlers(all) });
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: TOKEN, maxRetries: 0 });
  const { completions } = client.chat;
  return { client, completions, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
