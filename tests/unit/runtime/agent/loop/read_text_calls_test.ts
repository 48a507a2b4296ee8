import { assertEquals } from "@std/assert";

import { readTextCalls } from "../../../../../runtime/agent/loop/read_text_calls.ts";
import type { OutputForm } from "../../../../../runtime/agent/loop/output_form.ts";
import type { AgentTool } from "../../../../../runtime/agent/loop/parts.ts";
import { tool } from "../../../../support/agent_scene.ts";

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

const read = (content: string, output?: OutputForm, tools: ReadonlyMap<string, AgentTool> = TOOLS) =>
  readTextCalls(content, { tools, output });
const call = (name: string, input: unknown) => ({
  calls: [{ id: "", name, arguments: JSON.stringify(input) }],
});

Deno.test("readTextCalls() takes calls of offered tools, under the names that were offered", async () => {
  assertEquals(await read(MARKED), call("Read", { path: "a" }));
  assertEquals(await read(JSON_CALL), call("Read", { path: "a" }));
  assertEquals(await read(JSON_CALL.replace("Read", "functions.read")), call("Read", { path: "a" }));
});

Deno.test("readTextCalls() reads parameters as their tool takes them", async () => {
  const text = "<function=Read><parameter=path>12</parameter><parameter=lines>12</parameter>" +
    "<parameter=all>true</parameter><parameter=other>{}</parameter></function>";
  assertEquals(await read(text), call("Read", { path: "12", lines: 12, all: true, other: "{}" }));
});

Deno.test("readTextCalls() tells what cannot be run", async () => {
  assertEquals(await read(MARKED.replace("Read", "Fetch")), { problem: 'there is no tool "Fetch"' });
  assertEquals(await read(JSON_CALL.replace("Read", "Fetch")), { problem: 'there is no tool "Fetch"' });
  assertEquals(await read(`<tool_call>${JSON_CALL}</tool_call><tool_call>{"na</tool_call>`), {
    problem: "it is not valid JSON",
  });
  assertEquals(await read(MARKED, undefined, new Map()), { problem: 'there is no tool "Read"' });
});

Deno.test("readTextCalls() takes as an answer what was asked for, and JSON where there are no tools", async () => {
  assertEquals(await read(JSON_CALL, NAMED), null);
  assertEquals(await read("```json\n" + JSON_CALL + "\n```", NAMED), null);
  assertEquals(await read(JSON_CALL, LISTED), call("Read", { path: "a" }));
  assertEquals(await read(JSON_CALL.replace("Read", "Fetch"), LISTED), null);
  assertEquals(await read(MARKED, NAMED), call("Read", { path: "a" }));
  assertEquals(await read(JSON_CALL, undefined, new Map()), null);
  assertEquals(await read("Done: " + JSON_CALL), null);
});
