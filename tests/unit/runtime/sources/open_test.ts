import { assert, assertEquals, assertRejects } from "@std/assert";
import * as z from "zod";

import { tellCall } from "../../../../runtime/calls/call_events.ts";
import { callTool, explainPermission } from "../../../../runtime/calls/call_tool.ts";
import { chooseTools } from "../../../../runtime/calls/catalog/choose_tools.ts";
import { findTool } from "../../../../runtime/calls/catalog/find_tool.ts";
import type { HostSettings } from "../../../../runtime/host/host_settings.ts";
import { type Host, openHost } from "../../../../runtime/host/open_host.ts";
import { runnerSettings } from "../../../../runtime/host/runner_settings.ts";
import {
  createAgent,
  createRunner,
  defineTool,
  type HereTool,
  type RunnerOptions,
  ToolError,
} from "../../../../runtime/mod.ts";
import { HereSchemas } from "../../../../runtime/sources/here/here_schemas.ts";
import type { MakeSource } from "../../../../runtime/sources/source.ts";
import type { AuditRecord } from "../../../../schemas/audit.ts";
import { exportTool } from "../../../../schemas/json/export.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";
import { madeSource, madeTool, type Notes } from "../../../support/sources/made_source.ts";
import manifestJson from "../../../../tools/manifest.json" with { type: "json" };

const MAIN = new URL("../../../../main.ts", import.meta.url).href;
const manifest = manifestJson as Manifest;

/** A host with sources, without the box. */
function open(
  ws: Workspace,
  made: readonly MakeSource[],
  { control = {}, ...changes }: Partial<HostSettings> = {},
): Host {
  const options = { workspace: ws.path, sandbox: "off" as const, config: false as const };
  const settings = runnerSettings(options, manifest, MAIN);
  return openHost(
    { ...settings, control: { ...settings.control, ...control }, tools: { sources: { made } }, ...changes },
    { manifest },
  );
}

const ADD = madeTool("own/add", { description: "Adds." });

Deno.test("tools of sources are found, offered and exported like the built-in ones", async () => {
  using ws = workspace();
  const notes: Notes = { log: [], closed: false };
  {
    await using host = open(ws, [madeSource("tools.ts", [ADD], { notes })]);
    const states = await host.ready();
    const entry = findTool(host.catalog, "add");
    assertEquals(entry.tool.full_name, "own/add");
    const usual = chooseTools(host.catalog, {});
    assertEquals(usual.at(-1)?.name, "add");
    assert(usual.length > 5);
    assertEquals(chooseTools(host.catalog, { toolsets: ["own"] }).map(({ name }) => name), ["add"]);
    assertEquals(chooseTools(host.catalog, { tools: ["own/add=plus"] }).map(({ name }) => name), ["plus"]);
    for (const format of ["openai", "anthropic", "mcp", "json-schema"] as const) {
      assert(JSON.stringify(exportTool(entry.tool, format, { name: "add" })).includes("Adds."));
    }
    assertEquals(states, [{ name: "tools.ts", tools: 1, problem: null, keepsFiles: false }]);
  }
  assert(notes.closed);
});

Deno.test("calls of tools of sources keep to the order, tell events and are in the audit", async () => {
  using ws = workspace();
  const notes: Notes = { log: [], closed: false };
  const audit: AuditRecord[] = [];
  const serial = madeTool("own/serial", { parallel: false });
  await using host = open(ws, [madeSource("tools.ts", [serial], { notes })], {
    control: { audit: (record) => void audit.push(record) },
  });
  await host.ready();
  const entry = findTool(host.catalog, "serial");
  const events: string[] = [];
  const call = (id: number) =>
    tellCall(entry, { id }, { machine: host, id, emit: ({ type }) => void events.push(`${type} ${id}`) });
  const results = await Promise.all([call(1), call(2)]);
  assertEquals(results.map(({ ok, result }) => [ok, result]), [[true, { id: 1 }], [true, { id: 2 }]]);
  assertEquals(notes.log, ['begin {"id":1}', 'end {"id":1}', 'begin {"id":2}', 'end {"id":2}']);
  assertEquals(events, [1, 2].flatMap((id) => [`tool.start ${id}`, `tool.progress ${id}`, `tool.end ${id}`]));
  assertEquals(
    audit.map(({ tool, decision, touched }) => [tool, decision, touched.map(({ value }) => value)]),
    [1, 2].map(() => ["own/serial", "allowed", [ws.at("a.txt")]]),
  );
});

Deno.test("permissions, consent and hooks hold for tools of sources", async () => {
  using ws = workspace();
  const asked = madeTool("own/asked", { permission: "confirm" });
  const closed = madeTool("own/closed", { permission: "deny" });
  const roles = madeTool("own/roles", { permission: { roles: ["reviewer"] } });
  await using host = open(ws, [madeSource("tools.ts", [ADD, asked, closed, roles])], {
    control: {
      confirm: ({ tool }) => Promise.resolve(tool === "own/asked" ? { no: "not today" } : "once"),
      hooks: [{ before: ({ tool }) => tool === "own/add" ? { refuse: "the shop is closed" } : undefined }],
      permissions: { "own/roles": { roles: ["chief"] } },
      role: "reviewer",
    },
  });
  await host.ready();
  const codes: (string | undefined)[] = [];
  for (const name of ["add", "asked", "closed", "roles"]) {
    const result = await callTool(findTool(host.catalog, name), {}, { machine: host });
    codes.push(result.error?.code);
  }
  assertEquals(codes, ["denied_by_policy", "denied_by_policy", "denied_by_policy", "denied_by_policy"]);
  const refused = await explainPermission(findTool(host.catalog, "closed"), {}, host);
  assertEquals(refused?.code, "denied_by_policy");
});

Deno.test("a source that fails or is late is a warning, and the others go on", async () => {
  using ws = workspace();
  const warnings: string[] = [];
  const notes: Notes = { log: [], closed: false };
  await using host = open(ws, [
    madeSource("dead", [], { load: () => Promise.reject(new ToolError("external_failure", "no\nanswer")) }),
    madeSource("slow", [], { load: () => new Promise(() => {}), loadMs: 20, notes }),
    madeSource("alive", [ADD]),
  ], { warn: (message) => void warnings.push(message) });
  const states = await host.ready();
  assertEquals(findTool(host.catalog, "own/add").tool.name, "add");
  assertEquals(warnings, [
    "dead: no\\nanswer; the other tools go on without it",
    "slow: it did not tell its tools within 0.02 seconds; the other tools go on without it",
  ]);
  assertEquals(states.map(({ tools }) => tools), [0, 0, 1]);
  assert(notes.closed);
});

Deno.test("the failure of a source that was named for this run ends it, and so does the signal", async () => {
  using ws = workspace();
  const load = () => Promise.reject(new ToolError("invalid_input", "Cannot use it"));
  await using host = open(ws, [madeSource("named", [], { load, isRequired: true })]);
  const error = await assertRejects(() => host.ready(), ToolError);
  assertEquals([error.code, error.message], ["invalid_input", "Cannot use it"]);
  await using other = open(ws, [madeSource("slow", [], { load: () => new Promise(() => {}) })]);
  const stop = new AbortController();
  const ready = other.ready({ signal: stop.signal });
  stop.abort(new ToolError("cancelled", "enough"));
  assertEquals((await assertRejects(() => ready, ToolError)).code, "cancelled");
});

Deno.test("two tools of one name are refused with the names of both sources", async () => {
  using ws = workspace();
  const again = madeTool("harness/Read");
  for (
    const [sources, message] of [
      [
        [madeSource("a.ts", [ADD]), madeSource("b.ts", [ADD])],
        "Two tools are named own/add, one of a.ts, one of b.ts: rename one of them",
      ],
      [[madeSource("a.ts", [ADD, ADD])], "Two tools are named own/add, both of a.ts: rename one of them"],
      [
        [madeSource("a.ts", [again])],
        "Two tools are named harness/Read, one of the built-in tools, one of a.ts: rename one of them",
      ],
    ] as const
  ) {
    await using host = open(ws, sources);
    const error = await assertRejects(() => host.ready(), ToolError);
    assertEquals([error.code, error.message], ["configuration", message]);
  }
});

Deno.test("a limit for a tool of a source is checked when its tools are known", async () => {
  using ws = workspace();
  const limits = { tools: { "*/ad": { concurrency: 1 } } };
  await using host = open(ws, [madeSource("a.ts", [ADD])], { limits });
  assertEquals((await assertRejects(() => host.ready(), ToolError)).code, "invalid_input");
});

Deno.test("HereSchemas takes each schema once, and checks all in one worker until it is closed", async () => {
  const schemas = new HereSchemas();
  const schema = { type: "number", minimum: 3 };
  const other = { type: "string" };
  assertEquals(await schemas.check(schema, "one", 3), []);
  // Another look at it would find what was changed meanwhile.
  schema.minimum = 9;
  assertEquals(await schemas.check(schema, "one", 3), []);
  assertEquals((await schemas.check(schema, "one", 2)).length, 1);
  assertEquals((await schemas.check(other, "two", 2)).length, 1);
  await assertRejects(() => schemas.check({ type: "nothing" }, "three", 2), ToolError, '"three"');
  assertEquals(await schemas.check(other, "two", "a"), []);
  schemas[Symbol.dispose]();
  await assertRejects(() => schemas.check(other, "two", "a"), ToolError, "The run is over");
  await assertRejects(() => schemas.check({ type: "null" }, "four", null), ToolError, "The run is over");
});

const add = defineTool({
  name: "add",
  description: "Add two integers.",
  input: z.object({ a: z.int(), b: z.int().default(2) }),
  output: z.int(),
  run: ({ a, b }) => a + b,
});

function runner(
  ws: Workspace,
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

Deno.test("createAgent() takes functions beside the default tools", async () => {
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
  await using agent = createAgent({ ...base, extraTools: [add], grants: { sandbox: "off" } });
  await Promise.resolve(agent.run("Go")).catch(() => {});
  assert(offered[0]!.includes("Grep") && offered[0]!.includes("add"));
});
