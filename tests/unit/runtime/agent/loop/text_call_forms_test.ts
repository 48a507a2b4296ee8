import { assertEquals } from "@std/assert";

import { readWrittenCalls, type WrittenCall } from "../../../../../runtime/agent/loop/text_call_forms.ts";

/** A call with its input as far as it is understood: an object, or the text of each parameter. */
function shown({ name, input }: WrittenCall): [string, unknown] {
  if ("value" in input) return [name, input.value];
  return [name, "text" in input ? input.text : Object.fromEntries(input.parameters)];
}

const read = (text: string) => readWrittenCalls(text)?.calls.map(shown) ?? null;
const A = ["Read", { path: "a" }];
const JSON_A = '{"name": "Read", "arguments": {"path": "a"}}';

Deno.test("readWrittenCalls() reads each form in which models write calls", () => {
  const cases: [string, unknown[]][] = [
    [`<tool_call>\n${JSON_A}\n</tool_call>`, [A]],
    [`<tool_call>${JSON_A}</tool_call>\n<tool_call>\n{"name":"Grep","parameters":{}}\n</tool_call>`, [A, [
      "Grep",
      {},
    ]]],
    [`<tool_call>\n${JSON_A}\n${JSON_A.replace("Read", "Grep")}</tool_call>`, [A, ["Grep", { path: "a" }]]],
    [`<tool_call>\n${JSON_A}`, [A]],
    [`<tool_calls>[${JSON_A}]</tool_calls><|im_end|>`, [A]],
    [`<function_call>{"name":"Read","arguments":"{\\"path\\":\\"a\\"}"}</function_call>`, [[
      "Read",
      '{"path":"a"}',
    ]]],
    [`<tool_call>{"name":"Write","arguments":{"text":"</tool_call> }"}}</tool_call>`, [["Write", {
      text: "</tool_call> }",
    }]]],
    [`<tool_call>{"name": "Write", "arguments": {"text": "two\nlines"}}</tool_call>`, [["Write", {
      text: "two\nlines",
    }]]],
    [`<tool_call>{'name': 'Read', 'arguments': {'path': 'a'}}</tool_call>`, [A]],
    ["<function=Read>\n<parameter=path>\na\n</parameter>\n</function>", [A]],
    ["<tool_call>\n<function=Read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>", [A]],
    ["<function=Read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>", [A]],
    ["<function=Write><parameter=path>a</parameter><parameter=text>\n\nx < y\n  </parameter></function>", [
      ["Write", { path: "a", text: "\nx < y\n  " }],
    ]],
    ['<function=Read>{"path":"a"}</function>', [["Read", '{"path":"a"}']]],
    ["<function=Now></function>", [["Now", {}]]],
    ['<invoke name="Read"><parameter name="path">a</parameter></invoke>', [A]],
    ['<function_calls><invoke name="Read"><parameter name="path">a</parameter></invoke></function_calls>', [
      A,
    ]],
    ["<tool_call>Read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>", [A]],
    ['<|python_tag|>{"name": "Read", "parameters": {"path": "a"}}<|eom_id|>', [A]],
    ['<|python_tag|>{"name":"Read","parameters":{"path":"a"}}; {"name":"Grep","parameters":{}}', [A, [
      "Grep",
      {},
    ]]],
    [`[TOOL_CALLS][${JSON_A}]`, [A]],
    ['[TOOL_CALLS]Read[ARGS]{"path":"a"}', [["Read", '{"path":"a"}']]],
    [JSON_A, [A]],
    [` \n${JSON_A}\n\n${JSON_A}\n`, [A, A]],
    [`[${JSON_A}, {"name":"Grep","parameters":{}}]`, [A, ["Grep", {}]]],
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

Deno.test("readWrittenCalls() never throws and stays fast, wherever a text is cut or what is put into it", () => {
  const whole = "<tool_call>\n<function=Write>\n<parameter=text>\n" + JSON_A +
    "\n</parameter>\n</function>\n</tool_call>\n" +
    "```json\n" + JSON_A + "\n```";
  for (let at = 0; at <= whole.length; at++) {
    readWrittenCalls(whole.slice(0, at));
    readWrittenCalls(whole.slice(at));
    for (const piece of ['"', "{", "</", "```", "\\", "'"]) {
      readWrittenCalls(whole.slice(0, at) + piece + whole.slice(at));
    }
  }
  const started = performance.now();
  for (const piece of [" ", "\n", "{", "<", "```\n", "<parameter=a>", "</s>", '{"', "'"]) {
    readWrittenCalls("<function=a>" + piece.repeat(20_000));
    readWrittenCalls("{" + piece.repeat(20_000));
  }
  const seconds = (performance.now() - started) / 1_000;
  assertEquals(seconds < 20, true, `${seconds} s`);
});
