import { assert, assertEquals } from "@std/assert";

import { openModel, type OpenModelOptions } from "../../../../runtime/model/open_model.ts";
import type { AgentParts, AgentTool } from "../../../../runtime/agent/loop/parts.ts";
import { runAgent } from "../../../../runtime/agent/loop/run_agent.ts";
import { Conversation } from "../../../../runtime/agent/conversation/conversation.ts";
import { UNKNOWN_MODEL } from "../../../../schemas/agent/model.ts";
import { makePlay, type SceneOptions, START, tool } from "../../../support/agent_scene.ts";
import { type Quirk, QUIRKS, quirkServer, refusal } from "../../../support/quirk_server.ts";

const PATH = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS: readonly AgentTool[] = [
  tool("Read", { parameters: PATH }),
  tool("ReadImage", { parameters: PATH }),
];

interface QuirkOptions extends Pick<SceneOptions, "call" | "limits" | "tools"> {
  parts?: Partial<AgentParts>;
  model?: Partial<OpenModelOptions>;
}

/** Lets the agent do its task with a difficult server, over a real connection. */
async function play(quirk: Quirk, options: QuirkOptions = {}) {
  await using server = quirkServer(quirk);
  const wanted = { name: "odd", baseUrl: server.url, apiKey: "", requestTimeoutMs: 20_000, ...options.model };
  await using model = await openModel(wanted);
  const played = makePlay([], { tools: TOOLS, ...options, parts: { ...options.parts, model } });
  const outcome = await runAgent(new Conversation(START), played.parts);
  const { events, lines, calls } = played;
  const texts = events.flatMap((event) => event.type === "text.delta" ? [event] : []);
  const bodies = server.requests.map(({ body }) => body);
  return { outcome, events, lines, calls, texts, bodies, server };
}

const MADE = { id: "a", type: "function", function: { name: "Read", arguments: '{"path":"a"}' } };
/** A call, in an answer that is no stream. */
const WHOLE = {
  body: { choices: [{ message: { content: null, tool_calls: [MADE] }, finish_reason: "stop" }] },
};

const bounded = (output_tokens: number) => ({ parts: { profile: { ...UNKNOWN_MODEL, output_tokens } } });
const limitsIn = (bodies: readonly { max_tokens?: number }[]) => bodies.map(({ max_tokens }) => max_tokens);
const rolesIn = ({ messages }: { messages: { role: string }[] }) => messages.map(({ role }) => role);

Deno.test("a run asks again when the server breaks off a reply inside its stream", async () => {
  const { outcome, events, texts } = await play(QUIRKS.finisherr);
  assertEquals([outcome.termination_reason, outcome.answer], ["completed", "ok"]);
  assertEquals(events.filter(({ type }) => type === "retry").length, 1);
  assertEquals(texts.findLast(({ restart }) => restart)?.text, "");
  const choices = [{ index: 0, delta: { content: "half" }, finish_reason: "error" }];
  const failing = [
    [{ choices }, "it gave no reason"],
    [{ choices: [{ ...choices[0], finish_reason: null, error: { message: "no power" } }] }, "no power"],
  ] as const;
  for (const [event, reason] of failing) {
    const failed = await play(() => ({ events: [event, "[DONE]"] }), { limits: { tries: 2 } });
    assertEquals([failed.outcome.termination_reason, failed.bodies.length], ["model_unreachable", 2]);
    assert(failed.outcome.error?.message.endsWith(reason), failed.outcome.error?.message);
  }
});

Deno.test("a run bounds no reply unless the user does", async () => {
  for (const quirk of [QUIRKS.max4096, QUIRKS.max8192, QUIRKS.vllm8k]) {
    const { outcome, bodies } = await play(quirk);
    assertEquals([outcome.answer, limitsIn(bodies)], ["ok", [undefined]]);
  }
  const needing = await play((asked) =>
    asked.body.max_tokens === undefined ? refusal("max_tokens: Field required") : QUIRKS.max4096(asked)
  );
  assertEquals([needing.outcome.answer, limitsIn(needing.bodies)], ["ok", [undefined, 8192, 4096]]);
});

Deno.test("a run learns the longest reply of a server from its refusal", async () => {
  const twice = (quirk: Quirk): Quirk => (asked) => {
    const turn = quirk(asked);
    return turn.status === undefined && asked.replies === 0
      ? { tool_calls: [{ name: "Read", arguments: { path: "a" } }] }
      : turn;
  };
  for (const [quirk, limit] of [[QUIRKS.max4096, 4096], [QUIRKS.max8192, 8192]] as const) {
    const { outcome, bodies } = await play(twice(quirk), bounded(16_384));
    assertEquals([outcome.answer, limitsIn(bodies)], ["ok", [16_384, limit, limit]]);
  }
  const window = await play(twice(QUIRKS.vllm8k), bounded(16_384));
  const [first, second, third] = limitsIn(window.bodies);
  assertEquals([window.outcome.answer, window.bodies.length, first, second], ["ok", 3, 16_384, 3192]);
  assert(third !== undefined && third < 3192, String(third));
});

Deno.test("a run names the limit when a server refuses a lower one too", async () => {
  const { outcome, bodies } = await play(() => refusal("max_tokens must be at most 4096"), bounded(16_384));
  assertEquals([outcome.termination_reason, limitsIn(bodies)], ["model_unreachable", [16_384, 4096]]);
  const told = 'it was asked for at most 4096 tokens: set models."odd".output_tokens to what it takes';
  assert(outcome.error?.message.endsWith(told), outcome.error?.message);
});

Deno.test("a run repeats a silent request once", async () => {
  const { outcome, bodies } = await play(QUIRKS.silent, { model: { idleTimeoutMs: 500 } });
  assertEquals([outcome.termination_reason, bodies.length], ["model_unreachable", 2]);
});

Deno.test("a run puts a word of the assistant between a result and a picture where the server wants it", async () => {
  const picture = { type: "image", path: "/p.png", mime_type: "image/png", bytes: 3 } as const;
  const { outcome, bodies } = await play(
    ({ replies, ...asked }) => QUIRKS.mistral({ ...asked, replies: replies > 1 ? replies : 0 }),
    { call: () => ({ pictures: [picture] }), parts: { readPicture: () => Promise.resolve("AAAA") } },
  );
  assertEquals(outcome.answer, "ok");
  assertEquals(bodies.map((body) => rolesIn(body).slice(2)), [
    [],
    ["assistant", "tool", "user"],
    ["assistant", "tool", "assistant", "user"],
  ]);
});

Deno.test("a run asks whole where a stream is refused, and without a system message where that is", async () => {
  const quirk: Quirk = (asked) => {
    const first = QUIRKS.nosystem(asked);
    if (first.status !== undefined) return first;
    if (asked.body.stream || asked.replies > 0) return QUIRKS.nostream(asked);
    return WHOLE;
  };
  const { outcome, bodies } = await play(quirk);
  assertEquals([outcome.answer, bodies.length], ["ok", 4]);
  assertEquals(bodies.map(({ stream }) => stream), [true, true, false, false]);
  assertEquals("stream_options" in bodies[2], false);
  assertEquals(bodies[1].messages, [{ role: "user", content: "You are an agent.\n\nDo it" }]);
});

Deno.test("a run tells the tools in words where they are refused", async () => {
  const { outcome, calls, bodies } = await play(QUIRKS.notools);
  assertEquals([outcome.answer, calls.length, bodies.length], ["ok", 1, 3]);
  const [system, task, call, result] = bodies[2].messages;
  assertEquals(bodies.map((body) => "tools" in body), [true, false, false]);
  assert(system.content.includes('"name":"Read"') && system.content.endsWith("You are an agent."));
  const content = '<tool_call>\n{"name": "Read", "arguments": {"path":"package.json"}}\n</tool_call>';
  assertEquals([task.content, call], ["Do it", { role: "assistant", content }]);
  assertEquals([result.role, result.content.startsWith("<tool_response>\nRead done")], ["user", true]);
  assertEquals(rolesIn(bodies[2]), ["system", "user", "assistant", "user"]);
});

Deno.test("a run understands the legacy call, lines of JSON and a stream without its mark", async () => {
  for (const [quirk, calls] of [[QUIRKS.legacy, 1], [QUIRKS.ndjson, 0], [QUIRKS.noend, 0]] as const) {
    const played = await play(quirk);
    assertEquals([played.outcome.answer, played.calls.length], ["ok", calls]);
  }
  const cut = await play(({ n }) =>
    n > 0 ? { text: "ok" } : { body: '{"choices":[{"index":0,"delta":{}}]}\n{"cho' }
  );
  assertEquals([cut.outcome.answer, cut.bodies.length], ["ok", 2]);
});

Deno.test("a run makes the calls that a model writes as text, and tells them to the server as calls", async () => {
  for (const quirk of [QUIRKS.calltext, QUIRKS.calljson]) {
    const { outcome, calls, texts, bodies, lines } = await play(quirk);
    assertEquals([outcome.answer, outcome.usage.calls, outcome.usage.rounds], ["went on", 1, 2]);
    assertEquals(calls.map((call) => [call.tool.name, call.arguments, call.warnings]), [
      ["Read", { path: "package.json" }, ["The call was written as text and was read as a call"]],
    ]);
    // The text is taken back before the call begins.
    const shown = texts.reduce((text, event) => event.restart ? event.text : text + event.text, "");
    assertEquals(shown, "went on");
    const [, , assistant, result] = bodies[1].messages;
    const [call] = assistant.tool_calls;
    assertEquals([assistant.role, assistant.content, call.function.name], ["assistant", null, "Read"]);
    assertEquals([result.role, result.tool_call_id], ["tool", call.id]);
    assertEquals(lines.map(({ t }) => t).slice(0, 4), ["reply", "call", "result", "reply"]);
  }
});

Deno.test("a run never ends with a call as text that it cannot run", async () => {
  const cases: [text: string, told: string, shown: string][] = [
    ['<tool_call>{"name":"Fetch","arguments":{}}</tool_call>', 'there is no tool "Fetch"', 'no tool "Fetch"'],
    ['{"name":"Read","arguments":{"path"', "it is not valid JSON", "not valid JSON"],
  ];
  for (const [text, told, shown] of cases) {
    const { outcome, calls, bodies, events } = await play(({ replies }) => ({
      text: replies > 0 ? "ok" : text,
    }));
    assertEquals([outcome.answer, calls.length], ["ok", 0]);
    assert(bodies[1].messages.at(-1).content.includes(told), bodies[1].messages.at(-1).content);
    const [warning] = events.flatMap((event) => event.type === "warning" ? [event.message] : []);
    assert(warning?.includes(shown) && warning.endsWith("it is asked again (2 of 5)"), warning);
  }
  const stubborn = await play(() => ({ text: '<tool_call>{"name":"Fetch"}</tool_call>' }));
  assertEquals(stubborn.outcome.termination_reason, "too_many_faults");
});

Deno.test("a run goes on without pictures where they are refused, also for the next model of the session", async () => {
  const picture = { type: "image" as const, path: "/p.png", mime_type: "image/png", bytes: 3 };
  const quirk: Quirk = ({ body, replies }) => {
    if (JSON.stringify(body).includes("image_url")) {
      return { status: 400, body: '{"error":"no image input"}' };
    }
    if (replies > 1) return { text: "ok" };
    const call = {
      id: `a${replies}`,
      type: "function",
      function: { name: "Read", arguments: `{"n":${replies}}` },
    };
    return { body: { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "stop" }] } };
  };
  const { outcome, bodies, events, lines } = await play(quirk, {
    call: () => ({ pictures: [picture] }),
    parts: { readPicture: () => Promise.resolve("AAAA") },
  });
  assertEquals([outcome.answer, bodies.length], ["ok", 4]);
  assert(JSON.stringify(bodies[2]).includes("this model sees no pictures"));
  assertEquals(events.filter((event) => event.type === "warning").length, 1);
  assertEquals(lines.flatMap((line) => line.t === "reply" ? [line.reply.learned] : []), [
    undefined,
    { noImages: true },
    undefined,
  ]);
});

Deno.test("a run makes no call of a text once its model has made one itself", async () => {
  const text = '<tool_call>{"name":"Read","arguments":{"path":"b"}}</tool_call>';
  const { outcome, calls, bodies } = await play(({ replies }) => [WHOLE, { text }, { text: "ok" }][replies]!);
  assertEquals([outcome.answer, calls.length], ["ok", 1]);
  assert(bodies[2].messages.at(-1).content.includes("it was not made as a call"));
});

Deno.test("a run keeps the thoughts of a model out of its answer and its text", async () => {
  const { outcome, texts, lines } = await play(QUIRKS.think);
  const shown = texts.map(({ text }) => text).join("");
  assertEquals([outcome.answer, shown], ["The answer is ok.", "The answer is ok."]);
  const [extra] = lines.flatMap((line) => line.t === "reply" ? [line.reply.extra] : []);
  assertEquals(extra, { reasoning_content: "I should say ok." });
});

Deno.test("a run learns that a server leaves out the mark before thoughts", async () => {
  const quirk: Quirk = ({ replies }) => ({
    text: replies > 0
      ? "I am done.\n</think>\n\nok"
      : 'I read.\n</think>\n\n<tool_call>{"name":"Read","arguments":{"path":"a"}}</tool_call>',
  });
  const { outcome, calls, events } = await play(quirk);
  assertEquals([outcome.answer, calls.length], ["ok", 1]);
  const second = events.findIndex((event) => event.type === "turn.start" && event.n === 2);
  const texts = events.slice(second).flatMap((event) => event.type === "text.delta" ? [event.text] : []);
  assertEquals(texts.join(""), "ok");
  const form = { schema: {}, check: (value: unknown) => value === 1 ? [] : ["not 1"] };
  const json = await play(() => ({ text: "<think>Not 2.</think>\n1" }), { parts: { output: form } });
  assertEquals([json.outcome.output, json.bodies.length], [1, 1]);
});

Deno.test("a run repairs arguments in a fence and names with a prefix, and says so", async () => {
  const cases: [Quirk, string][] = [
    [QUIRKS.fence, "The arguments were given in a code fence and were read as JSON"],
    [QUIRKS.prefix, "The name \"functions.Read\" was read as 'Read'"],
  ];
  for (const [quirk, warning] of cases) {
    const { outcome, calls, bodies } = await play(quirk);
    assertEquals([outcome.answer, outcome.usage.failed], ["ok", 0]);
    const input = { path: "package.json" };
    assertEquals(calls.map((call) => [call.arguments, call.warnings]), [[input, [warning]]]);
    const [{ function: { name, arguments: sent } }] = bodies[1].messages[2].tool_calls;
    assertEquals([name, JSON.parse(sent)], ["Read", input]);
  }
});
