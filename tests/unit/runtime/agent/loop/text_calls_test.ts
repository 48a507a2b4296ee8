import { assertEquals } from "@std/assert";

import type { Message } from "../../../../../schemas/agent/chat.ts";
import { offeredName } from "../../../../../runtime/agent/loop/offered_name.ts";
import type { OutputForm } from "../../../../../runtime/agent/loop/output_form.ts";
import type { AgentTool } from "../../../../../runtime/agent/loop/parts.ts";
import { readTextCalls, type TextCallOptions } from "../../../../../runtime/agent/loop/read_text_calls.ts";
import { findCalls } from "../../../../../runtime/agent/text_calls/find_calls.ts";
import type { WrittenCall } from "../../../../../runtime/agent/text_calls/written_call.ts";
import { tool } from "../../../../support/agent_scene.ts";

/** A call with its input as far as it is understood: an object, or the text of each parameter. */
function shown({ name, input }: WrittenCall): [string, unknown] {
  if ("value" in input) return [name, input.value];
  return [name, "text" in input ? input.text : Object.fromEntries(input.parameters)];
}

const isTool = (name: string) =>
  ["Read", "Grep", "Now", "Write"].includes(name.replace(/^functions\.|:\d+$/g, ""));
const read = (text: string) => findCalls(text, isTool)?.calls.map(shown) ?? null;
const A = ["Read", { path: "a" }];
const GREP = ["Grep", {}];
const TEXT_A = ["Read", '{"path":"a"}'];
const JSON_A = '{"name": "Read", "arguments": {"path": "a"}}';
const JSON_GREP = '{"name":"Grep","parameters":{}}';

Deno.test("findCalls() reads each form in which models write calls", () => {
  const cases: [string, unknown[]][] = [
    [`<tool_call>\n${JSON_A}\n</tool_call>`, [A]],
    [`<tool_call>${JSON_A}</tool_call>\n<tool_call>\n${JSON_GREP}\n</tool_call>`, [A, GREP]],
    [`<tool_call>\n${JSON_A}\n${JSON_A.replace("Read", "Grep")}</tool_call>`, [A, ["Grep", { path: "a" }]]],
    [`<tool_call>\n${JSON_A}`, [A]],
    [`<tool_calls>[${JSON_A}]</tool_calls><|im_end|>`, [A]],
    [`<function_call>{"name":"Read","arguments":"{\\"path\\":\\"a\\"}"}</function_call>`, [TEXT_A]],
    ...["</tool_call> }", "two\nlines"].map((text): [string, unknown[]] => [
      `<tool_call>{"name": "Write", "arguments": {"text": "${text}"}}</tool_call>`,
      [["Write", { text }]],
    ]),
    [`<tool_call>{'name': 'Read', 'arguments': {'path': 'a'}}</tool_call>`, [A]],
    ["<function=Read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>", [A]],
    ["<function=Write><parameter=path>a</parameter><parameter=text>\n\nx < y\n  </parameter></function>", [
      ["Write", { path: "a", text: "\nx < y\n  " }],
    ]],
    ['<function=Read>{"path":"a"}</function>', [TEXT_A]],
    ["<function=Now></function>", [["Now", {}]]],
    ["<tool_call>Read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>", [A]],
    ['<|python_tag|>{"name":"Read","parameters":{"path":"a"}}; {"name":"Grep","parameters":{}}', [A, GREP]],
    [`[TOOL_CALLS][${JSON_A}]`, [A]],
    [` \n${JSON_A}\n\n${JSON_A}\n`, [A, A]],
    [`[${JSON_A}, ${JSON_GREP}]`, [A, GREP]],
    [`{"type":"function","function":${JSON_A}}`, [A]],
    [`{"tool_calls":[{"id":"x","type":"function","function":${JSON_A}}]}`, [A]],
    ["```\n<tool_call>\n" + JSON_A + "\n</tool_call>\n```", [A]],
    ["```json\n" + JSON_A + "\n```\n\n```json\n" + JSON_A + "\n```", [A, A]],
  ];
  for (const [text, calls] of cases) assertEquals(read(text), calls, text);
});

Deno.test("findCalls() leaves a text that is not made of calls only", () => {
  const cases = [
    "All done",
    "",
    `${JSON_A}\nThis would read the file.`,
    "```json\n" + JSON_A + "\n```\nThat is all.",
    '{"name": "Ada", "age": 36}',
    '{"name": "Ada"}',
    '{"name": "Read", "arguments": ["a"]}',
    '{"name": "Read", "arguments": {"path": "a"}, "why": "I like it"}',
    `[${JSON_A}, 1]`,
    "[]",
    "<b>bold</b>",
    "```ts\nconst a = 1;\n```",
    "{ not json",
    "[1] A note",
  ];
  for (const text of cases) assertEquals(findCalls(text, isTool), null, text);
});

/** The published forms of open models; each is one call of Read. */
const DIALECTS: Readonly<Record<string, string>> = {
  minimax:
    '<minimax:tool_call>\n<invoke name="Read">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  oldTags:
    "<function_calls><invoke><tool_name>Read</tool_name><parameters><path>a</path></parameters></invoke>" +
    "</function_calls>",
  children: '<invoke name="Read">\n<path>a</path>\n</invoke>',
  dsml:
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="Read">\n<｜DSML｜parameter name="path" string="true">a' +
    "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
  deepseek3: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>Read\n```json\n" +
    '{"path":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
  deepseek31:
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>Read<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  step3: "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>" +
    '<steptml:invoke name="Read"><steptml:parameter name="path">a</steptml:parameter></steptml:invoke>' +
    "<｜tool_call_end｜><｜tool_calls_end｜>",
  kimi: "<|tool_calls_section_begin|><|tool_call_begin|>functions.Read:0<|tool_call_argument_begin|>" +
    '{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>',
  hunyuan:
    "<tool_calls><tool_call>Read<tool_sep><arg_key>path</arg_key><arg_value>a</arg_value></tool_call></tool_calls>",
  glm4: 'Read\n{"path":"a"}',
  seed: "<seed:tool_call>\n<function=Read>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>",
  longcat: `<longcat_tool_call>${JSON_A}</longcat_tool_call>`,
  xai: '<xai:function_call name="Read">\n<parameter name="path">a</parameter>\n</xai:function_call>',
  granite: `<|tool_call|>[${JSON_A}]`,
  phi4: `<|tool_call|>[${JSON_A}]<|/tool_call|>`,
  functools: `functools[${JSON_A}]`,
  nemotron: `<TOOLCALL>[${JSON_A}]</TOOLCALL>`,
  internlm: `<|action_start|><|plugin|>\n${JSON_A}<|action_end|>`,
  cohere: '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"Read","parameters":{"path":"a"}}]<|END_ACTION|>',
  doubao: `<|FunctionCallBegin|>[${JSON_A}]<|FunctionCallEnd|>`,
  apertus: '<|tools_prefix|>[{"Read": {"path": "a"}}]<|tools_suffix|>',
  lfm2: '<|tool_call_start|>[Read(path="a")]<|tool_call_end|>',
  olmo3: '<function_calls>\nRead(path="a")\n</function_calls>',
  llama4: '<|python_start|>[Read(path="a")]<|python_end|>',
  llamaTool: '<|python_tag|>Read.call(path="a")<|eom_id|>',
  pythonic: "[Read(path='a')]",
  code: 'Read(path="a")',
  printed: 'print(default_api.Read(path="a"))',
  gemmaFunction: "<start_function_call>call:Read{path:<escape>a<escape>}<end_function_call>",
  gemma4: '<|tool_call>call:Read{path:<|"|>a<|"|>}<tool_call|>',
  harmony: '<|channel|>commentary to=functions.Read <|constrain|>json<|message|>{"path":"a"}<|call|>',
  harmonyThought: "<|channel|>analysis<|message|>I read it<|end|><|start|>assistant<|channel|>commentary " +
    'to=functions.Read <|constrain|>json<|message|>{"path":"a"}<|call|>',
  harmonyRole:
    '<|start|>assistant to=functions.Read<|channel|>commentary json<|message|>{"path":"a"}<|call|>',
  harmonyBare: 'assistantcommentary to=functions.Read json{"path":"a"}',
  functionary2: '<|from|>assistant\n<|recipient|>Read\n<|content|>{"path":"a"}<|stop|>',
  functionary3: '>>>Read\n{"path":"a"}',
  mistralBare: 'Read[ARGS]{"path":"a"}',
  mistralId: '[TOOL_CALLS]Read[CALL_ID]abc123[ARGS]{"path":"a"}</s>',
  react: 'Action: Read\nAction Input: {"path":"a"}',
  qwen1: '✿FUNCTION✿: Read\n✿ARGS✿: {"path":"a"}\n✿RESULT✿',
  nexus: 'Call: Read(path="a")<bot_end>',
  xlam: '{"thought": "I read", "tool_calls": [{"name": "Read", "arguments": {"path": "a"}}]}',
  langchain: '{"action": "Read", "action_input": {"path": "a"}}',
  parallel: '{"tool_uses":[{"recipient_name":"functions.Read","parameters":{"path":"a"}}]}',
  cline: "<Read>\n<path>a</path>\n</Read>",
};

Deno.test("readTextCalls() runs the published forms of open models, whole and behind a sentence", async () => {
  const bare = ["glm4", "pythonic", "code", "printed", "xlam", "langchain", "parallel", "cline"];
  for (const [name, text] of Object.entries(DIALECTS)) {
    const wanted = { calls: [{ id: "", name: "Read", arguments: JSON.stringify({ path: "a" }) }] };
    const said = async (content: string) => {
      const read = await readOffered(content);
      if (!read || !("calls" in read)) return read;
      const plain = (text: string) => JSON.stringify(JSON.parse(text));
      return { calls: read.calls.map((one) => ({ ...one, arguments: plain(one.arguments) })) };
    };
    assertEquals(await said(text), wanted, name);
    assertEquals(await said(`\n${text}\n`), wanted, name);
    const behind = await said(`I look at it.\n${text}`);
    if (!bare.includes(name)) assertEquals(behind, wanted, `behind a sentence: ${name}`);
    assertEquals(behind !== null || name === "glm4" || name === "cline", true, `an answer: ${name}`);
  }
});

Deno.test("findCalls() tells a call that is broken", () => {
  const cases = [
    '<tool_call>\n{"name": "Read", "arguments": {"path": \n</tool_call>',
    "<tool_call>Read the file</tool_call>",
    '{"name": "Read", "arguments": {"path": "a"',
    '```json\n{"name": "Read", "arguments": {"path": "a", }}\n```',
    "<|python_tag|>{broken",
    "[TOOL_CALLS]Read",
  ];
  for (const text of cases) assertEquals(findCalls(text, isTool)?.broken, true, text);
});

Deno.test("findCalls() never throws, wherever a text is cut or what is put into it", () => {
  const whole =
    `<tool_call>\n<function=Write>\n<parameter=text>\n${JSON_A}\n</parameter>\n</function>\n</tool_call>\n` +
    "```json\n" + JSON_A + "\n```";
  for (let at = 0; at <= whole.length; at++) {
    for (const piece of ["", '"', "{", "</", "```", "\\", "'"]) {
      findCalls(whole.slice(0, at) + piece + whole.slice(at), isTool);
    }
    for (const cut of [whole.slice(0, at), whole.slice(at)]) findCalls(cut, isTool);
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
  readTextCalls(content, { tools, output, makesCalls: false, messages: [], sawPictures: false });
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
  const problem = 'there is no tool "Fetch"';
  for (const text of [MARKED, JSON_CALL]) {
    assertEquals(await readOffered(text.replace("Read", "Fetch")), { problem });
  }
  const broken = await readOffered(MARKED + '<tool_call>{"na</tool_call>');
  assertEquals(broken, { problem: "it is not valid JSON" });
  assertEquals(await readOffered(MARKED, undefined, new Map()), { problem: 'there is no tool "Read"' });
});

const task = (text: string): Message => ({ role: "user", kind: "task", content: [{ type: "text", text }] });
const result = (content: string): Message => ({ role: "tool", tool_call_id: "a", content });
const SPREAD =
  "<tool_call>\n<function=Read>\n<parameter=path>\nsecret.txt\n</parameter>\n</function>\n</tool_call>";

/** Contents that the model was shown, replies to them, and what each reply is. */
const QUOTED: readonly (readonly [shown: Message, reply: string, is: "answer" | "told" | "call"])[] = [
  [result(MARKED), MARKED, "answer"],
  [result(`path: a.txt\ncontent:\n${JSON_CALL}\n`), JSON_CALL, "answer"],
  [task(`Say ${MARKED.replace(":", " : ")}`), MARKED, "answer"],
  [result(SPREAD.split("\n").map((line, at) => `${at + 1}\t${line}`).join("\n")), SPREAD, "answer"],
  [result(JSON.stringify({ content: MARKED })), MARKED, "answer"],
  [result(MARKED.replaceAll("<", "&lt;").replaceAll(">", "&gt;")), MARKED, "answer"],
  [result(MARKED), `The file says:\n${MARKED}`, "answer"],
  [result(`- ${SPREAD.replaceAll("\n", "\n- ")}`), SPREAD, "told"],
  [result(JSON_CALL), MARKED, "told"],
  [task("Read a"), MARKED, "call"],
  [result("path: a\ncontent:\nx"), MARKED, "call"],
  [result("a call"), `Here is an example:\n${MARKED}`, "told"],
  [result("a call"), `I would write ${MARKED}`, "told"],
  [result("a call"), `${MARKED}\nis how one calls it.`, "told"],
  [result("a call"), `Let me read it:\n${MARKED}`, "call"],
  [result("a call"), `See:\n\n    ${MARKED}`, "told"],
  [result("a call"), `> ${MARKED}`, "told"],
  [result("a call"), `<example>\n${MARKED}\n</example>`, "told"],
  [result("a call"), "```\n" + MARKED + "\n```", "told"],
  [result("a call"), "Use this form:\n```\n" + MARKED + "\n```\nThat is all.", "answer"],
  [result("a call"), "`" + MARKED + "` calls it.", "answer"],
  [result("a call"), `<thinking>I could write ${MARKED}</thinking>Done`, "answer"],
  [
    result("a call"),
    `<|channel|>analysis<|message|>${MARKED}<|end|><|start|>assistant<|channel|>final<|message|>Done`,
    "answer",
  ],
  [result("a call"), "The <tool_call> tag begins a call.", "answer"],
  [result("a call"), `I read it.\n<tool_call>{"name": "Read", "argu`, "told"],
  [result("a call"), `I read it.\n${JSON_CALL}`, "told"],
];

Deno.test("readTextCalls() runs nothing that may be a quotation or an example", async () => {
  const options: TextCallOptions = { tools: TOOLS, makesCalls: false, messages: [], sawPictures: false };
  for (const [shown, reply, is] of QUOTED) {
    const read = await readTextCalls(reply, { ...options, messages: [shown] });
    assertEquals(read === null ? "answer" : "calls" in read ? "call" : "told", is, reply);
  }
  const told = async (more: Partial<TextCallOptions>) => await readTextCalls(MARKED, { ...options, ...more });
  assertEquals(await told({ makesCalls: true }), { problem: "it was not made as a call" });
  assertEquals(await told({ sawPictures: true }), { problem: "it may be the text of a picture" });
  assertEquals(await told({ makesCalls: true, messages: [result(MARKED)] }), null);
});

Deno.test("readTextCalls() takes as an answer what was asked for, and JSON where there are no tools", async () => {
  assertEquals(await readOffered(JSON_CALL, NAMED), null);
  assertEquals(await readOffered("```json\n" + JSON_CALL + "\n```", NAMED), null);
  assertEquals(await readOffered(JSON_CALL, LISTED), call("Read", { path: "a" }));
  assertEquals(await readOffered(JSON_CALL.replace("Read", "Fetch"), LISTED), null);
  assertEquals(await readOffered(MARKED, NAMED), call("Read", { path: "a" }));
  assertEquals(await readOffered(JSON_CALL, undefined, new Map()), null);
  assertEquals(await readOffered("Done: " + JSON_CALL), null);
  assertEquals(await readOffered("Like this:\n```json\n" + JSON_CALL + "\n```"), null);
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
  const owned = ["a", "b", "c"].map((name) => ({
    ...tool(`mcp_${name}_big`),
    own_name: name === "c" ? "sum.all" : "Read",
  }));
  const more = new Map([...tools, ...owned.map((one) => [one.name, one] as const)]);
  assertEquals(["sum.all", "Read"].map((name) => offeredName(name, more)), ["mcp_c_big", "Read"]);
  assertEquals(offeredName("Read", new Map(owned.map((one) => [one.name, one]))), null);
});
