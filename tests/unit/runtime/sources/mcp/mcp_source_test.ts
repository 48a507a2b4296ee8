import { assertEquals, assertMatch } from "@std/assert";

import { callTool } from "../../../../../runtime/calls/call_tool.ts";
import { findTool } from "../../../../../runtime/calls/catalog/find_tool.ts";
import type { Model } from "../../../../../schemas/agent/model.ts";
import type { Consent } from "../../../../../schemas/permission.ts";
import type { ToolResult } from "../../../../../schemas/result.ts";
import type { OpenWire } from "../../../../../runtime/sources/mcp/wire/mcp_wire.ts";
import { type OpenedWith, openWith } from "../../../../support/mcp/open_with.ts";

const FRIENDLY = { friendly: { command: "friendly" } };

function call(opened: OpenedWith, name: string, input: unknown = {}): Promise<ToolResult> {
  const { host } = opened;
  return callTool(findTool(host.catalog, name), input, { machine: host });
}

function toolsOf({ host }: OpenedWith): string[] {
  return host.catalog.entries.filter(({ tool }) => tool.toolset === "mcp").map(({ tool }) => tool.name);
}

Deno.test("a server's tools are called as all tools", async () => {
  await using opened = await openWith({ servers: FRIENDLY });
  const { warnings } = opened;
  const names = toolsOf(opened);
  const tools = [
    "echo",
    "sum",
    "fail",
    "show",
    "slow",
    "count",
    "where",
    "ask",
    "think",
    "grow",
    "shrink",
    "die",
  ];
  const more = ["list_resources", "read_resource", "list_prompts", "get_prompt"];
  assertEquals(names, [...tools, ...more].map((name) => `mcp_friendly_${name}`));

  const echoed = await call(opened, "mcp_friendly_echo", { message: "hi", times: "2" });
  assertEquals([echoed.ok, echoed.text, echoed.result], [true, "hi hi", "hi hi"]);
  const wrong = await call(opened, "mcp_friendly_echo", { message: ["a"] });
  assertEquals([wrong.error?.code, wrong.text], ["invalid_input", "#/message: must be string, got array"]);
  const sum = await call(opened, "mcp_friendly_sum", { numbers: [1, 2] });
  assertEquals([sum.text, sum.result], ["The sum is 3", { sum: 3 }]);
  const failed = await call(opened, "mcp_friendly_fail");
  assertEquals([failed.ok, failed.error?.code, failed.text], [false, "external_failure", "it went wrong"]);
  const shown = await call(opened, "mcp_friendly_show");
  assertEquals(shown.text, "Look:\na note\n[resource note://today: today, What is to do]");
  assertEquals([shown.images.length, shown.images[0]?.mime_type], [1, "image/png"]);
  assertEquals(shown.audio, [{ mime_type: "audio/wav", data: "UklGRg==" }]);
  const note = { uri: "note://../../etc/passwd", mime_type: "text/plain", text: "a note" };
  assertEquals(shown.resources, [note]);
  assertEquals((await call(opened, "mcp_friendly_where")).text, "");
  assertEquals(warnings, []);
});

Deno.test("a consent for the run covers one tool of one server", async () => {
  const answers: Consent[] = ["once", "run"];
  const asked: string[] = [];
  await using opened = await openWith({
    servers: { ...FRIENDLY, other: FRIENDLY.friendly },
    permissions: { "mcp/*": "confirm" },
    async confirm({ tool, preview }) {
      asked.push(`${tool}: ${(await preview()).always}`);
      return answers.shift() ?? false;
    },
  });
  const echo = async (server: string) => (await call(opened, `mcp_${server}_echo`, { message: "hi" })).ok;
  const friendly = "mcp/mcp_friendly_echo: mcp/mcp_friendly_echo";
  assertEquals([await echo("friendly"), await echo("friendly"), await echo("friendly")], [true, true, true]);
  assertEquals(asked, [friendly, friendly]);
  assertEquals((await call(opened, "mcp_friendly_sum", { numbers: [1] })).error?.code, "denied_by_policy");
  assertEquals([await echo("other"), await echo("friendly")], [false, true]);
  assertEquals(asked.slice(2), [
    "mcp/mcp_friendly_sum: mcp/mcp_friendly_sum",
    "mcp/mcp_other_echo: mcp/mcp_other_echo",
  ]);
});

Deno.test("a server's documents and prompts are read by tools", async () => {
  await using opened = await openWith({ servers: FRIENDLY });
  const { result } = await call(opened, "mcp_friendly_list_resources");
  const today = { uri: "note://today", name: "today", description: "What is to do", mimeType: "text/plain" };
  const day = { uriTemplate: "note://{day}", name: "day", description: "The note of a day" };
  assertEquals(result, { resources: [today], templates: [day] });
  const read = (uri: string) => call(opened, "mcp_friendly_read_resource", { uri });
  assertEquals((await read("note://today")).text, "buy tea");
  assertEquals((await read("note://..")).text, "note of ..");
  for (const uri of ["../../etc/passwd", "/etc/passwd", "note://a\nb", "note:\u0000"]) {
    assertEquals((await read(uri)).error?.code, "invalid_input", uri);
  }
  assertEquals((await read("file:///etc/passwd")).ok, false);
  const asked = { name: "greet", arguments: { who: "Ann" } };
  const greeting = await call(opened, "mcp_friendly_get_prompt", asked);
  assertEquals(greeting.text, "[user]\nGreet Ann");
});

Deno.test("an entry says which tools are offered, how long calls take, and what may be read", async () => {
  const includeTools = ["echo", "slow", "where", "nothing"];
  const friendly = { ...FRIENDLY.friendly, timeout: 3_000, includeTools };
  const servers = { friendly: { ...friendly, excludeTools: ["echo"], bulkhead: { read: ["."] } } };
  await using opened = await openWith({ servers });
  const { host, workspace, warnings } = opened;
  assertEquals(toolsOf(opened), ["mcp_friendly_slow", "mcp_friendly_where"]);
  assertEquals(warnings, ['server "friendly" has no tool "nothing", which its entry names']);
  assertEquals((await call(opened, "mcp_friendly_where")).text, `file://${workspace}`);
  const told: unknown[] = [];
  const { error } = await callTool(findTool(host.catalog, "mcp_friendly_slow"), {}, {
    machine: host,
    onProgress: (progress) => void told.push(progress),
  });
  assertEquals([error?.code, told], ["timeout", [{ done: 1, total: 2, message: "half" }]]);
});

Deno.test("a server asks the person, field by field", async () => {
  const lines = ["Ann", "ten", "10", "green", "red", "yes"];
  const asked: string[] = [];
  await using opened = await openWith({
    servers: FRIENDLY,
    ask({ tool, question, context }) {
      asked.push(`${tool}: ${question}: ${context}`);
      return Promise.resolve(lines.shift() ?? null);
    },
  });
  const states: string[] = [];
  const { text } = await callTool(findTool(opened.host.catalog, "mcp_friendly_ask"), {}, {
    machine: opened.host,
    onQuestion: (state) => void states.push(state),
  });
  assertEquals(states, ["asked", "answered"]);
  assertEquals(text, '{"action":"accept","content":{"name":"Ann","age":10,"color":"red","fast":true}}');
  const start = 'mcp/friendly: The server "friendly" asks: Who are you?: ';
  const [name, , age, , color] = asked.map((line) => line.replace(start, ""));
  assertEquals(name, "name (Your name; a text; empty to decline)");
  assertEquals(age, '"ten" does not fit: it is not a whole number. age (a whole number; empty to decline)');
  const choices = "color (one of red, blue; empty to leave it out)";
  assertEquals(color, `"green" does not fit: it is none of the choices. ${choices}`);
  assertEquals((await call(opened, "mcp_friendly_ask")).text, '{"action":"cancel"}');
});

Deno.test("a server asks the model of the run only if there is one, and a person agrees", async () => {
  const requests: unknown[] = [];
  const model: Model = {
    name: "test-model",
    complete({ messages, maxOutputTokens }) {
      requests.push([messages, maxOutputTokens]);
      return Promise.resolve({ content: "2", tool_calls: [], finish: "stop", usage: null });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const asked: string[] = [];
  const answers: Consent[] = [{ no: "not now" }, "run"];
  await using opened = await openWith({
    servers: FRIENDLY,
    model,
    confirm({ question }) {
      asked.push(question);
      return Promise.resolve(answers.shift() ?? false);
    },
  });
  const refused = await call(opened, "mcp_friendly_think");
  assertMatch(refused.text, /the user does not want the model to answer/);
  assertEquals(requests, []);
  const thought = '{"model":"test-model","content":{"type":"text","text":"2"}}';
  for (let times = 0; times < 2; times++) {
    assertEquals((await call(opened, "mcp_friendly_think")).text, thought);
  }
  assertEquals(asked.length, 2);
  const message = { role: "user", kind: "task", content: [{ type: "text", text: "What is 1 + 1?" }] };
  assertEquals(requests[0], [[message], 20]);
  await using without = await openWith({ servers: FRIENDLY, confirm: () => Promise.resolve(true) });
  assertEquals((await call(without, "mcp_friendly_think")).ok, false);
});

Deno.test("secrets that a server was given are masked, and results are cut", async () => {
  const servers = { friendly: { ...FRIENDLY.friendly, env: { KEY: "${MCP_KEY}" } } };
  const env = { ...Deno.env.toObject(), MCP_KEY: "xK39-secret-value", GIVEN: "yL40-secret-value" };
  await using opened = await openWith({ servers, env, allowEnv: ["GIVEN"], contextLimit: 200 });
  const { text, result } = await call(opened, "mcp_friendly_echo", { message: "it is xK39-secret-value" });
  assertEquals([text.includes("xK39"), String(result).includes("xK39")], [false, false]);
  const given = await call(opened, "mcp_friendly_echo", { message: "it is yL40-secret-value" });
  assertEquals([given.text, given.result], ["it is [redacted]", "it is [redacted]"]);
  const message = JSON.stringify({ list: Array.from({ length: 100 }, (_, at) => ({ at })) });
  const long = await call(opened, "mcp_friendly_echo", { message });
  assertEquals(long.text.length <= 200, true);
  assertMatch(JSON.stringify(JSON.parse(long.text)), /more items/);
  assertEquals(long.result, message);
});

Deno.test("a tool that a server adds can be called, and one that it takes away fails", async () => {
  await using opened = await openWith({ servers: FRIENDLY });
  const { host } = opened;
  const before = host.catalog.entries;
  let told = 0;
  await host.ready({ onMore: () => told++ });
  assertEquals(host.catalog.entries === before, true);
  await call(opened, "mcp_friendly_grow");
  const [state] = await host.ready();
  assertEquals([told > 0, state?.tools], [true, 17]);
  assertEquals(host.catalog.entries.slice(0, -1), before);
  assertEquals(host.catalog.entries.at(-1)?.tool.full_name, "mcp/mcp_friendly_grown");
  assertEquals((await call(opened, "mcp_friendly_grown")).text, "new");
  assertEquals((await call(opened, "mcp_friendly_echo", { message: "hi" })).ok, true);
  assertEquals(opened.warnings, []);
  await call(opened, "mcp_friendly_shrink");
  const { error } = await call(opened, "mcp_friendly_echo", { message: "hi" });
  assertEquals(error?.code, "not_found");
  assertEquals(error?.message, 'Server "friendly" failed: it has no tool "echo" any more');
});

Deno.test("servers end beside each other", async () => {
  const told: string[] = [];
  const openWire = (open: OpenWire): OpenWire => async (options) => {
    const wire = await open(options);
    return {
      ...wire,
      async [Symbol.asyncDispose]() {
        told.push("asked");
        await wire[Symbol.asyncDispose]();
        told.push("ended");
      },
    };
  };
  await (await openWith({ servers: { ...FRIENDLY, other: FRIENDLY.friendly }, openWire }))
    [Symbol.asyncDispose]();
  assertEquals(told, ["asked", "asked", "ended", "ended"]);
});

Deno.test("a call is told as it ended when nobody knows any more where its server connected to", async () => {
  const openWire = (open: OpenWire): OpenWire => async (options) => {
    const wire = await open(options);
    const connections = () => Promise.reject(new Error("the gate has ended"));
    return { ...wire, connections, [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose]() };
  };
  await using opened = await openWith({ servers: FRIENDLY, openWire });
  assertEquals((await call(opened, "mcp_friendly_echo", { message: "hi" })).text, "hi");
  assertEquals((await call(opened, "mcp_friendly_fail")).text, "it went wrong");
  assertEquals((await call(opened, "mcp_friendly_die")).error?.code, "unavailable");
});
