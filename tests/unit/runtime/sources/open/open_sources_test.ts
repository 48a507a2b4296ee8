import { assert, assertEquals, assertRejects } from "@std/assert";

import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };
import { callTool, explainPermission } from "../../../../../runtime/calls/call_tool.ts";
import { tellCall } from "../../../../../runtime/calls/call_events.ts";
import { chooseTools } from "../../../../../runtime/calls/catalog/choose_tools.ts";
import { findTool } from "../../../../../runtime/calls/catalog/find_tool.ts";
import { type HostSettings } from "../../../../../runtime/host/host_settings.ts";
import { type Host, openHost } from "../../../../../runtime/host/open_host.ts";
import { runnerSettings } from "../../../../../runtime/host/runner_settings.ts";
import type { MakeSource } from "../../../../../runtime/sources/source.ts";
import { exportTool } from "../../../../../schemas/json/export.ts";
import type { AuditRecord } from "../../../../../schemas/audit.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { madeSource, madeTool, type Notes } from "../../../../support/sources/made_source.ts";

const MAIN = new URL("../../../../../main.ts", import.meta.url).href;
const manifest = manifestJson as Manifest;

/** A host with sources, without the box. */
function open(
  ws: ReturnType<typeof workspace>,
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

Deno.test("a host without sources is ready at once, and imports nothing for it", async () => {
  using ws = workspace();
  await using host = open(ws, []);
  const before = host.catalog.entries;
  assertEquals(await host.ready(), []);
  assertEquals(host.catalog.entries, before);
});

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
