import { assertEquals, assertStringIncludes } from "@std/assert";

import { toAgentId } from "../../../../../runtime/server/openai/agent_id.ts";
import { agentHandlers } from "../../../../../runtime/server/agents/agent_handlers.ts";
import { serveHandlers } from "../../../../support/server/serve_handlers.ts";
import { called, ended, PlayedRuns, spoken, turn } from "../../../../support/server/played_runs.ts";

const RUN = "20261123-100000-00000001";
const AGENT = toAgentId(RUN);
const asks = {
  events: [
    turn(1),
    ...called("1", "own/Think", "ok"),
    ...called("2", "own/Search", "two sites"),
    ended("Which month?", "waiting_for_clarification"),
  ],
};

Deno.test("agents are listed, told of, stopped and taken away", async () => {
  const runs = new PlayedRuns(asks);
  await runs.start({ prompt: "Count." });
  await using scene = await serve(runs);
  const { agents: [agent], total } = await scene.ask("GET", "/agents");
  const of = { agent_id: AGENT, task_messages: [{ role: "user", content: "Count." }] };
  assertEquals(total, 1);
  assertEquals(agent, {
    ...of,
    state: "waiting_for_clarification",
    creation_time: "2026-11-23T10:00:00.000Z",
  });
  assertEquals(await scene.ask("GET", `/agents/${AGENT}/state`), {
    ...of,
    state: "waiting_for_clarification",
    ...{ iteration: 1, searches_used: 1, clarifications_used: 0, sources_count: 2 },
    current_step_reasoning: { path: "a`<b>`.ts" },
    execution_result: "Which month?",
    error: null,
  });
  const cancelled = await scene.ask("POST", `/agents/${AGENT}/cancel`);
  assertEquals(cancelled, { agent_id: AGENT, cancelled: true, state: "cancelled" });
  const deleted = await scene.ask("DELETE", `/agents/${AGENT}`);
  assertEquals(deleted, { agent_id: AGENT, deleted: true, final_state: "cancelled" });
  assertEquals(runs.removed, [RUN]);
  const { detail } = await scene.ask("GET", `/agents/${AGENT}/state`, undefined, 404);
  assertStringIncludes(detail, `Agent "${AGENT}" not found`);
});

Deno.test("an answer goes on with the agent as a stream, and only while it waits", async () => {
  const runs = new PlayedRuns(asks, { events: spoken("Four.") }, { events: spoken("Five.") });
  await runs.start({ prompt: "Count." });
  await using scene = await serve(runs);
  const path = `/agents/${AGENT}/provide_clarification`;
  const text = await scene.ask("POST", path, { messages: [{ role: "user", content: "May." }] });
  assertStringIncludes(text, '"delta":{"content":"Four."}');
  assertEquals(text.endsWith("data: [DONE]\n\n"), true);
  const { detail } = await scene.ask("POST", path, { clarifications: "June." }, 400);
  assertStringIncludes(detail, "is not waiting for an answer: its state is completed");
  assertEquals(runs.answers, [{ answer: "May." }]);
  await scene.ask("POST", path, {}, 400);
});

async function serve(runs: PlayedRuns) {
  const tools = { search: new Set(["own/Search"]), reason: new Set(["own/Think"]) };
  const server = await serveHandlers(
    agentHandlers({ runs, tools, style: "reasoning", countSources: () => 2 }),
  );
  return {
    async ask(method: string, path: string, body?: unknown, status = 200) {
      const response = await server.fetch(path, {
        method,
        ...body !== undefined && { headers: { "content-type": "application/json" } },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      assertEquals(response.status, status, text);
      return response.headers.get("content-type")?.startsWith("text/event-stream") ? text : JSON.parse(text);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
