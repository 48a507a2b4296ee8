import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as z from "zod";

import {
  defineTool,
  type HereTool,
  toManusResult,
  Toolbox,
  type ToolboxOptions,
  ToolError,
  toToolCollection,
} from "../../../../runtime/mod.ts";
import { codeOf } from "../../../support/refusal.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";

/** A toolbox that does not need a sandbox, and reads no configuration. */
function open(ws: Workspace, options: ToolboxOptions = {}): Toolbox {
  return new Toolbox({ workspaceRoot: ws.path, sandbox: "off", config: false, ...options });
}

const echo: HereTool = {
  name: " echo ",
  description: "Echo the payload.",
  input: { type: "object" },
  run: (payload) => ({ payload }),
};

const add = defineTool({
  name: "add",
  description: "Add two integers.",
  input: z.object({ a: z.int(), b: z.int() }),
  output: z.int(),
  run: ({ a, b }) => a + b,
});

Deno.test("a toolbox calls the built-in tools and functions of the program, by trimmed names", async () => {
  using ws = workspace({ "notes.md": "one\n" });
  await using toolbox = open(ws, { callableTools: [echo] });
  const read = await toolbox.invoke(" Read ", { path: "notes.md" }, { requestId: "request-1" });
  assertEquals([read.ok, read.tool_name, read.errorMessage], [true, "harness/Read", null]);
  const echoed = await toolbox.invoke("echo ", { x: 1 });
  assertEquals([echoed.resultDict(), echoed.resultList()], [{ payload: { x: 1 } }, []]);
  assertEquals(echoed.artifactPaths, []);
  assertEquals(Object.keys(JSON.parse(JSON.stringify(echoed))).includes("artifactPaths"), false);
  const names = (await toolbox.listTools()).map(({ full_name }) => full_name);
  assert(names.includes("harness/Read") && names.includes("here/echo"));
  const given = { callableTools: ["echo"], scriptTools: [], mcpServers: [] };
  assertEquals(toolbox.config, { workspaceRoot: ws.path, coreTools: { enabled: true }, ...given });
  // A built-in tool of another set has this name, too.
  assertEquals([echoed.tool_name, names.includes("par/echo")], ["here/echo", true]);
  assertEquals(toolbox.registry.find("echo").full_name, "here/echo");
  assertEquals(toolbox.registry.sourceOf("echo"), "the functions of this program");
  assertEquals(toolbox.registry.sourceOf("Read"), "the built-in tools, in harness");
});

Deno.test("a toolbox without the built-in tools has only what it was given", async () => {
  using ws = workspace();
  await using toolbox = open(ws, { enableCoreTools: false, callableTools: [add] });
  assertEquals((await toolbox.listTools()).map(({ name }) => name), ["add"]);
  const unknown = await toolbox.invoke("Read", { path: "." });
  assertEquals([unknown.ok, unknown.tool_name, unknown.error?.code], [false, "Read", "invalid_input"]);
  toolbox.registerTool({
    spec: { name: "Read", description: "Read nothing.", input: { type: "object" } },
    handler: (
      input,
      { requestId, dependencies, workspace },
    ) => [input, requestId, Object.keys(dependencies), workspace],
  });
  const dependencies = { clock: () => 7 };
  const told = await toolbox.invoke("Read", { a: 1 }, { requestId: "r", dependencies });
  assertEquals(told.resultList(), [{ a: 1 }, "r", ["clock"], ws.path]);
  // Functions get the caller's own values as they are.
  let seen: unknown;
  toolbox.registerCallableTool({
    ...{ name: "look", description: "Look at the values." },
    run: (_, { dependencies, requestId }) => void (seen = [dependencies.clock, requestId]),
  });
  await toolbox.invoke("look", {}, { dependencies });
  assertEquals(seen, [dependencies.clock, null]);
  assertEquals((await toolbox.invoke("add", { a: 1, b: 2 })).result, 3);
});

Deno.test("a function gets what its JSON Schema leaves open, and all without a schema", async () => {
  using ws = workspace();
  const tell = (name: string, input?: HereTool["input"]): HereTool => ({
    ...{ name, description: "Tell the input.", run: (input) => input },
    ...input && { input },
  });
  const properties = { a: { type: "string" } };
  const tools = [
    tell("free"),
    tell("part", { type: "object", properties }),
    tell("shut", { type: "object", properties, additionalProperties: false }),
    tell("typed", z.object({ a: z.string() })),
  ];
  await using toolbox = open(ws, {
    enableCoreTools: false,
    callableTools: tools,
    hooks: [{ before: () => {} }],
  });
  for (const [name, told] of [["free", true], ["part", true], ["shut", false], ["typed", false]] as const) {
    const { result, warnings } = await toolbox.invoke(name, { a: "x", b: [1] });
    assertEquals([result, warnings.length], [told ? { a: "x", b: [1] } : { a: "x" }, told ? 0 : 1], name);
  }
  const refused = (field: string) =>
    assertThrows(
      () => toolbox.registerCallableTool({ ...echo, name: "p", [field]: {} } as HereTool),
      ToolError,
    ).message;
  for (const field of ["input_schema", "parameters", "inputSchema"]) {
    assertEquals(refused(field), `tool "p": ${field} is not known: write input`);
  }
});

Deno.test("invokeDict() takes objects alone", async () => {
  using ws = workspace();
  await using toolbox = open(ws, { enableCoreTools: false, callableTools: [echo, add] });
  assertEquals(await toolbox.invokeDict("echo", { x: 1 }), { payload: { x: 1 } });
  toolbox.registerCallableTool({
    name: "say",
    description: "Say.",
    run: (input) => (input as { a: string }).a,
  });
  assertEquals(await toolbox.invokeDict("here::say", { a: ' {"x":[1]}' }), { x: [1] });
  const failure = async (name: string, input: unknown) => {
    const { code, message } = await assertRejects(() => toolbox.invokeDict(name, input), ToolError);
    return `${code}: ${message}`;
  };
  const number = "output_invalid: here/add gave a number, not an object: call it with invoke()";
  assertEquals(await failure("add", { a: 1, b: 2 }), number);
  const missing = "invalid_input: here/add failed: Missing required parameter: b";
  assertEquals(await failure("add", { a: 1 }), missing);
  assertEquals((await failure("lost", {})).startsWith("invalid_input: "), true);
  for (const a of ["{x", "[1]", ""]) {
    assertEquals((await failure("say", { a })).includes("not an object"), true);
  }
});

Deno.test("a name that is taken is refused at once, with both sources", async () => {
  using ws = workspace();
  await using toolbox = open(ws, { callableTools: [add] });
  const message = (name: string) =>
    assertThrows(() => toolbox.registerCallableTool({ ...echo, name }), ToolError).message;
  const functions = "Two tools are named add, both of the functions of this program: rename one of them";
  assertEquals(message(" add"), functions);
  const builtIn = "one of the built-in tools, in harness, one of the functions of this program";
  // Built-in tools are called in any letter case.
  for (const name of ["Read", "reAD"]) {
    assertEquals(message(name), `Two tools are named ${name}, ${builtIn}: rename one of them`);
  }
  const script = { name: " echo", path: "echo.sh", description: "Echo." };
  const refused = (options: ToolboxOptions) => assertThrows(() => open(ws, options), ToolError);
  assertEquals(
    refused({ callableTools: [echo], scriptTools: [script] }).message,
    "Two tools are named echo, one of the functions of this program, one of the scripts: rename one of them",
  );
  await using other = open(ws, { scriptTools: [script] });
  assertThrows(() => other.registerCallableTool(echo), ToolError);
  assertEquals(refused({ scriptTools: [script, script] }).code, "configuration");
  assertEquals(refused({ scriptTools: [{ ...script, path: "" }] }).code, "invalid_input");
  assertEquals(refused({ callableTools: [add, { ...echo, name: "add" }] }).code, "configuration");
  const nameless = { ...echo, name: "", description: "" };
  assertEquals(assertThrows(() => toolbox.registerCallableTool(nameless), ToolError).code, "invalid_input");
});

Deno.test("a source that is dead is a warning, and the others go on", async () => {
  using ws = workspace({ "tools/broken.ts": "export default 7;" });
  const warnings: string[] = [];
  await using toolbox = open(ws, {
    callableTools: [add],
    toolFiles: ["tools/broken.ts", "tools/missing.ts"],
    warn: (message) => void warnings.push(message),
  });
  assertEquals((await toolbox.invoke("add", { a: 1, b: 2 })).result, 3);
  assertEquals(toolbox.registry.sources.map(({ tools }) => tools), [0, 0]);
  assertEquals(warnings.length, 2);
});

Deno.test("a closed toolbox says so, and may be closed again", async () => {
  using ws = workspace();
  const toolbox = open(ws, { enableCoreTools: false, callableTools: [add] });
  {
    using same = toolbox;
    assertEquals((await same.invoke("add", { a: 1, b: 2 })).ok, true);
  }
  await toolbox.close();
  await toolbox.close();
  const { error } = await toolbox.invoke("add", { a: 1, b: 2 });
  assertEquals([error?.code, error?.message], ["unavailable", "The toolbox is closed: make another one"]);
  assertThrows(() => toolbox.registerCallableTool(echo), ToolError);
});

Deno.test("what is no tool is refused at once, and what is no name is a result", async () => {
  using ws = workspace();
  await using toolbox = open(ws, { enableCoreTools: false, callableTools: [add] });
  const message = (work: () => void) => {
    const { code, message } = assertThrows(work, ToolError);
    assertEquals(code, "invalid_input");
    return message;
  };
  const spec = { name: "late", description: "Come late." };
  const must = "must be a function: write { spec, handler: (input) => … }";
  assertEquals(message(() => toolbox.registerTool({ spec } as never)), `The handler of "late" ${must}`);
  assertEquals(message(() => toolbox.registerTool(undefined as never)), `The handler ${must}`);
  const none = message(() => toolbox.registerCallableTool(null as never));
  assertEquals(none, "tools[0] is no tool: write { name, description, run }");
  const ring: Record<string, unknown> = { type: "object" };
  ring.properties = { ring };
  const circle = message(() => toolbox.registerCallableTool({ ...echo, input: ring }));
  const why = "TypeError: Converting circular structure to JSON; write";
  assert(circle.startsWith(`tool "echo": input has no JSON Schema: ${why}`), circle);
  for (const name of [5, undefined, null]) {
    const { ok, error } = await toolbox.invoke(name as never);
    assertEquals([ok, error?.code], [false, "invalid_input"]);
  }
  assertEquals((await toolbox.invoke("add", { a: 1, b: 2 }, null as never)).result, 3);
});

Deno.test("whatever a function throws or gives is a result that says so", async () => {
  using ws = workspace();
  let deep: unknown = 1;
  for (let at = 0; at < 600; at++) deep = [deep];
  const broken = Object.defineProperty({}, "message", {
    get() {
      throw 1;
    },
  });
  const thrown = [{ why: "odd" }, new ToolError("weird" as never, "no shop"), broken];
  await using toolbox = open(ws, {
    enableCoreTools: false,
    callableTools: [
      ...thrown.map((one, at) => ({
        ...{ name: `throws_${at}`, description: "Throw." },
        run() {
          throw one;
        },
      })),
      { name: "deep", description: "Go down.", run: () => deep },
      { name: "number", description: "Count.", run: () => 1, text: () => 5 as never },
      { name: "wrong", description: "Be wrong.", run: () => "x", output: { type: "integer" } },
    ],
  });
  const failure = async (name: string) => {
    const { error } = await toolbox.invoke(name);
    return `${error?.code}: ${error?.message}`.slice(0, 66);
  };
  assertEquals(await failure("throws_0"), 'internal: Tool execution error: {"why":"odd"}');
  const odd = 'internal: Tool execution error: its ToolError has the code "weird"';
  assertEquals(await failure("throws_1"), odd);
  assertEquals(await failure("throws_2"), "internal: Tool execution error: something that cannot be shown");
  assertEquals(await failure("deep"), "output_invalid: here/deep gave a result that is nested too deeply");
  assertEquals(await failure("number"), "output_invalid: text returned a number: it must return a text");
  assertEquals(await failure("wrong"), "output_invalid: here/wrong gave an invalid result: #: must be inte");
});

const collectionIn = (
  ws: Workspace,
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
  await using toolbox = collectionIn(ws, [myTool]);
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
  await using first = collectionIn(ws, [myTool]);
  await using second = collectionIn(ws, [fails]);
  const [mine, others] = [await toToolCollection(first), await toToolCollection(second)];
  const both = mine.merge(others);
  assertEquals(both.names, ["my_tool", "fails"]);
  assertEquals((await both.execute("fails")).error, "it is in use");
  assertEquals(mine.names, ["my_tool"]);
  assertThrows(() => both.merge(mine), ToolError, "has a tool named my_tool already: rename one of them");
});

Deno.test("a collection takes the tools that it names", async () => {
  using ws = workspace({ "notes.md": "one\n" });
  await using toolbox = collectionIn(ws, [myTool], true);
  const tools = await toToolCollection(toolbox, ["manus/bash=shell", "my_tool"]);
  assertEquals(tools.names, ["shell", "my_tool"]);
  assertEquals((await toToolCollection(toolbox, [])).names, []);
  assertEquals((await toToolCollection(toolbox)).names.includes("Read"), true);
  assertEquals(await codeOf(() => toToolCollection(toolbox, ["lost"])), "invalid_input");
});
