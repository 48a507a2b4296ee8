import { assert, assertEquals } from "@std/assert";

import { Conversation, foldTrace } from "../../../../runtime/agent/conversation/conversation.ts";
import {
  estimateMessage,
  estimateText,
  estimateTools,
  lengthOfTokens,
  PICTURE_TOKENS,
} from "../../../../runtime/agent/conversation/estimate_tokens.ts";
import { endOfJson, jsonValues } from "../../../../runtime/agent/conversation/mend_json.ts";
import {
  estimatePictures,
  requestMessages,
} from "../../../../runtime/agent/conversation/request_messages.ts";
import { unwrapJson } from "../../../../runtime/agent/conversation/unwrap_json.ts";
import { runAgent } from "../../../../runtime/agent/loop/run_agent.ts";
import { TokenMeter } from "../../../../runtime/agent/loop/token_meter.ts";
import type { Message, Part } from "../../../../schemas/agent/chat.ts";
import type { ModelReply } from "../../../../schemas/agent/model.ts";
import type { CallResult, TraceLine } from "../../../../schemas/agent/trace.ts";
import { ToolError } from "../../../../schemas/error.ts";
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

const reply = (...ids: string[]): ModelReply => ({
  content: "",
  tool_calls: ids.map((id) => ask("Read", {}, id)),
  finish: "tool_calls",
  usage: null,
});

const result = (id: string): CallResult => {
  return { id, tool: "set/Read", ok: true, content: id, pictures: [], error: null, duration_ms: 1 };
};

Deno.test("Conversation puts results in the order of their calls, whenever they come", () => {
  const conversation = new Conversation(START);
  conversation.addReply(reply("a", "b", "c"));
  for (const id of ["c", "a", "b"]) conversation.addResult(result(id));
  assertEquals(conversation.messages.slice(3).flatMap(textsOf), ["a", "b", "c"]);
});

Deno.test("Conversation passes over results of no call, and second ones", () => {
  const conversation = new Conversation(START);
  conversation.addResult(result("a"));
  conversation.addReply(reply("a"));
  for (const id of ["x", "a", "a"]) conversation.addResult(result(id));
  assertEquals(roles(conversation), "system user assistant tool");
});

Deno.test("Conversation puts late results before what was said meanwhile", () => {
  const conversation = new Conversation(START);
  conversation.addReply(reply("a", "b"));
  conversation.addResult(result("b"));
  conversation.add(task("And now this"));
  assertEquals(conversation.hasOpenCalls, true);
  conversation.addResult(result("a"));
  assertEquals(roles(conversation), "system user assistant tool tool user");
  assertEquals(conversation.last, null);
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
  conversation.addReply({ ...reply(), extra: { reasoning_content: "hm" } });
  assertEquals(roles(conversation), "system user");
  conversation.addReply({ ...reply(), content: "Yes", extra: { reasoning_content: "hm" } });
  const expected: Message = {
    role: "assistant",
    content: "Yes",
    tool_calls: [],
    extra: { reasoning_content: "hm" },
  };
  assertEquals(conversation.messages.at(-1), expected);
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
  const ends: Turn[] = [
    { content: "Done" },
    { ...calls(ask("terminate", { status: "success" })), content: "Done" },
    { ...calls(ask("terminate", { status: "failure" })), content: "Done" },
  ];
  for (const turn of ends) {
    const { lines, outcome } = await run([turn]);
    const play = makePlay([]);
    const resumed = await runAgent(foldTrace(lines), play.parts);
    assertEquals([resumed.answer, resumed.termination_reason], ["Done", outcome.termination_reason]);
    assertEquals([play.requests.length, play.calls.length, play.lines.length], [0, 0, 0]);
  }
});

Deno.test("runAgent() runs calls again that did nothing, and tells that of others nobody knows", async () => {
  const asked = {
    ...reply(),
    tool_calls: [ask("Read", {}, "r"), ask("Write", {}, "w"), ask("Set", {}, "s"), ask("Write", {}, "n")],
  };
  const lines: TraceLine[] = [
    ...START.map((message) => ({ t: "message", message }) as const),
    { t: "reply", purpose: "turn", reply: asked },
    { t: "call", id: "r", tool: "set/Read", arguments: {} },
    { t: "call", id: "w", tool: "set/Write", arguments: {} },
    { t: "call", id: "s", tool: "set/Set", arguments: {} },
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
  const lines: TraceLine[] = [
    ...START.map((message) => ({ t: "message", message }) as const),
    {
      t: "reply",
      purpose: "turn",
      reply: { ...reply(), tool_calls: [ask("terminate", { status: "success" }, "t")] },
    },
    { t: "message", message: task("Something else") },
  ];
  const play = makePlay([{ content: "Else done" }]);
  const outcome = await runAgent(foldTrace(lines), play.parts);
  assertEquals(outcome.answer, "Else done");
  assertEquals(
    play.requests[0]?.messages.map(({ role }) => role).join(" "),
    "system user assistant tool user",
  );
});

function isRemark(message: Message): boolean {
  return message.role === "user" && message.kind === "remark";
}

Deno.test("Conversation takes 100,000 results of one reply in a time that is linear in their number", () => {
  const ids = Array.from({ length: 100_000 }, (_, at) => `c${at}`);
  for (const order of [ids, ids.toReversed().slice(0, 20_000)]) {
    const conversation = new Conversation(START);
    conversation.addReply(reply(...ids));
    const started = performance.now();
    for (const id of order) conversation.addResult(result(id));
    assert(performance.now() - started < 60_000);
    const texts = conversation.messages.slice(3).flatMap(textsOf);
    assertEquals(texts.length, order.length);
    assertEquals(texts.at(-1), "c99999");
  }
});

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

const image = (path: string): Part => ({ type: "image", path, mime_type: "image/png", bytes: 9 });
const user = (kind: "task" | "pictures", path: string): Message => ({
  role: "user",
  kind,
  content: [image(path)],
});
const said: Message = { role: "assistant", content: "I see", tool_calls: [] };

const read: string[] = [];
const options = {
  images: true,
  readPicture(path: string) {
    read.push(path);
    if (path !== "/gone") return Promise.resolve("AAAA");
    return Promise.reject(new ToolError("not_found", 'Cannot read "/gone": no such file'));
  },
};

/** What is sent of each message: the paths of pictures that go along, and texts. */
async function sent(messages: readonly Message[], rest: Partial<typeof options> = {}): Promise<string[]> {
  const requested = await requestMessages(messages, { ...options, ...rest });
  for (const message of requested) {
    if (message.role !== "user") continue;
    for (const part of message.content) if (part.type === "image") assertEquals(part.data, "AAAA");
  }
  return requested.flatMap(textsOf);
}

const EARLIER = (path: string) =>
  `[Picture ${path} (image/png, 9 bytes) was shown earlier. To see it again, read it with a tool.]`;

Deno.test("requestMessages() sends pictures until the model has answered them, then names them", async () => {
  const messages = [user("task", "/t"), said, user("pictures", "/a")];
  assertEquals(await sent(messages), ["</t>", "I see", "</a>"]);
  assertEquals(await sent([...messages, said, user("pictures", "/b")]), [
    "</t>",
    "I see",
    EARLIER("/a"),
    "I see",
    "</b>",
  ]);
});

Deno.test("requestMessages() shows the pictures of the newest request alone", async () => {
  assertEquals(await sent([user("task", "/old"), said, user("task", "/new"), said]), [
    EARLIER("/old"),
    "I see",
    "</new>",
    "I see",
  ]);
});

Deno.test("requestMessages() reads no picture that it does not send", async () => {
  read.length = 0;
  await sent([user("task", "/old"), said, user("task", "/t"), said, user("pictures", "/a"), said]);
  assertEquals(read, ["/t"]);
});

Deno.test("requestMessages() says what cannot be shown", async () => {
  assertEquals(await sent([user("task", "/gone")]), [
    '[Picture /gone (image/png, 9 bytes) cannot be shown: Cannot read "/gone": no such file]',
  ]);
  assertEquals(await sent([user("task", "/t")], { images: false }), [
    "[Picture /t (image/png, 9 bytes): not shown, this model sees no pictures. Do not guess what is on it.]",
  ]);
});

Deno.test("requestMessages() passes messages without pictures on as they are", async () => {
  const messages: Message[] = [said, { role: "user", kind: "task", content: [{ type: "text", text: "Do" }] }];
  const requested = await requestMessages(messages, options);
  assertEquals(requested.map((message, at) => message === messages[at]), [true, true]);
});

Deno.test("estimatePictures() counts the pictures that are sent", () => {
  const messages = [user("task", "/t"), said, user("pictures", "/a"), said, user("pictures", "/b")];
  assertEquals(estimatePictures(messages, { images: true }), 2 * PICTURE_TOKENS);
  assertEquals(estimatePictures(messages, { images: false }), 0);
});

/** Texts with the tokens that a common tokenizer of 100,000 to 200,000 entries makes of them. */
const TEXTS: [string, number, number][] = [
  ["", 0, 0],
  ["word", 1, 1],
  ["The quick brown fox jumps over the lazy dog.", 9, 12],
  ["日本語のテキストです", 5, 12],
  ["Привет, как дела?", 5, 12],
  ['{"path": "src/main.ts", "start_line": 120}', 12, 22],
  ["const total = items.reduce((sum, item) => sum + item.price, 0);", 14, 26],
  ["2026-11-21T06:40:00Z", 9, 18],
  ["😀😀😀", 3, 9],
  ["a".repeat(1_000), 100, 250],
  ["=".repeat(80), 1, 20],
  [" ".repeat(80), 1, 10],
];

Deno.test("estimateText() is near what tokenizers count, for prose, code and scripts without spaces", () => {
  for (const [text, least, most] of TEXTS) {
    const tokens = estimateText(text);
    assert(tokens >= least && tokens <= most, `${tokens} for ${JSON.stringify(text.slice(0, 40))}`);
  }
});

Deno.test("lengthOfTokens() cuts within the tokens and never inside a character", () => {
  for (const text of ["word ".repeat(500), "a".repeat(9_000), "😀".repeat(800), "日本".repeat(400)]) {
    for (const max of [1, 50, 51, 333]) {
      const cut = text.slice(0, lengthOfTokens(text, max));
      assert(cut.isWellFormed(), `${max} of ${text.slice(0, 5)}`);
      assert(estimateText(cut) <= max + 16 && cut.length > 0, `${estimateText(cut)} for ${max}`);
    }
  }
  assertEquals(lengthOfTokens("short", 100), 5);
});

Deno.test("estimateMessage() counts calls, the provider's fields, and pictures as they are sent", () => {
  const call = { id: "1", name: "Read", arguments: '{"path":"a.txt"}' };
  const plain = { role: "assistant", content: "", tool_calls: [] } as const;
  const options = { freshPictures: false };
  const bare = estimateMessage(plain, options);
  assert(estimateMessage({ ...plain, tool_calls: [call] }, options) > bare + 8);
  assert(
    estimateMessage({ ...plain, extra: { reasoning_content: "word ".repeat(90) } }, options) > bare + 80,
  );
  const picture = { type: "image", path: "/a.png", mime_type: "image/png", bytes: 5_000_000 } as const;
  const shown = { role: "user", kind: "pictures", content: [picture] } as const;
  assert(estimateMessage(shown, { freshPictures: true }) >= PICTURE_TOKENS);
  assert(estimateMessage(shown, options) < 30);
});

Deno.test("estimateTools() counts names, descriptions and schemas", () => {
  const tool = { name: "Read", description: "word ".repeat(100), parameters: { type: "object" } };
  assertEquals(estimateTools([]), 0);
  assert(estimateTools([tool, tool]) > 200);
});

Deno.test("TokenMeter corrects estimates by what was counted last, but not by nonsense", () => {
  const meter = new TokenMeter();
  assertEquals(meter.correct(1_000), 1_000);
  meter.learn(1_000, 1_500);
  assertEquals([meter.correct(1_000), meter.correct(2_000)], [1_500, 3_000]);
  meter.learn(1_000, 1);
  assertEquals(meter.correct(1_000), 750);
  meter.learn(1_000, 0);
  assertEquals(meter.correct(1_000), 750);
  meter.learn(1_000, 90_000);
  assertEquals([meter.correct(1_000), meter.correct(1_100)], [90_000, 90_300]);
  assertEquals(meter.scale(100), 300);
  meter.restart();
  assertEquals(meter.correct(500), 1_500);
});

const unwrapped = (text: string) => {
  const found = unwrapJson(text);
  return found && JSON.parse(found.text);
};

Deno.test("unwrapJson() mends what has one meaning only, and says what", () => {
  const cases: [string, unknown, string[]][] = [
    ['{"path":"a"}', { path: "a" }, []],
    ['"{\\"path\\":\\"a\\"}"', { path: "a" }, []],
    ['```json\n{"path":"a"}\n```', { path: "a" }, ["in a code fence"]],
    ['```{"path":"a"}```', { path: "a" }, ["in a code fence"]],
    ['{"text":"a\nb\tc"}', { text: "a\nb\tc" }, ["with bare line breaks in its texts"]],
    ["{'path': 'it is \"a\"', 'all': True, 'n': None}", { path: 'it is "a"', all: true, n: null }, [
      "in single quotes",
    ]],
    ["{'a': 'it\\'s'}", { a: "it's" }, ["in single quotes"]],
    ['{"path":"a"}{"path":"a"}', { path: "a" }, ["twice"]],
    ['{"path":"a"} {}', { path: "a" }, ["twice"]],
    ["{}{}", {}, ["twice"]],
  ];
  for (const [text, value, mended] of cases) {
    assertEquals([unwrapped(text), unwrapJson(text)?.mended], [value, mended], text);
  }
});

Deno.test("unwrapJson() leaves what could mean several things", () => {
  const cases = [
    '{"path":"a"}{"path":"b"}',
    '{"path":"a"',
    "{'a': 'it's'}",
    "[1]",
    '"text"',
    "",
    "path=a",
    "```\n```",
  ];
  for (const text of cases) assertEquals(unwrapJson(text), null, text);
});

Deno.test("jsonValues() cuts a text into objects and lists, whatever their texts hold", () => {
  assertEquals(jsonValues(' {"a":"}{\\""} [1,{"b":"]"}] '), ['{"a":"}{\\""}', '[1,{"b":"]"}]']);
  for (const text of ['{"a":1} x', '{"a":1', "1", '{"a']) assertEquals(jsonValues(text), null, text);
  assertEquals(endOfJson('x{"a":[]}y', 1), 9);
});
