import { assert, assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import {
  availableToolSchemas,
  createAgent,
  createRunner,
  defineTool,
  type HereTool,
  type RunnerOptions,
  ToolError,
} from "../../../../../runtime/mod.ts";
import { workspace } from "../../../../support/run_tool.ts";

const add = defineTool({
  name: "add",
  description: "Add two integers.",
  input: z.object({ a: z.int(), b: z.int().default(2) }),
  output: z.int(),
  run: ({ a, b }) => a + b,
});

function runner(
  ws: ReturnType<typeof workspace>,
  here: readonly HereTool[],
  options: Partial<RunnerOptions> = {},
) {
  return createRunner({ sandbox: "off", config: false, workspace: ws.path, here, ...options });
}

Deno.test("a function of the embedding program is a tool that runs in its own process", async () => {
  using ws = workspace();
  let seen: unknown;
  await using tools = runner(ws, [add, {
    name: "seen",
    description: "Look around.",
    timeout_seconds: 5,
    run(_, { workspace, deadline, modelName, progress, warn }) {
      progress({ message: "half" });
      warn("odd");
      seen = Deno.pid;
      return [workspace, deadline > Date.now(), modelName];
    },
  }]);
  const sum = await tools.call("add", { a: "3" });
  assertEquals([sum.ok, sum.result, sum.text, sum.metadata.place], [true, 5, "5", "here"]);
  assertEquals(sum.warnings.length, 1);
  const told: unknown[] = [];
  const looked = await tools.call("here/seen", {}, { onProgress: (progress) => told.push(progress) });
  assertEquals(looked.result, [ws.path, true, null]);
  assertEquals([looked.warnings, told, seen], [["odd"], [{ message: "half" }], Deno.pid]);
  assertEquals(tools.tools().filter(({ toolset }) => toolset === "here").length, 2);
});

Deno.test("a function's arguments, result, failures and time are checked", async () => {
  using ws = workspace();
  const base = { description: "Does it." };
  const json = {
    type: "object",
    properties: { n: { type: "number", minimum: 3 } },
    required: ["n"],
  } as const;
  await using tools = runner(ws, [
    add,
    { ...base, name: "json", input: json, run: () => 1 },
    { ...base, name: "wrong", output: z.string(), run: () => 1 },
    { ...base, name: "throws", run: () => Promise.reject(new ToolError("not_found", "nothing there")) },
    { ...base, name: "bug", run: () => Promise.reject(new RangeError("oops")) },
    { ...base, name: "slow", timeout_seconds: 0.05, run: () => new Promise(() => {}) },
    { ...base, name: "rooms", run: (_, context) => (context as unknown as { files: unknown }).files },
    { ...base, name: "closed", permission: "deny", run: () => 1 },
  ]);
  const code = async (name: string, input: unknown = {}) => (await tools.call(name, input)).error?.code;
  assertEquals(await code("add", { a: 1.5 }), "invalid_input");
  assertEquals(await code("add", {}), "invalid_input");
  assertEquals(await code("json", { n: 2 }), "invalid_input");
  assertEquals(await code("json", { n: 3 }), undefined);
  assertEquals(await code("wrong"), "output_invalid");
  assertEquals(await code("throws"), "not_found");
  assertEquals(await code("bug"), "internal");
  assertEquals(await code("slow"), "timeout");
  assertEquals(await code("rooms"), "permission_denied");
  assertEquals(await code("closed"), "denied_by_policy");
  const stop = new AbortController();
  const stopped = tools.call("slow", {}, { signal: stop.signal });
  stop.abort();
  assertEquals((await stopped).error?.code, "cancelled");
});

Deno.test("the longest time of any call holds for functions, too", async () => {
  using ws = workspace();
  const slow = { description: "Does it.", run: () => new Promise(() => {}) };
  const here = [{ ...slow, name: "usual" }, { ...slow, name: "own", timeout_seconds: 60 }];
  await using tools = runner(ws, here, { maxCallMs: 40 });
  for (const name of ["usual", "own"]) {
    const { error } = await tools.call(name, {});
    assertEquals([error?.code, error?.details], ["timeout", { timeout_ms: 40 }], name);
  }
});

Deno.test("availableToolSchemas() takes names and functions", () => {
  const schemas = availableToolSchemas(["Read", "Bash", add]);
  const names = schemas.map((schema) => (schema.function as { name: string }).name);
  assertEquals(names, ["Read", "Bash", "add"]);
});

Deno.test("a wrong function is refused at once, with the tool, the field and what helps", () => {
  using ws = workspace();
  const wrong = { name: "1x", description: "", timeout_seconds: -1, run: 3 } as unknown as HereTool;
  for (
    const attempt of [
      () => availableToolSchemas([wrong]),
      () => createAgent({ workspace: ws.path, model: "gpt-5", tools: [wrong] }),
    ]
  ) {
    const { message } = assertThrows(attempt, ToolError);
    for (
      const field of ["name is", "description is missing", "timeout_seconds is", "run must be a function"]
    ) {
      assert(message.includes(`tool "1x": ${field}`), message);
    }
  }
});

Deno.test("createAgent() takes functions in the complete set and beside the default one, never both", async () => {
  using ws = workspace();
  const offered: string[][] = [];
  const model = {
    name: "scripted",
    complete: (request: { tools: readonly { name: string }[] }) => {
      offered.push(request.tools.map(({ name }) => name));
      return Promise.reject(new ToolError("external_failure", "enough", { retryable: false }));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const base = { workspace: ws.path, model: model as never, keep: false, config: false as const };
  for (const options of [{ tools: ["Read", add] }, { extraTools: [add] }]) {
    await using agent = createAgent({ ...base, ...options, grants: { sandbox: "off" } });
    await Promise.resolve(agent.run("Go")).catch(() => {});
  }
  assertEquals(offered[0], ["Read", "add"]);
  assert(offered.at(-1)!.includes("Grep") && offered.at(-1)!.includes("add"));
  assertThrows(() => createAgent({ ...base, tools: ["Read"], extraTools: [add] }), TypeError);
});
