import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import type { Clarification } from "../api/chat_schemas.ts";
import type { RunInfo } from "../api/run_schemas.ts";
import type { HandlerAnswer, Handlers, Request } from "../contract/answer.ts";
import { toAgentId, toRunId } from "../openai/agent_id.ts";
import { ChatStream } from "../openai/chat_stream.ts";
import { continueRun } from "../openai/continue_run.ts";
import { readMessages } from "../openai/read_messages.ts";
import type { StreamStyle } from "../openai/show_steps.ts";
import { watchRun } from "../openai/watch_run.ts";
import type { Runs } from "../runs/runs.ts";
import { stateOfRun, StepCounter, type StepCounts, type StepTools } from "./agent_state.ts";

/** What answers the requests of clients of SGR Agent Core. */
export interface AgentApiParts {
  runs: Runs;
  style: StreamStyle;
  tools: StepTools;
  /** How many sources the run's session has. */
  countSources(id: string): Promise<number> | number;
}

/** Most agents of a list. */
const MAX_AGENTS = 1_000;
/** Runs that are asked for at once. */
const PAGE = 200;

/** Makes what answers `/agents`. */
export function agentHandlers(parts: AgentApiParts): Handlers {
  const { runs } = parts;
  return {
    listAgents: () => listAgents(runs),
    getAgentState: ({ params }) => agentState(parts, params.id!),
    provideClarification: (request: Request<unknown, z.infer<typeof Clarification>>) =>
      clarify(parts, request),
    cancelAgent: async ({ params }) => {
      const id = await known(runs, params.id!);
      const { state } = await runs.cancel(id);
      return { json: { agent_id: toAgentId(id), cancelled: true, state: stateOfRun(state) } };
    },
    deleteAgent: async ({ params }) => {
      const id = await known(runs, params.id!);
      const { state } = await runs.remove(id);
      return { json: { agent_id: toAgentId(id), deleted: true, final_state: stateOfRun(state) } };
    },
  };
}

async function listAgents(runs: Runs): Promise<HandlerAnswer> {
  const agents: Record<string, unknown>[] = [];
  let before: string | null | undefined;
  while (before !== null && agents.length < MAX_AGENTS) {
    const { runs: page, next }: Awaited<ReturnType<Runs["list"]>> = await runs.list({
      limit: PAGE,
      ...before !== undefined && { before },
    });
    agents.push(...page.map(agentOf));
    before = next;
  }
  return { json: { agents, total: agents.length } };
}

function agentOf({ id, task, state, created }: z.infer<typeof RunInfo>): Record<string, unknown> {
  return {
    agent_id: toAgentId(id),
    task_messages: [{ role: "user", content: task }],
    state: stateOfRun(state),
    creation_time: created,
  };
}

async function agentState(
  { runs, tools, countSources }: AgentApiParts,
  name: string,
): Promise<HandlerAnswer> {
  const id = await known(runs, name);
  const detail = await runs.get(id);
  const { creation_time: _, ...agent } = agentOf(detail);
  const { iteration, searches_used, clarifications_used, current_step_reasoning } = await countSteps(
    runs,
    detail,
    tools,
  );
  const asked = detail.questions.map(({ text }) => text).join("\n\n");
  return {
    json: {
      ...agent,
      ...{ iteration, searches_used, clarifications_used },
      sources_count: await countSources(id),
      current_step_reasoning,
      execution_result: asked !== "" ? asked : detail.answer,
      error: detail.error?.message ?? null,
    },
  };
}

/** Reads the events that are there: of a run at work, those so far. */
async function countSteps(
  runs: Runs,
  { id, events }: z.infer<typeof RunInfo>,
  tools: StepTools,
): Promise<StepCounts> {
  const counter = new StepCounter(tools);
  const batches = events === 0 ? null : await runs.follow(id, 0);
  for await (const batch of batches ?? []) {
    for (const { event } of batch) counter.hear(event);
    if ((batch.at(-1)?.n ?? events) >= events) break;
  }
  return counter.counts;
}

async function clarify(
  { runs, style }: AgentApiParts,
  { params, body, headers, client, signal }: Request<unknown, z.infer<typeof Clarification>>,
): Promise<HandlerAnswer> {
  const id = await known(runs, params.id!);
  const detail = await runs.get(id);
  if (detail.state !== "waiting") {
    throw new ToolError(
      "invalid_input",
      `Agent ${toAgentId(id)} is not waiting for an answer: its state is ${stateOfRun(detail.state)}`,
    );
  }
  const { prompt, images } = body.messages === undefined
    ? { prompt: body.clarifications!, images: [] }
    : readMessages(body.messages);
  const asker = { client: headers["x-client-id"] ?? client, traceparent: headers.traceparent };
  const begun = await continueRun(runs, detail, { prompt, images, ...asker });
  const agentId = toAgentId(id);
  const created = Math.floor(Date.now() / 1000);
  const head = { id: `chatcmpl-${id}-${begun.after}`, created, model: agentId };
  const stream = new ChatStream({ head, style, planted: "", mustBeJson: false, withUsage: false });
  const { failure, pieces } = await watchRun({ runs, ...begun, stream, mustBeJson: false, signal });
  if (failure !== null) {
    return { status: failure.status, json: { detail: failure.body.error.message } };
  }
  return { headers: { "x-agent-id": agentId }, stream: { pieces, type: "text/event-stream" } };
}

/** Returns the run of an agent; its own id is understood as well. */
async function known(runs: Runs, name: string): Promise<string> {
  const id = toRunId(name) ?? name;
  try {
    return (await runs.get(id)).id;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "not_found") throw error;
    throw new ToolError("not_found", `Agent ${JSON.stringify(name)} not found: GET /agents lists all`);
  }
}
