import { assertEquals } from "@std/assert";

import { WaitingAnswers } from "../../../../../runtime/sources/mcp/inside/remote/answers.ts";
import { foldIssues } from "../../../../../runtime/sources/mcp/fold_issues.ts";
import { readableFetch } from "../../../../../runtime/sources/mcp/inside/remote/readable_fetch.ts";

const RESULT = { content: [{ type: "text", text: "a" }] };
const DEEP = `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(300)}${"]".repeat(300)}}`;

/** Answers to request 1, and what comes of them: its result, or the message of its error. */
const SAID: readonly (readonly [text: string, read: unknown])[] = [
  [JSON.stringify({ jsonrpc: "2.0", id: 1, result: RESULT }), RESULT],
  [JSON.stringify({ jsonrpc: "2.0", id: "1", result: RESULT }), RESULT],
  [JSON.stringify({ id: 1, result: RESULT }), RESULT],
  [JSON.stringify({ jsonrpc: "1.0", id: 1, result: RESULT, error: null }), RESULT],
  [JSON.stringify([{ jsonrpc: "2.0", id: 1, result: RESULT }]), RESULT],
  [JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", result: RESULT }), RESULT],
  ['{"jsonrpc":"2.0","id":1,"error":"no disk"}', "no disk"],
  ['{"jsonrpc":"2.0","id":1,"error":{"message":"no disk"}}', "no disk"],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":"E1","message":"no disk"}}', "no disk"],
  ['{"jsonrpc":"2.0","id":1,"error":{"why":1}}', '{"why":1}'],
  ['{"jsonrpc":"2.0","id":1,"result":null}', "its result is null"],
  ['{"jsonrpc":"2.0","id":1,"result":"a"}', "its result is a string"],
  ['{"jsonrpc":"2.0","id":1}', "it has no result"],
  ['{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te', "it is not valid JSON"],
  [DEEP, "it is nested too deep"],
  ['{"jsonrpc":"2.0","id":2,"result":null}', null],
  ['{"jsonrpc":"2.0","result":null}', null],
  ['listening on {"id":1', null],
  ["", null],
];

function asked(method = "tools/call"): WaitingAnswers {
  const answers = new WaitingAnswers();
  answers.sent({ jsonrpc: "2.0", id: 1, method });
  return answers;
}

const unknown = (kind: string) => ({ type: "text", text: "", _meta: { "bulkhead/unknown": kind } });
const NOBODY = { name: "", version: "" };

/** Results of another form than the protocol says, and as what they are read. */
const MENDED: readonly (readonly [method: string, result: unknown, read: unknown])[] = [
  ["tools/call", { content: "a" }, { content: [{ type: "text", text: "a" }] }],
  ["tools/call", { isError: true }, { isError: true, content: [] }],
  ["tools/call", { content: null }, { content: [] }],
  ["tools/call", { content: { type: "text", text: "a" } }, { content: [{ type: "text", text: "a" }] }],
  ["tools/call", { content: [{ type: "video", url: "x" }, 5, null, {}] }, {
    content: [unknown("video"), unknown("number"), unknown("null"), unknown("nothing said")],
  }],
  ["tools/call", { content: [{ type: "text", text: 5 }] }, { content: [unknown("text")] }],
  ["tools/call", { content: [{ type: "image", data: "aa", annotations: 5 }] }, {
    content: [{ type: "image", data: "aa", mimeType: "" }],
  }],
  ["initialize", { protocolVersion: "2025-06-18" }, {
    ...{ protocolVersion: "2025-06-18", capabilities: {}, serverInfo: NOBODY },
  }],
  ["initialize", { serverInfo: {}, capabilities: { tools: {} } }, {
    ...{ serverInfo: NOBODY, capabilities: { tools: {} } },
  }],
  ["tools/list", { tools: [], nextCursor: "" }, { tools: [] }],
  ["tools/list", { tools: [], nextCursor: null }, { tools: [] }],
  ["tools/list", { tools: [], nextCursor: "2" }, { tools: [], nextCursor: "2" }],
  ["prompts/get", { messages: [{ content: "a" }] }, {
    messages: [{ role: "user", content: { type: "text", text: "a" } }],
  }],
  ["resources/read", { contents: [{ uri: "m:1" }] }, {
    contents: [{ uri: "m:1", text: "", _meta: { "bulkhead/unknown": "resource" } }],
  }],
];

Deno.test("WaitingAnswers brings results into the form that the library takes, and marks what nobody knows", () => {
  for (const [method, result, read] of MENDED) {
    const [message] = asked(method).read(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    assertEquals((message as { result: unknown }).result, read, JSON.stringify(result));
  }
});

Deno.test("foldIssues() puts the dump of a validator into words, and leaves all else", () => {
  const issue = (path: unknown[], message: string, code = "invalid_type") => ({
    code,
    path,
    message,
    expected: "x",
  });
  const dump = (...issues: unknown[]) => `Invalid result for x: ${JSON.stringify(issues, null, 2)}`;
  const rows: [string, string][] = [
    [
      dump(issue(["serverInfo", "name"], "Invalid input: expected string, received undefined")),
      "Invalid result for x: serverInfo.name: expected string, received undefined",
    ],
    [
      dump(issue([], "Invalid input", "invalid_union")),
      "Invalid result for x: the whole: it has none of the forms that are known",
    ],
    [
      dump(...[1, 2, 3, 4, 5].map((at) => issue([at], "no"))),
      "Invalid result for x: 1: no; 2: no; 3: no; and 2 more",
    ],
    ['see [{"a":1}] and [2]', 'see [{"a":1}] and [2]'],
    ["plain [words]", "plain [words]"],
  ];
  for (const [text, expected] of rows) assertEquals(foldIssues(text), expected);
});

function outcomeOf(messages: readonly unknown[]): unknown {
  if (messages.length === 0) return null;
  const [{ id, result, error }] = messages as [
    { id: unknown; result?: unknown; error?: { message: string } },
  ];
  return id !== 1 ? null : result ?? error?.message;
}

Deno.test("WaitingAnswers ends a request whose answer cannot be read, and mends what can be understood", () => {
  for (const [text, read] of SAID) assertEquals(outcomeOf(asked().read(text)), read, text);
  const answers = asked();
  assertEquals(answers.read('{"jsonrpc":"2.0","id":1,"result":null}').length, 1);
  assertEquals(answers.read('{broken, "id": 1'), []);
});

Deno.test("WaitingAnswers leaves requests and notices of the server as they are", () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const notice = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
  for (const message of [ping, notice]) {
    assertEquals(asked().read(JSON.stringify(message)), [message as never]);
  }
});

Deno.test("readableFetch() ends a request whose answer cannot be read, in JSON and in events", async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call" });
  for (const [text, read] of SAID.filter(([text]) => text !== "")) {
    const json = readableFetch(() => Promise.resolve(jsonOf(text)), asked());
    const whole = await (await json("http://a/", { method: "POST", body })).json();
    assertEquals(outcomeOf([whole].flat()), read ?? "it is no answer to the request", text);
    const events = readableFetch(() => Promise.resolve(eventOf(text)), asked());
    const said = await (await events("http://a/")).text();
    const messages = said.split("\n\n").filter((event) => event.includes('data: {"jsonrpc"'));
    if (read !== null) {
      assertEquals(outcomeOf(messages.map((event) => JSON.parse(/data: (.*)/.exec(event)![1]!))), read, text);
    }
  }
});

function jsonOf(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}

function eventOf(text: string): Response {
  return new Response(`event: message\r\nid: 7\r\ndata: ${text}\r\n\r\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}
