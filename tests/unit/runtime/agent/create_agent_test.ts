import { assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import { type AgentOptions, createAgent, type RunEvent } from "../../../../runtime/mod.ts";
import { listRecords } from "../../../../runtime/state/undo/undo_store.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { AgentDefinition } from "../../../../schemas/step/agent_definition.ts";
import type { ModelReply } from "../../../../schemas/agent/model.ts";
import { agentEnv, ownModel } from "../../../support/own_model.ts";
import { codeOf, refusalOf } from "../../../support/refusal.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";
import { scriptedModel } from "../../../support/scripted_model.ts";

const LOOK = { text: "I look.", tool_calls: [{ id: "c", name: "Read", arguments: { path: "a.txt" } }] };
const LOOK_REPLY: Partial<ModelReply> = {
  tool_calls: [{ id: "c", name: "Read", arguments: '{"path":"a.txt"}' }],
  finish: "tool_calls",
};
const ANSWER = { text: "It says hello." };
const FINAL = { reasoning: "r", completed_steps: ["all"], answer: "It is done.", status: "completed" };

/** Options of an agent without the box, so that it works everywhere. */
function optionsIn(ws: Workspace, options: Partial<AgentOptions> = {}): AgentOptions {
  const { grants, ...rest } = options;
  const place = { workspace: ws.at("ws"), env: agentEnv(ws) };
  return { model: "unused", ...place, ...rest, grants: { sandbox: "off", ...grants } };
}

/** The names of the tools in a request. */
function namesIn({ tools }: { tools: { function: { name: string } }[] }): string[] {
  return tools.map((tool) => tool.function.name);
}

const saying = (replies: readonly Partial<ModelReply>[]) => ownModel((_, n) => replies[n] ?? {});

Deno.test("createAgent() runs a task on a model's API, and tells its events and its result", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel([LOOK, ANSWER]);
  const model = { name: "m", baseUrl: server.url, apiKey: "secret-key-1" };
  await using agent = createAgent(optionsIn(ws, { model, tools: ["Read"], project: false }));
  const run = agent.run("What does a.txt say?");
  const types: RunEvent["type"][] = [];
  for await (const { type } of run) if (type !== "text.delta") types.push(type);
  assertEquals(types, ["run.start", "turn.start", "tool.start", "tool.end", "turn.start", "run.end"]);
  const { answer, termination_reason, usage, error, session_id, trace_path } = await run;
  assertEquals([answer, termination_reason, error, usage.calls], [ANSWER.text, "completed", null, 1]);
  assertEquals(trace_path, ws.at(`state/bulkhead/sessions/${session_id}/trace.jsonl`));
  assertEquals(server.requests[0]?.headers.get("authorization"), "Bearer secret-key-1");
  assertEquals(namesIn(server.requests[0]?.body), ["Read"]);
});

Deno.test("createAgent() takes a model of one's own, without tools and without a trace", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const model = saying([{ content: '{"n": "1"}' }, { content: '{"n": 1}' }]);
  const outputSchema = { type: "object", properties: { n: { type: "integer" } } };
  await using agent = createAgent(optionsIn(ws, { model, tools: [], keep: false, outputSchema }));
  const { answer, output, session_id, trace_path } = await agent.run("Count");
  assertEquals([answer, output, session_id, trace_path], ['{"n": 1}', { n: 1 }, null, null]);
});

Deno.test("createAgent() types the output by a schema of zod, and asks again for what it refuses", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const contents = ['{"n": "1"}', '{"n": -1}', '{"n": 1}'];
  const model = saying(contents.map((content) => ({ content })));
  const outputSchema = z.object({
    n: z.int().refine((n) => n > 0, "must be positive"),
    unit: z.string().default("files"),
  });
  const options = optionsIn(ws, { model, tools: [], keep: false });
  await using agent = createAgent({ ...options, outputSchema });
  assertThrows(() => createAgent({ ...options, workspace: "ws" }), TypeError);
  const { answer, output } = await agent.run("Count");
  // It compiles only if the type is the schema's.
  const count: number | undefined = output?.n;
  const unit: string | undefined = output?.unit;
  assertEquals([answer, count, unit], [contents[2], 1, "files"]);
});

Deno.test("createAgent() holds the grants, goes on with sessions, and can be stopped", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const write = { id: "w", name: "Write", arguments: '{"path":"b.txt","content":"x"}' };
  const model = saying([
    { tool_calls: [write], finish: "tool_calls" },
    { content: "It was refused." },
    { content: "Still refused." },
  ]);
  await using agent = createAgent(optionsIn(ws, { model, grants: { policy: "read-only" } }));
  const first = await agent.run("Write b.txt", { sessionId: "s1" });
  assertEquals([first.answer, first.usage.failed, first.session_id], ["It was refused.", 1, "s1"]);
  assertThrows(() => ws.read("ws/b.txt"), Deno.errors.NotFound);
  const second = await agent.run("Try again", { resume: true });
  assertEquals([second.answer, second.session_id], ["Still refused.", "s1"]);
  const stopped = await agent.run("More", { signal: AbortSignal.abort() });
  assertEquals([stopped.termination_reason, stopped.error?.code], ["interrupted", "cancelled"]);
  assertEquals(await codeOf(async () => await agent.run("More", { resume: "none" })), "invalid_input");
});

Deno.test("createAgent() refuses what cannot work", () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const codeOf = (options: Partial<AgentOptions>) =>
    assertThrows(() => createAgent(optionsIn(ws, options)), ToolError).code;
  assertEquals(codeOf({ model: "m" }), "unauthenticated");
  assertEquals(codeOf({ model: saying([]), tools: ["Raed"] }), "invalid_input");
  assertEquals(codeOf({ model: saying([]), limits: { cost: 1 } }), "configuration");
  const both = { model: saying([]), tools: ["Read"], extraTools: ["par/ls"] };
  assertThrows(() => createAgent(optionsIn(ws, both)), TypeError, "tools is the complete set");
});

Deno.test("createAgent() records a run, and plays it back without its model", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const tools = ["Read"];
  const model = saying([LOOK_REPLY, { content: "Done." }]);
  await using agent = createAgent(optionsIn(ws, { model, tools }));
  await agent.run("What does a.txt say?", { record: "run.jsonl" });
  await using again = createAgent(optionsIn(ws, { model: "replay:run.jsonl", tools }));
  const { answer, usage } = await again.run();
  assertEquals([answer, usage.calls], ["Done.", 1]);
});

Deno.test("createAgent() keeps what a run changes, unless it is told not to", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const input = '{"path":"a.txt","content":"new\\n","overwrite":true}';
  const tool_calls = [{ id: "c", name: "Write", arguments: input }];
  const write: Partial<ModelReply> = { tool_calls, finish: "tool_calls" };
  for (const undo of [false, true]) {
    const model = saying([write, { content: "Done" }]);
    await using agent = createAgent(optionsIn(ws, { model, tools: ["Write"], project: false }));
    assertEquals((await agent.run("Write", { undo })).error, null);
    const records = listRecords(ws.at("state/bulkhead"));
    const kept = records.map(({ isClosed, paths }) => [isClosed, paths.has(ws.at("ws/a.txt"))]);
    assertEquals(kept, undo ? [[true, true]] : []);
  }
});

Deno.test("createAgent() takes an agent by its name, from data of the program and from a file", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const asked: { system: unknown; tools: string[] }[] = [];
  const turns = [LOOK, ANSWER, { text: "x", tool_calls: [{ name: "final_answer_tool", arguments: FINAL }] }];
  await using server = scriptedModel(({ body }, n) => {
    asked.push({ system: body.messages[0].content, tools: namesIn(body) });
    return turns[n]!;
  });
  const reader: AgentDefinition = {
    description: "Reads",
    tools: ["Read"],
    prompts: { system: "You read." },
    model: { name: "of-the-agent", base_url: server.url, api_key_env: "READER_KEY" },
    limits: { max_rounds: 4 },
  };
  const { model: _, ...options } = optionsIn(ws, { project: false });
  const env = { ...options.env, READER_KEY: "key-of-the-reader" };
  await using agent = createAgent({ ...options, env, agent: "reader", agents: { reader } });
  const run = agent.run("What does a.txt say?");
  const named: unknown[] = [];
  for await (const event of run) {
    if (event.type === "run.start" || event.type === "run.end") named.push([event.type, event.agent]);
  }
  const result = await run;
  assertEquals(named, [["run.start", "reader"], ["run.end", "reader"]]);
  const { answer, termination_reason } = result;
  assertEquals([result.agent, answer, termination_reason], ["reader", ANSWER.text, "completed"]);
  assertEquals([server.requests[0]!.body.model, asked[0]!.tools], ["of-the-agent", ["Read"]]);
  assertEquals(server.requests[0]!.headers.get("authorization"), "Bearer key-of-the-reader");
  assertEquals(String(asked[0]!.system).startsWith("You read."), true);

  const text = `llm: { base_url: "${server.url}", model: of-the-file, api_key: key-of-the-file }\n` +
    "agents: { only: { base_class: ToolCallingAgent, tools: [final_answer_tool] } }\n";
  Deno.writeTextFileSync(ws.at("ws/team.yaml"), text);
  await using team = createAgent({ ...options, agents: "team.yaml", keep: false });
  const ended = await team.run("Do it");
  assertEquals([ended.agent, ended.answer, asked[2]!.tools], ["only", FINAL.answer, ["final_answer_tool"]]);
});

Deno.test("createAgent() says what is wrong with agents, at once or with the first run", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  const { model: _, ...usual } = optionsIn(ws);
  const of = (options: Partial<AgentOptions>) => createAgent({ ...usual, ...options });
  const wrong = assertThrows(() => of({ agents: { a: { tools: [] } } }), ToolError);
  assertEquals([wrong.code, wrong.message.includes("agents.a.tools is empty")], ["invalid_input", true]);
  const runs: [Partial<AgentOptions>, string, string][] = [
    [{ agent: "reserch" }, "invalid_input", 'did you mean "research"?'],
    [{ agents: "gone.yaml" }, "configuration", "there is no such file"],
    [{ agent: "a", agents: { a: { model: { api_key_env: "NO_KEY" } } } }, "unauthenticated", "NO_KEY"],
  ];
  for (const [options, code, message] of runs) {
    await using agent = of(options);
    const error = await refusalOf(async () => await agent.run("x"));
    assertEquals([error?.code, error?.message.includes(message)], [code, true], error?.message);
  }
});
