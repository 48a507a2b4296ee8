import { assertEquals, assertThrows } from "@std/assert";

import {
  type HereTool,
  toManusResult,
  Toolbox,
  ToolError,
  toToolCollection,
} from "../../../../runtime/mod.ts";
import { codeOf } from "../../../support/refusal.ts";
import { workspace } from "../../../support/run_tool.ts";

const open = (
  ws: ReturnType<typeof workspace>,
  callableTools: readonly HereTool[],
  enableCoreTools = false,
) => new Toolbox({ workspaceRoot: ws.path, sandbox: "off", config: false, enableCoreTools, callableTools });

const myTool: HereTool = {
  name: "my_tool",
  description: "Does something useful",
  input: {
    type: "object",
    properties: { input: { type: "string", description: "Input data" } },
    required: ["input"],
  },
  run: (input) => `processed ${(input as { input: string }).input}`,
};
const fails: HereTool = {
  name: "fails",
  description: "Fails",
  run() {
    throw new ToolError("conflict", "it is in use");
  },
};

Deno.test("a result has the four fields of OpenManus", () => {
  const result = {
    ...{ tool_name: "own/x", ok: true, result: { a: 1 }, text: "", artifacts: [], warnings: [], error: null },
    images: [{ mime_type: "image/png", data: "aGk=" }, { mime_type: "image/png", data: "eW8=" }],
    metadata: { duration_ms: 1, place: "here" as const },
  };
  const system = "Terminal started.";
  const shown = { output: { a: 1 }, error: null, base64_image: "aGk=", system };
  assertEquals(toManusResult({ ...result, system }), shown);
  const error = { code: "conflict" as const, message: "it is in use", retryable: false, details: {} };
  const failed = { output: null, error: "it is in use", base64_image: null, system: null };
  assertEquals(toManusResult({ ...result, ok: false, result: null, images: [], error }), failed);
});

Deno.test("a collection executes its tools and says what they are", async () => {
  using ws = workspace();
  await using toolbox = open(ws, [myTool]);
  const tools = await toToolCollection(toolbox);
  assertEquals(tools.toParams(), [{
    type: "function",
    function: { name: "my_tool", description: "Does something useful", parameters: myTool.input },
  }]);
  const none = { error: null, base64_image: null, system: null };
  assertEquals(await tools.execute("my_tool", { input: "x" }), { output: "processed x", ...none });
  assertEquals(tools.add(fails), tools);
  assertEquals(tools.names, ["my_tool", "fails"]);
  assertEquals(await tools.execute("fails"), { ...none, output: null, error: "it is in use" });
  assertEquals((await tools.execute("my_tool")).error, "Missing required parameter: input");
  assertEquals((await tools.execute("lost", {})).error, "Tool 'lost' not found: there are my_tool, fails");
  assertEquals(assertThrows(() => tools.add(myTool), ToolError).code, "configuration");
  // All of them are added, or none.
  const other = { ...fails, name: "other" };
  assertThrows(() => tools.add(other, { ...myTool, name: " other" }), ToolError);
  assertThrows(() => tools.add(other, myTool), ToolError);
  assertEquals(tools.names, ["my_tool", "fails"]);
  const nameless = await tools.execute(undefined as never);
  assertEquals(nameless.error?.startsWith("Tool 'undefined' not found"), true);
});

Deno.test("collections of two toolboxes are merged", async () => {
  using ws = workspace();
  await using first = open(ws, [myTool]);
  await using second = open(ws, [fails]);
  const [mine, others] = [await toToolCollection(first), await toToolCollection(second)];
  const both = mine.merge(others);
  assertEquals(both.names, ["my_tool", "fails"]);
  assertEquals((await both.execute("fails")).error, "it is in use");
  assertEquals(mine.names, ["my_tool"]);
  assertThrows(() => both.merge(mine), ToolError, "has a tool named my_tool already: rename one of them");
});

Deno.test("a collection takes the tools that it names", async () => {
  using ws = workspace({ "notes.md": "one\n" });
  await using toolbox = open(ws, [myTool], true);
  const tools = await toToolCollection(toolbox, ["manus/bash=shell", "my_tool"]);
  assertEquals(tools.names, ["shell", "my_tool"]);
  assertEquals((await toToolCollection(toolbox, [])).names, []);
  assertEquals((await toToolCollection(toolbox)).names.includes("Read"), true);
  assertEquals(await codeOf(() => toToolCollection(toolbox, ["lost"])), "invalid_input");
});
