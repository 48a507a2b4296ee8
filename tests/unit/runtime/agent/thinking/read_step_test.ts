import { assertEquals } from "@std/assert";

import { findObject } from "../../../../../runtime/agent/thinking/find_object.ts";
import { nextStepForm } from "../../../../../runtime/agent/thinking/next_step.ts";
import { readStep } from "../../../../../runtime/agent/thinking/read_step.ts";
import { tool } from "../../../../support/agent_scene.ts";

const reasoning = {
  type: "object",
  properties: { why: { type: "string", maxLength: 5 }, done: { type: "boolean" } },
  required: ["why", "done"],
} as const;
const TOOLS = [
  tool("web_search", { parameters: { type: "object", properties: { query: { type: "string" } } } }),
  tool("Send", { parameters: { type: "object", properties: { input: { type: "object" } } } }),
];
const SAID = { why: "x", done: false };
const FOUND = { name: "web_search", input: { query: "a" } };

const read = (said: unknown) =>
  readStep(typeof said === "string" ? said : JSON.stringify(said), { reasoning, tools: TOOLS });

/** The forms in which models write a step that means `FOUND`. */
const FORMS: Readonly<Record<string, unknown>> = {
  "as asked": { ...SAID, function: { tool_name_discriminator: "web_search", query: "a" } },
  "in another spelling": { ...SAID, function: { tool_name_discriminator: "WebSearch", query: "a" } },
  "arguments in a field": { ...SAID, function: { name: "web_search", arguments: { query: "a" } } },
  "arguments as a text": { ...SAID, function: { name: "web_search", arguments: '{"query":"a"}' } },
  "both": { ...SAID, function: { tool_name_discriminator: "web_search", arguments: { query: "a" } } },
  "under the name": { ...SAID, function: { web_search: { query: "a" } } },
  "the name alone, arguments beside it": { ...SAID, function: "web_search", arguments: { query: "a" } },
  "the name alone, fields beside it": { ...SAID, function: "web_search", query: "a" },
  "as a text": { ...SAID, function: '{"name": "web_search", "arguments": {"query": "a"}}' },
  "beside the reasoning": { ...SAID, tool_name: "web_search", query: "a" },
  "as calls": { ...SAID, tool_calls: [{ function: { name: "web_search", arguments: '{"query":"a"}' } }] },
  "in a field of the form's name": { next_step: { ...SAID, function: { name: "web_search", query: "a" } } },
  "the reasoning in a field": { reasoning: SAID, function: { name: "web_search", query: "a" } },
  "in prose": `I look.\n${JSON.stringify({ ...SAID, function: { name: "web_search", query: "a" } })}\nWell?`,
};

Deno.test("readStep() reads what models mean", () => {
  for (const [form, said] of Object.entries(FORMS)) {
    const step = read(said);
    if (typeof step === "string") throw new Error(`${form}: ${step}`);
    assertEquals({ name: step.call.name, input: JSON.parse(step.call.arguments) }, FOUND, form);
    assertEquals([step.reasoning, step.notes], [SAID, []], form);
  }
});

Deno.test("readStep() leaves an argument where it is if its tool has it", () => {
  const step = read({ ...SAID, function: { tool_name_discriminator: "Send", input: { a: 1 } } });
  assertEquals(typeof step === "string" ? step : step.call.arguments, '{"input":{"a":1}}');
});

Deno.test("readStep() takes the first of several tools, and says so", () => {
  const [one, two] = ["web_search", "Send"].map((name) => ({ name, arguments: {} }));
  const texts = `${JSON.stringify({ function: one })} ${JSON.stringify({ function: two })}`;
  for (const said of [{ ...SAID, function: [one, two] }, texts]) {
    const step = read(said);
    if (typeof step === "string") throw new Error(step);
    assertEquals(step.call.name, "web_search");
    assertEquals(step.notes[0], "A step is one tool: Send of the same reply was not run");
  }
});

Deno.test("readStep() cuts and repairs the reasoning, and says what is wrong with it", () => {
  const step = read({ why: "x".repeat(9), function: { name: "web_search" } });
  assertEquals(typeof step === "string" ? step : [step.reasoning, step.notes], [{ why: "xxxxx" }, [
    "Parameter 'why' has 9 characters and was cut to 5, the most that it may have",
    "Missing required parameter: done",
  ]]);
});

Deno.test("readStep() says why a text is no step", () => {
  assertEquals(read("no"), "there is no JSON object in it");
  for (const said of [SAID, { ...SAID, function: [] }]) {
    assertEquals(read(said), 'it has no "function" that names a tool in "tool_name_discriminator"');
  }
});

const OBJECTS: readonly (readonly [text: string, value: Record<string, unknown>])[] = [
  ['{"a": 1}', { a: 1 }],
  ['Here it is: {"a": {"b": "}"}} as you wanted.', { a: { b: "}" } }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['{"a": [1, 2,], }', { a: [1, 2] }],
  ["{'a': True}", { a: true }],
  ['{"a": {"b": [1, 2', { a: { b: [1, 2] } }],
  ['First {"a": 1}, no: {"a": 2}', { a: 2 }],
  ['A set {x} of things: {"a": ", }"}', { a: ", }" }],
];

Deno.test("findObject() finds the object that is meant", () => {
  for (const [text, value] of OBJECTS) assertEquals(findObject(text), value, text);
});

const WHY = { type: "object", properties: { why: { type: "string" } }, required: ["why"] } as const;

Deno.test("the definitions of tools stand at the root of the form, under names of their own", () => {
  const parameters = {
    type: "object",
    properties: { item: { $ref: "#/$defs/Item" } },
    $defs: { Item: { type: "object", properties: { next: { $ref: "#/$defs/Item" } } } },
  } as const;
  const { schema } = nextStepForm(WHY, [tool("a", { parameters }), tool("b", { parameters })]);
  assertEquals(Object.keys(schema.$defs as object), ["tool0_Item", "tool1_Item"]);
  const own = ["#/$defs/tool0_Item", "#/$defs/tool1_Item"];
  assertEquals(JSON.stringify(schema).match(/#\/\$defs\/\w+/g), [...own, ...own]);
});

Deno.test("one tool stands alone, its name first", () => {
  const { schema } = nextStepForm(WHY, [tool("a")]);
  assertEquals((schema.properties as Record<string, unknown>).function, {
    ...{ description: "Does a", type: "object", required: ["tool_name_discriminator"] },
    properties: { tool_name_discriminator: { const: "a", type: "string" } },
  });
});
