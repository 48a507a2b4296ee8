import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as z from "zod";

import {
  createAgent,
  createRunner,
  type JsonSchema,
  type ModelRequest,
  type RunnerOptions,
  toolSchemas,
} from "../../../../../runtime/mod.ts";
import { narrowConfig } from "../../../../../runtime/host/config/narrow_config.ts";
import { namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { ownModel } from "../../../../support/own_model.ts";
import { workspace } from "../../../../support/run_tool.ts";

const TOOL = "manus/create_chat_completion";

/** The type of one tool's result; the configuration of whoever runs the tests is not read. */
type ResponseType = NonNullable<RunnerOptions["responseTypes"]>[string];
function runnerOf(ws: ReturnType<typeof workspace>, type: ResponseType) {
  return createRunner({ workspace: ws.path, sandbox: "off", config: false, responseTypes: { [TOOL]: type } });
}

Deno.test("a result has the type that was chosen by words, and harmless slips are converted", async () => {
  using ws = workspace();
  const cases: [type: string, given: unknown, result: unknown, text: string][] = [
    ["int", "5", 5, "5"],
    ["dict", '{"a":[1]}', { a: [1] }, '{"a":[1]}'],
    ["List[str]", "one", ["one"], '["one"]'],
  ];
  for (const [type, response, result, text] of cases) {
    await using runner = runnerOf(ws, type);
    const done = await runner.call(TOOL, { response });
    assertEquals([done.ok, done.result, done.text], [true, result, text], type);
  }
  await using runner = runnerOf(ws, "List[int]");
  const wrong = await runner.call(TOOL, { response: ["a"] });
  const told = "Error: Parameter 'response[0]' must be of type integer.";
  assertEquals([wrong.error?.code, wrong.text], ["invalid_input", told]);
});

Deno.test("a result has the type of a JSON Schema or a schema of zod, all of it checked", async () => {
  using ws = workspace();
  const schema = {
    type: "object",
    properties: { tags: { type: "array", uniqueItems: true }, day: { type: "string", format: "date" } },
    required: ["tags"],
  };
  await using plain = runnerOf(ws, schema);
  const good = await plain.call(TOOL, { tags: ["a"], day: "2026-01-31" });
  assertEquals(good.result, { tags: ["a"], day: "2026-01-31" });
  const twice = await plain.call(TOOL, { tags: ["a", "a"] });
  assertEquals(twice.error?.code, "invalid_input");
  assertStringIncludes(twice.text, "Error: #/tags");
  const missing = await plain.call(TOOL, { day: "2026-01-31" });
  assertEquals(missing.text, "Error: Missing required parameter: tags");

  const Even = z.array(z.int().refine((number) => number % 2 === 0, "must be even"));
  await using zod = runnerOf(ws, Even);
  assertEquals((await zod.call(TOOL, { response: [2, "4"] })).result, [2, 4]);
  assertEquals((await zod.call(TOOL, { response: [3] })).text, "Error: 0: must be even");
});

Deno.test("what a runner, toolSchemas() and the tools of a runner show follows the type", async () => {
  using ws = workspace();
  const response = { type: "integer", description: "Response of type int" };
  const schema = { type: "object", properties: { response }, required: ["response"] };
  await using runner = runnerOf(ws, "int");
  assertEquals(runner.tools().find(({ full_name }) => full_name === TOOL)?.input_schema, schema);
  const [tool] = toolSchemas([TOOL], { format: "anthropic", responseTypes: { "manus/*": "int" } });
  assertEquals(tool?.input_schema, schema);
});

Deno.test("an agent offers the type, and its calls are checked against it", async () => {
  using ws = workspace({ "ws/.keep": "" });
  const asked: ModelRequest[] = [];
  const model = ownModel((request, n) => {
    asked.push(request);
    const list = ["[1,2.5]", "[1,2]"][n];
    if (!list) return { content: "Done." };
    const call = { id: list, name: "create_chat_completion", arguments: `{"response":${list}}` };
    return { tool_calls: [call], finish: "tool_calls" };
  });
  await using agent = createAgent({
    ...{ workspace: ws.at("ws"), model, tools: [TOOL], keep: false, config: false },
    ...{ responseTypes: { [TOOL]: z.array(z.int()) }, grants: { sandbox: "off" } },
  });
  const ok: boolean[] = [];
  for await (const event of agent.run("Count")) if (event.type === "tool.end") ok.push(event.result.ok);
  assertEquals(ok, [false, true]);
  const { properties } = asked[0]!.tools[0]!.parameters as JsonSchema;
  assertEquals((properties as Record<string, JsonSchema>).response!.type, "array");
});

Deno.test("a type for a tool that takes none is refused", () => {
  using ws = workspace();
  const attempts: [RunnerOptions["responseTypes"], string][] = [
    [{ "harness/Read": "int" }, "invalid_input"],
    [{ [TOOL]: "integer" }, "configuration"],
  ];
  for (const [responseTypes, code] of attempts) {
    const options = { workspace: ws.path, config: false, ...(responseTypes && { responseTypes }) } as const;
    assertEquals(assertThrows(() => createRunner(options), ToolError).code, code);
  }
});

Deno.test("a project's file chooses no type of a result", () => {
  const warnings: string[] = [];
  const policy = namedPolicy("coder", { base: "coder" });
  const user = { config: {}, policies: {}, policy, projectTools: {}, projectLimits: {}, projectAgents: {} };
  const config = { tools: { [TOOL]: { response_type: "int", timeout_seconds: 1 } } };
  const narrowed = narrowConfig(user, { path: "p.json", real: "/p.json", text: "", config }, warnings);
  assertEquals(narrowed.projectTools, { [TOOL]: { timeout_seconds: 1 } });
  assertEquals(warnings, [`project configuration p.json: tools.${TOOL}.response_type ignored: not trusted`]);
});
