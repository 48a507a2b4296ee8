import { assert, assertEquals } from "@std/assert";

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
import { TokenMeter } from "../../../../runtime/agent/loop/token_meter.ts";
import type { Message, Part } from "../../../../schemas/agent/chat.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { textsOf } from "../../../support/agent_scene.ts";

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
  const both = ["</t>", "I see", EARLIER("/a"), "I see", "</b>"];
  assertEquals(await sent([...messages, said, user("pictures", "/b")]), both);
});

Deno.test("requestMessages() shows the pictures of the newest request alone", async () => {
  const newest = [EARLIER("/old"), "I see", "</new>", "I see"];
  assertEquals(await sent([user("task", "/old"), said, user("task", "/new"), said]), newest);
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
  const extra = { reasoning_content: "word ".repeat(90) };
  assert(estimateMessage({ ...plain, extra }, options) > bare + 80);
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
