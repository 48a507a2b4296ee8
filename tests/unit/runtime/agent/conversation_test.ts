import { assert, assertEquals } from "@std/assert";

import { Conversation, foldTrace } from "../../../../runtime/agent/conversation/conversation.ts";
import { runAgent } from "../../../../runtime/agent/loop/run_agent.ts";
import type { Message } from "../../../../schemas/agent/chat.ts";
import type { ModelReply } from "../../../../schemas/agent/model.ts";
import type { CallResult, TraceLine } from "../../../../schemas/agent/trace.ts";
import {
  ask,
  calls,
  makePlay,
  run,
  type SceneOptions,
  START,
  task,
  textsOf,
  tool,
  TOOLS,
  type Turn,
} from "../../../support/agent_scene.ts";

const roles = (conversation: Conversation) => conversation.messages.map(({ role }) => role).join(" ");

const reply = (...ids: string[]): ModelReply => {
  const tool_calls = ids.map((id) => ask("Read", {}, id));
  return { content: "", tool_calls, finish: "tool_calls", usage: null };
};

const result = (id: string): CallResult => {
  return { id, tool: "set/Read", ok: true, content: id, pictures: [], error: null, duration_ms: 1 };
};

Deno.test("Conversation puts results in the order of their calls, and passes over those of no call, and second ones", () => {
  const conversation = new Conversation(START);
  conversation.addResult(result("a"));
  conversation.addReply(reply("a", "b", "c"));
  for (const id of ["c", "x", "a", "a", "b"]) conversation.addResult(result(id));
  assertEquals(conversation.messages.slice(3).flatMap(textsOf), ["a", "b", "c"]);
});

Deno.test("Conversation knows what its model was shown and whether it made calls, also after a summary", () => {
  const conversation = new Conversation(START);
  conversation.beginRun("a");
  conversation.addReply({ ...reply("a"), from_text: true });
  conversation.addResult(result("a"));
  assertEquals(conversation.madeCalls, false);
  conversation.addReply(reply("b"));
  conversation.addResult({ ...result("b"), content: "what b gave" });
  conversation.compact(conversation.messages.length, "a summary");
  assertEquals(conversation.shown.flatMap(textsOf).includes("what b gave"), true);
  conversation.beginRun("a");
  assertEquals(conversation.madeCalls, true);
  conversation.beginRun("b");
  assertEquals(conversation.madeCalls, false);
});

Deno.test("foldTrace() keeps what a server refused, for the same model", () => {
  const learned = { noImages: true };
  const conversation = foldTrace([
    { t: "reply", purpose: "turn", reply: { ...reply(), content: "a", learned } },
    { t: "reply", purpose: "tool", reply: { ...reply(), content: "b", learned: { noTools: true } } },
    { t: "reply", purpose: "turn", reply: { ...reply(), content: "c" } },
  ]);
  conversation.beginRun("m");
  assertEquals(conversation.learned, learned);
  conversation.beginRun("other");
  assertEquals(conversation.learned, {});
});

Deno.test("Conversation knows the last word about the newest request only", () => {
  const conversation = new Conversation(START);
  assertEquals(conversation.lastText, null);
  conversation.addReply({ ...reply(), content: "First" });
  assertEquals(conversation.lastText, "First");
  conversation.add(task("Next"));
  assertEquals(conversation.lastText, null);
});

Deno.test("Conversation keeps the provider's own fields, and no message for an empty reply", () => {
  const conversation = new Conversation(START);
  const extra = { reasoning_content: "hm" };
  conversation.addReply({ ...reply(), extra });
  assertEquals(roles(conversation), "system user");
  conversation.addReply({ ...reply(), content: "Yes", extra });
  assertEquals(conversation.messages.at(-1), { role: "assistant", content: "Yes", tool_calls: [], extra });
});

Deno.test("Conversation.tokens is the sum of its messages after any change", () => {
  const conversation = new Conversation(START);
  conversation.addReply(reply("a", "b"));
  conversation.addResult(result("b"));
  conversation.addResult(result("a"));
  conversation.compact(2, "What was");
  conversation.add(task("word word word"));
  const sum = conversation.messages.reduce((total, _, at) => total + conversation.tokensAt(at), 0);
  assertEquals(conversation.tokens, sum);
  assertEquals(new Conversation(conversation.messages).tokens, sum);
});

Deno.test("Conversation.compact() keeps system, project and the newest request, then the summary", () => {
  const project: Message = { role: "user", kind: "project", content: [{ type: "text", text: "Rules" }] };
  const conversation = new Conversation([START[0]!, project, task("Old"), task("New")]);
  conversation.addReply({ ...reply("a"), content: "Step" });
  conversation.addResult(result("a"));
  conversation.addReply({ ...reply(), content: "Said" });
  conversation.compact(6, "What was");
  assertEquals(conversation.messages.flatMap(textsOf), [
    ...["You are an agent.", "Rules", "New", "What was", "Said"],
  ]);
  conversation.add(task("Newest"));
  conversation.compact(6, "All of it");
  assertEquals(conversation.messages.flatMap(textsOf), ["You are an agent.", "Rules", "Newest", "All of it"]);
});

const PICTURES: SceneOptions = {
  call: ({ id, tool }) => ({
    content: `result ${id}`,
    pictures: tool.name === "Read"
      ? [{ type: "image", path: `/${id}`, mime_type: "image/png", bytes: 1 }]
      : [],
  }),
  parts: {
    output: { schema: { type: "object" }, check: (value) => typeof value === "object" ? [] : ["no object"] },
  },
};

const SCRIPT: readonly Turn[] = [
  { ...calls(ask("Read", { n: 1 }, "c"), ask("Read", { n: 2 }, "c")), content: "I read" },
  {},
  { ...calls(ask("Read", { n: 3 })), finish: "length" },
  calls(ask("Read", "{oops"), ask("Nothing"), ask("Read", { n: 4 })),
  calls(ask("Read", { n: 4 })),
  { content: "Half", finish: "length" },
  { content: "7" },
  { content: '{"answer": 7}' },
];

Deno.test("foldTrace() makes the conversation that was, from a whole trace and from one cut anywhere", async () => {
  const whole = await run(SCRIPT, PICTURES);
  assertEquals([whole.outcome.answer, whole.outcome.termination_reason], ['{"answer": 7}', "completed"]);
  const expected = foldTrace(whole.lines).messages;
  assertEquals(expected.length, 2 + 4 + 1 + 1 + 5 + 4 + 2 + 2 + 1);
  for (let cut = START.length; cut <= whole.lines.length; cut++) {
    const before = whole.lines.slice(0, cut);
    const replies = before.filter(({ t }) => t === "reply").length;
    const play = makePlay(SCRIPT.slice(replies), PICTURES);
    const conversation = foldTrace(before);
    const outcome = await runAgent(conversation, play.parts);
    assertEquals([cut, outcome.answer, outcome.termination_reason], [cut, '{"answer": 7}', "completed"]);
    // A remark on a repeated call is not given again after a crash.
    const kinds = (messages: readonly Message[]) => messages.filter((message) => !isRemark(message)).length;
    assertEquals(kinds(conversation.messages), kinds(expected), `cut at ${cut}`);
    assertEquals(foldTrace([...before, ...play.lines]).messages, conversation.messages);
  }
});

Deno.test("runAgent() ends a resumed run that had ended, without asking the model again", async () => {
  const said = ["success", "failure"].map((status) => calls(ask("terminate", { status })));
  for (const turn of [{}, ...said].map((turn) => ({ ...turn, content: "Done" }))) {
    const { lines, outcome } = await run([turn]);
    const play = makePlay([]);
    const resumed = await runAgent(foldTrace(lines), play.parts);
    assertEquals([resumed.answer, resumed.termination_reason], ["Done", outcome.termination_reason]);
    assertEquals([play.requests.length, play.calls.length, play.lines.length], [0, 0, 0]);
  }
});

Deno.test("runAgent() runs calls again that did nothing, and tells that of others nobody knows", async () => {
  const made = [["r", "Read"], ["w", "Write"], ["s", "Set"], ["n", "Write"]] as const;
  const asked = { ...reply(), tool_calls: made.map(([id, name]) => ask(name, {}, id)) };
  const lines: TraceLine[] = [
    ...START.map((message) => ({ t: "message", message }) as const),
    { t: "reply", purpose: "turn", reply: asked },
    ...made.slice(0, 3).map(([id, name]) => ({ t: "call", id, tool: `set/${name}`, arguments: {} }) as const),
  ];
  const tools = [...TOOLS, tool("Set", { idempotent: true })];
  const play = makePlay([{ content: "Done" }], { tools });
  const outcome = await runAgent(foldTrace(lines), play.parts);
  assertEquals(outcome.answer, "Done");
  assertEquals(play.calls.map(({ id }) => id), ["r", "s", "n"]);
  assertEquals(play.requests[0]?.messages.slice(3).flatMap(textsOf), [
    "Read done",
    "The run broke off while Write ran, and its effect is not known: look at what is there before you call it again",
    "Set done",
    "Write done",
  ]);
});

Deno.test("runAgent() closes the calls of an interrupted turn before it takes a new request", async () => {
  const made = calls(ask("terminate", { status: "success" }, "t"));
  const lines: TraceLine[] = [
    ...START.map((message) => ({ t: "message", message }) as const),
    { t: "reply", purpose: "turn", reply: { ...reply(), ...made } },
    { t: "message", message: task("Something else") },
  ];
  const play = makePlay([{ content: "Else done" }]);
  const outcome = await runAgent(foldTrace(lines), play.parts);
  assertEquals(outcome.answer, "Else done");
  const sent = play.requests[0]?.messages.map(({ role }) => role).join(" ");
  assertEquals(sent, "system user assistant tool user");
});

function isRemark(message: Message): boolean {
  return message.role === "user" && message.kind === "remark";
}

Deno.test("Conversation sends only the ends of a long text that was of no use, and a whole one that was", () => {
  const long = `a${"-".repeat(100_000)}z`;
  const remark: Message = { role: "user", kind: "remark", content: [{ type: "text", text: "No." }] };
  const conversation = new Conversation(START);
  conversation.addReply({ ...reply(), content: long });
  const [before, sum] = [conversation.messages.at(-1)!, conversation.tokens];
  assertEquals(textsOf(before), [long]);
  conversation.add(remark);
  const [text = ""] = textsOf(conversation.messages.at(-2));
  assertEquals([text.length < 41_000, text[0], text.at(-1)], [true, "a", "z"]);
  assert(text.includes("[60002 characters are left out]") && conversation.tokens < sum);
  const lines: TraceLine[] = [
    ...START.map((message): TraceLine => ({ t: "message", message })),
    { t: "reply", purpose: "turn", reply: { ...reply(), content: long } },
    { t: "message", message: remark },
  ];
  assertEquals(foldTrace(lines).messages, conversation.messages);
  conversation.addReply({ ...reply("a"), content: long });
  conversation.addResult(result("a"));
  conversation.add(remark);
  assertEquals(textsOf(conversation.messages.at(-3)), [long]);
});
