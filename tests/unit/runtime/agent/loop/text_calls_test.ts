import { assertEquals } from "@std/assert";

import { offeredName } from "../../../../../runtime/agent/loop/offered_name.ts";
import type { OutputForm } from "../../../../../runtime/agent/loop/output_form.ts";
import type { AgentTool } from "../../../../../runtime/agent/loop/parts.ts";
import { readTextCalls } from "../../../../../runtime/agent/loop/read_text_calls.ts";
import { readWrittenCalls, type WrittenCall } from "../../../../../runtime/agent/loop/text_call_forms.ts";
import { tool } from "../../../../support/agent_scene.ts";

/** A call with its input as far as it is understood: an object, or the text of each parameter. */
function shown({ name, input }: WrittenCall): [string, unknown] {
  if ("value" in input) return [name, input.value];
  return [name, "text" in input ? input.text : Object.fromEntries(input.parameters)];
}

const read = (text: string) => readWrittenCalls(text)?.calls.map(shown) ?? null;
const A = ["Read", { path: "a" }];
const GREP = ["Grep", {}];
const TEXT_A = ["Read", '{"path":"a"}'];
const JSON_A = '{"name": "Read", "arguments": {"path": "a"}}';

Deno.test("readWrittenCalls() reads each form in which models write calls", () => {
  const cases: [string, unknown[]][] = [
    [`<tool_call>\n${JSON_A}\n</tool_call>`, [A]],
    [`<tool_call>${JSON_A}</tool_call>\n<tool_call>\n{"name":"Grep","parameters":{}}\n</tool_call>`, [
      A,
      GREP,
    ]],
    [`<tool_call>\n${JSON_A}\n${JSON_A.replace("Read", "Grep")}</tool_call>`, [A, ["Grep", { path: "a" }]]],
    [`<tool_call>\n${JSON_A}`, [A]],
    [`<tool_calls>[${JSON_A}]</tool_calls><|im_end|>`, [A]],
    [`<function_call>{"name":"Read","arguments":"{\\"path\\":\\"a\\"}"}</function_call>`, [TEXT_A]],
    ...["</tool_call> }", "two\nlines"].map((text): [string, unknown[]] => [
      `<tool_call>{"name": "Write", "arguments": {"text": "${text}"}}</tool_call>`,
      [["Write", { text }]],
    ]),
    [`<tool_call>{'name': 'Read', 'arguments': {'path': 'a'}}</tool_call>`, [A]],
    ["<function=Read>\n<parameter=path>\na\n</parameter>\n</function>", [A]],
    ["<tool_call>\n<function=Read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>", [A]],
    ["<function=Read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>", [A]],
    ["<function=Write><parameter=path>a</parameter><parameter=text>\n\nx < y\n  </parameter></function>", [
      ["Write", { path: "a", text: "\nx < y\n  " }],
    ]],
    ['<function=Read>{"path":"a"}</function>', [TEXT_A]],
    ["<function=Now></function>", [["Now", {}]]],
    ['<invoke name="Read"><parameter name="path">a</parameter></invoke>', [A]],
    ['<function_calls><invoke name="Read"><parameter name="path">a</parameter></invoke></function_calls>', [
      A,
    ]],
    ["<tool_call>Read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>", [A]],
    ['<|python_tag|>{"name": "Read", "parameters": {"path": "a"}}<|eom_id|>', [A]],
    ['<|python_tag|>{"name":"Read","parameters":{"path":"a"}}; {"name":"Grep","parameters":{}}', [A, GREP]],
    [`[TOOL_CALLS][${JSON_A}]`, [A]],
    ['[TOOL_CALLS]Read[ARGS]{"path":"a"}', [TEXT_A]],
    [JSON_A, [A]],
    [` \n${JSON_A}\n\n${JSON_A}\n`, [A, A]],
    [`[${JSON_A}, {"name":"Grep","parameters":{}}]`, [A, GREP]],
    [`{"type":"function","function":${JSON_A}}`, [A]],
    [`{"tool_calls":[{"id":"x","type":"function","function":${JSON_A}}]}`, [A]],
    ["```json\n" + JSON_A + "\n```", [A]],
    ["```\n<tool_call>\n" + JSON_A + "\n</tool_call>\n```", [A]],
    ["```json\n" + JSON_A + "\n```\n\n```json\n" + JSON_A + "\n```", [A, A]],
  ];
  for (const [text, calls] of cases) assertEquals(read(text), calls, text);
});

Deno.test("readWrittenCalls() leaves a text that is not made of calls only", () => {
  const cases = [
    "All done",
    "",
    "I would call <tool_call>" + JSON_A + "</tool_call>",
    `<tool_call>${JSON_A}</tool_call> is how one calls it.`,
    `${JSON_A}\nThis would read the file.`,
    "Like this:\n```json\n" + JSON_A + "\n```",
    "```json\n" + JSON_A + "\n```\nThat is all.",
    '{"name": "Ada", "age": 36}',
    '{"name": "Ada"}',
    '{"name": "Read", "arguments": ["a"]}',
    '{"name": "Read", "arguments": {"path": "a"}, "why": "I like it"}',
    `[${JSON_A}, 1]`,
    "[]",
    "{}",
    "<b>bold</b>",
    "```ts\nconst a = 1;\n```",
    "{ not json",
    "[1] A note",
  ];
  for (const text of cases) assertEquals(readWrittenCalls(text), null, text);
});

Deno.test("readWrittenCalls() tells a call that is broken", () => {
  const cases = [
    '<tool_call>\n{"name": "Read", "arguments": {"path": \n</tool_call>',
    "<tool_call>Read the file</tool_call>",
    '{"name": "Read", "arguments": {"path": "a"',
    '```json\n{"name": "Read", "arguments": {"path": "a", }}\n```',
    "<|python_tag|>{broken",
    "[TOOL_CALLS]Read",
  ];
  for (const text of cases) assertEquals(readWrittenCalls(text)?.broken, "it is not valid JSON", text);
});

Deno.test("readWrittenCalls() never throws, wherever a text is cut or what is put into it", () => {
  const whole =
    `<tool_call>\n<function=Write>\n<parameter=text>\n${JSON_A}\n</parameter>\n</function>\n</tool_call>\n` +
    "```json\n" + JSON_A + "\n```";
  for (let at = 0; at <= whole.length; at++) {
    for (const piece of ["", '"', "{", "</", "```", "\\", "'"]) {
      readWrittenCalls(whole.slice(0, at) + piece + whole.slice(at));
    }
    for (const cut of [whole.slice(0, at), whole.slice(at)]) readWrittenCalls(cut);
  }
});

const parameters = {
  type: "object",
  properties: { path: { type: "string" }, lines: { type: "integer" }, all: { type: ["boolean", "null"] } },
};
const TOOLS = new Map([["Read", tool("Read", { parameters })], ["Write", tool("Write")]]);
const JSON_CALL = '{"name":"Read","arguments":{"path":"a"}}';
const MARKED = `<tool_call>${JSON_CALL}</tool_call>`;
/** An answer that must have a name. */
const NAMED: OutputForm = {
  schema: {},
  check: (value) => Object.hasOwn(Object(value), "name") ? [] : ["no name"],
};
const LISTED: OutputForm = { schema: {}, check: (value) => Array.isArray(value) ? [] : ["no list"] };

const readOffered = (content: string, output?: OutputForm, tools: ReadonlyMap<string, AgentTool> = TOOLS) =>
  readTextCalls(content, { tools, output });
const call = (name: string, input: unknown) => ({
  calls: [{ id: "", name, arguments: JSON.stringify(input) }],
});

Deno.test("readTextCalls() takes calls of offered tools, under the names that were offered", async () => {
  assertEquals(await readOffered(MARKED), call("Read", { path: "a" }));
  assertEquals(await readOffered(JSON_CALL), call("Read", { path: "a" }));
  assertEquals(await readOffered(JSON_CALL.replace("Read", "functions.read")), call("Read", { path: "a" }));
});

Deno.test("readTextCalls() reads parameters as their tool takes them", async () => {
  const text = "<function=Read><parameter=path>12</parameter><parameter=lines>12</parameter>" +
    "<parameter=all>true</parameter><parameter=other>{}</parameter></function>";
  assertEquals(await readOffered(text), call("Read", { path: "12", lines: 12, all: true, other: "{}" }));
});

Deno.test("readTextCalls() tells what cannot be run", async () => {
  assertEquals(await readOffered(MARKED.replace("Read", "Fetch")), { problem: 'there is no tool "Fetch"' });
  assertEquals(await readOffered(JSON_CALL.replace("Read", "Fetch")), {
    problem: 'there is no tool "Fetch"',
  });
  assertEquals(await readOffered(`<tool_call>${JSON_CALL}</tool_call><tool_call>{"na</tool_call>`), {
    problem: "it is not valid JSON",
  });
  assertEquals(await readOffered(MARKED, undefined, new Map()), { problem: 'there is no tool "Read"' });
});

Deno.test("readTextCalls() takes as an answer what was asked for, and JSON where there are no tools", async () => {
  assertEquals(await readOffered(JSON_CALL, NAMED), null);
  assertEquals(await readOffered("```json\n" + JSON_CALL + "\n```", NAMED), null);
  assertEquals(await readOffered(JSON_CALL, LISTED), call("Read", { path: "a" }));
  assertEquals(await readOffered(JSON_CALL.replace("Read", "Fetch"), LISTED), null);
  assertEquals(await readOffered(MARKED, NAMED), call("Read", { path: "a" }));
  assertEquals(await readOffered(JSON_CALL, undefined, new Map()), null);
  assertEquals(await readOffered("Done: " + JSON_CALL), null);
});

/** Each tool with names that models give it, and `null` with those that mean none. */
const SAID: readonly (readonly [name: string | null, said: string])[] = [
  ["Read", "Read|read| Read |functions.Read|functions.read|default_api:Read|functions.Read:0|set/Read"],
  ["tools.list", "tools.list"],
  ["grep", "grep"],
  ["web_search_tool", "WebSearchTool|functions.websearchtool|set/Web-Search-Tool"],
  ["PickUp", "PickUp"],
  [null, "pick-up|_|GREP|other/Read|Reed|functions.|"],
];

Deno.test("offeredName() finds the one tool that a name means", () => {
  const names = "Read Write grep Grep tools.list web_search_tool pick_up PickUp".split(" ");
  const tools = new Map(names.map((name) => [name, tool(name)]));
  for (const [name, said] of SAID) {
    for (const one of said.split("|")) assertEquals(offeredName(one, tools), name, one);
  }
  assertEquals(offeredName("Read<|channel|>commentary", tools), "Read");
});
