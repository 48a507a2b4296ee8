// What the documents of ResearchHarness show of function tools, rewritten line by line.
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import * as z from "zod";

import {
  availableToolSchemas,
  createAgent,
  defineTool,
  type Model,
  ToolError,
  toolSchemas,
} from "../../../runtime/mod.ts";
import { workspace } from "../../support/run_tool.ts";

const addNumbers = defineTool({
  name: "add_numbers",
  description: "Add two integers.",
  input: z.object({ a: z.int(), b: z.int() }),
  output: z.int(),
  run: ({ a, b }) => a + b,
});

const inspectWorkspace = defineTool({
  name: "inspect_workspace",
  description: "Inspect the current workspace with a cooperative runtime deadline.",
  timeout_seconds: 30,
  run: (_, { workspace, deadline, modelName }) => `${workspace} deadline=${deadline} model=${modelName}`,
});

Deno.test("the schemas of built-in tools and functions, without an agent", () => {
  const schemas = availableToolSchemas(["Read", "Bash", addNumbers]);
  const functions = schemas.map((schema) => schema.function as Record<string, unknown>);
  assertEquals(functions.map(({ name }) => name), ["Read", "Bash", "add_numbers"]);
  const { parameters, description } = functions[2]!;
  assertEquals(description, "Add two integers.");
  assertEquals((parameters as { required: string[] }).required, ["a", "b"]);
  assertEquals(availableToolSchemas([]), []);
  assertEquals(availableToolSchemas(), toolSchemas());
  // What the program gives beside the arguments is not for the model.
  const [inspect] = availableToolSchemas([inspectWorkspace]);
  assertEquals((inspect!.function as { parameters: { properties: object } }).parameters.properties, {});
});

Deno.test("an agent has exactly the tools of its list, and its functions get what the program knows", async () => {
  using ws = workspace();
  const offered: string[][] = [];
  const replies = [
    [{ name: "add_numbers", arguments: '{"a":1,"b":2}' }, { name: "inspect_workspace", arguments: "{}" }],
    [],
  ];
  const model: Model = {
    name: "scripted",
    complete(request) {
      offered.push(request.tools.map(({ name }) => name));
      const calls = (replies.shift() ?? []).map((call, at) => ({ id: `call-${at}`, ...call }));
      const finish = calls.length === 0 ? "stop" : "tool_calls";
      return Promise.resolve({ content: "", tool_calls: calls, finish, usage: null });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const results: unknown[] = [];
  await using agent = createAgent({
    ...{ workspace: ws.path, model, keep: false, config: false, grants: { sandbox: "off" } },
    tools: ["Read", "Write", addNumbers, inspectWorkspace],
    onEvent: (event) => {
      if (event.type === "tool.end") results.push(event.result.result);
    },
  });
  await agent.run("Add 1 and 2.");
  assertEquals(offered[0], ["Read", "Write", "add_numbers", "inspect_workspace"]);
  assertEquals(results[0], 3);
  assertMatch(String(results[1]), new RegExp(`^${ws.path} deadline=\\d+ model=scripted$`));
});

Deno.test("what is wrong with a function is told when the agent is made", () => {
  using ws = workspace();
  const base = { workspace: ws.path, model: "gpt-5", config: false as const };
  const message = (tool: object) => {
    const { message } = assertThrows(
      () => createAgent({ ...base, tools: ["Read", tool as never] }),
      ToolError,
    );
    return message;
  };
  const plain = { name: "add", description: "Add.", run: () => 0 };
  assertMatch(message({ ...plain, name: "1 add" }), /name is "1 add": write 1 to 64 letters/);
  assertMatch(message({ ...plain, description: " " }), /tool "add": description is missing/);
  assertMatch(message({ ...plain, timeout_seconds: 0 }), /tool "add": timeout_seconds is 0: write a number/);
  assertMatch(
    message({ ...plain, input: z.object({ a: z.bigint() }) }),
    /tool "add": input has no JSON Schema: .*; write a type that JSON has, such as z\.iso\.datetime\(\)/,
  );
  assertMatch(message({ ...plain, run: undefined }), /tool "add": run must be a function/);
  assertThrows(() => createAgent({ ...base, tools: [addNumbers], extraTools: ["manus/bash"] }), TypeError);
  assertThrows(() => createAgent({ ...base, tools: ["Read", "Read"] }), ToolError, "chosen twice");
});
