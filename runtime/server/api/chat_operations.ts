import { z } from "zod";

import { ChatRequest, Clarification } from "./chat_schemas.ts";
import { CLIENT_HEADER, type Operation } from "./operation.ts";
import { ResponseRequest } from "./response_schemas.ts";

const openai = { tag: "openai", errors: "openai" } as const;
const agents = { tag: "agents", errors: "detail" } as const;
const stream = {
  description: "Server-sent events of chat.completion.chunk.",
  type: "text/event-stream",
  headers: CLIENT_HEADER,
};

const Model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
});
const Agent = z.object({
  agent_id: z.string(),
  task_messages: z.array(z.object({ role: z.string(), content: z.string() })),
  state: z.string(),
  creation_time: z.string(),
});
const AgentDetail = Agent.omit({ creation_time: true }).extend({
  iteration: z.int(),
  searches_used: z.int(),
  clarifications_used: z.int(),
  sources_count: z.int(),
  current_step_reasoning: z.unknown(),
  execution_result: z.string().nullable(),
  error: z.string().nullable(),
});

/** What clients of OpenAI's API, of SGR Agent Core and of ResearchHarness ask for. */
export const CHAT_OPERATIONS: readonly Operation[] = [
  {
    ...{ ...openai, id: "listModels", method: "GET", path: "/v1/models" },
    summary: "Lists the agents as models, and the usual one without tools.",
    answer: {
      description: "The models.",
      json: z.object({ object: z.literal("list"), data: z.array(Model) }),
    },
  },
  {
    ...{ ...openai, id: "getModel", method: "GET", path: "/v1/models/{id}" },
    summary: "Tells of one model.",
    answer: { description: "The model.", json: Model },
  },
  {
    ...{ ...openai, id: "createChatCompletion", method: "POST", path: "/v1/chat/completions" },
    body: ChatRequest,
    summary: "Lets an agent answer a conversation, as a whole or as a stream.",
    answer: {
      description: "The answer; with `stream` server-sent events of chat.completion.chunk.",
      type: "text/event-stream",
      headers: CLIENT_HEADER,
      json: z.looseObject({
        id: z.string(),
        object: z.literal("chat.completion"),
        choices: z.array(z.unknown()),
      }),
    },
  },
  {
    ...{ ...openai, id: "createResponse", method: "POST", path: "/v1/responses" },
    body: ResponseRequest,
    summary: "Lets an agent respond, as a whole or as a stream of named events.",
    answer: {
      description: "The response; with `stream` server-sent events such as response.output_text.delta.",
      type: "text/event-stream",
      headers: CLIENT_HEADER,
      json: z.looseObject({ id: z.string(), object: z.literal("response"), output: z.array(z.unknown()) }),
    },
  },
  {
    ...{ id: "getHarnessHealth", method: "GET", path: "/v1/health", tag: "health" },
    summary: "Tells that the server lives, and what it offers, in the words of ResearchHarness.",
    answer: {
      description: "The state.",
      json: z.object({
        status: z.literal("ok"),
        api_runs_dir: z.string().nullable(),
        input_wrapper: z.literal(false),
        output_wrapper: z.literal(false),
        max_concurrent_runs: z.int(),
        extra_tools: z.array(z.string()),
        tool_names: z.array(z.string()),
      }),
    },
  },
  {
    ...{ ...agents, id: "listAgents", method: "GET", path: "/agents" },
    summary: "Lists the runs as agents, the one that began last first; at most 1,000.",
    answer: { description: "The agents.", json: z.object({ agents: z.array(Agent), total: z.int() }) },
  },
  {
    ...{ ...agents, id: "getAgentState", method: "GET", path: "/agents/{id}/state" },
    summary: "Tells how an agent stands.",
    answer: { description: "The state.", json: AgentDetail },
  },
  {
    ...{ ...agents, id: "provideClarification", method: "POST", path: "/agents/{id}/provide_clarification" },
    body: Clarification,
    summary: "Answers what an agent asked, and tells what it does then.",
    answer: stream,
  },
  {
    ...{ ...agents, id: "cancelAgent", method: "POST", path: "/agents/{id}/cancel" },
    summary: "Stops an agent; it is kept.",
    answer: {
      description: "Its state.",
      json: z.object({ agent_id: z.string(), cancelled: z.boolean(), state: z.string() }),
    },
  },
  {
    ...{ ...agents, id: "deleteAgent", method: "DELETE", path: "/agents/{id}" },
    summary: "Stops an agent and takes its run away.",
    answer: {
      description: "Its last state.",
      json: z.object({ agent_id: z.string(), deleted: z.boolean(), final_state: z.string() }),
    },
  },
];
