import { OfferedTools } from "../../../../../runtime/calls/catalog/offered_tools.ts";
import { openHost } from "../../../../../runtime/host/open_host.ts";
import { runnerSettings } from "../../../../../runtime/host/runner_settings.ts";
import { assertEquals } from "@std/assert";

import { openRecorder, recordCalls } from "../../../../../runtime/agent/replay/record.ts";
import type { AgentCall, AgentTool } from "../../../../../runtime/agent/loop/parts.ts";
import { openReplay } from "../../../../../runtime/agent/replay/replay.ts";
import { replayCalls, type ReplayCallsOptions } from "../../../../../runtime/agent/replay/replay_calls.ts";
import { replayRules } from "../../../../../runtime/agent/replay/replay_rules.ts";
import { makeArtifactFolder } from "../../../../../runtime/state/artifact_folder.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { RunEvent } from "../../../../../schemas/agent/events.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import type { CallResult } from "../../../../../schemas/agent/trace.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };
import { type Workspace, workspace } from "../../../../support/run_tool.ts";
import { placed } from "../../../../support/trace_scene.ts";

const manifest = manifestJson as Manifest;
/** One red point. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const { signal } = new AbortController();

function toolOf(name: string): AgentTool {
  const rest = { parallel: true, read_only: name === "Read", concurrency: null, ends_run: null };
  return { name, full_name: `harness/${name}`, description: "", parameters: {}, ...rest };
}

function callOf(id: string, name: string, input: unknown = {}): AgentCall {
  return { id, tool: toolOf(name), arguments: input };
}

function resultOf({ id, tool }: AgentCall, changes: Partial<CallResult> = {}): CallResult {
  const usual = { ok: true, content: `${tool.name} done`, pictures: [], error: null, duration_ms: 5 };
  return { id, tool: tool.full_name, ...usual, ...changes };
}

const READ = callOf("c1", "Read", { path: "a" });
const WRITE = callOf("c2", "Write", { path: "b" });
const SHOT = callOf("c3", "Shot");

/** A recording of three calls, played back with changes; `ran` are the calls that were really run. */
async function scene(ws: Workspace, changes: Partial<ReplayCallsOptions> = {}) {
  const places = { workspace: "/then", artifacts: "/then-artifacts" };
  Deno.writeFileSync(ws.at("a.png"), Uint8Array.from(atob(PNG), (c) => c.charCodeAt(0)));
  {
    using recorder = openRecorder(placed(ws.at("r")), {
      model: "m",
      places,
      request: { system: "", tools: [] },
      redact: (text) => text,
      readPicture: () => Promise.resolve(PNG),
      warn: () => {},
    });
    const picture = { type: "image", path: ws.at("a.png"), mime_type: "image/png", bytes: 70 } as const;
    const given = ({ id }: AgentCall): Partial<CallResult> =>
      id === "c1" ? { content: "text in /then/a" } : id === "c3" ? { pictures: [picture] } : {};
    const record = recordCalls((call) => Promise.resolve(resultOf(call, given(call))), recorder);
    for (const call of [READ, WRITE, SHOT]) await record(call, { signal });
  }
  const ran: string[] = [];
  const differences: string[] = [];
  const replay = await openReplay(ws.at("r"));
  const callTool = replayCalls(
    (call) => {
      ran.push(call.id);
      return Promise.resolve(resultOf(call, { content: call.id === "c1" ? "text in /now/a" : "run again" }));
    },
    replay,
    {
      replayTools: false,
      runsAgain: ({ name }) => name === "Read",
      mayRun: () => Promise.resolve(null),
      onDifference: (message) => differences.push(message),
      redact: (text) => text,
      places: { workspace: "/now", artifacts: "/now-artifacts" },
      pictures: makeArtifactFolder(() => ws.at("artifacts")),
      ...changes,
    },
  );
  return { callTool: (call: AgentCall) => callTool(call, { signal }), ran, differences };
}

Deno.test("replayCalls() runs what reads again, and gives the recorded result of what writes", async () => {
  using ws = workspace();
  const { callTool, ran, differences } = await scene(ws);
  assertEquals((await callTool(READ)).content, "text in /now/a");
  assertEquals(await callTool(WRITE), { ...resultOf(WRITE), recorded: true as const });
  assertEquals([ran, differences], [["c1"], []]);
});

Deno.test("replayCalls() tells of a result that differs, and runs and compares all calls if it is told to", async () => {
  using ws = workspace();
  const redact = (text: string) => text.replace("text", "other text");
  const { callTool, ran, differences } = await scene(ws, { redact, replayTools: true });
  await callTool(READ);
  assertEquals((await callTool(WRITE)).content, "run again");
  assertEquals(ran, ["c1", "c2"]);
  assertEquals(differences, [
    'Read (c1): the result is not the recorded one: line 1 was "text in <workspace>/a", is "other text in <workspace>/a"',
    'Write (c2): the result is not the recorded one: line 1 was "Write done", is "run again"',
  ]);
});

Deno.test("replayCalls() gives the refusal of today's grants instead of the recorded result", async () => {
  using ws = workspace();
  const error = new ToolError("permission_denied", "no").toInfo();
  const mayRun = (call: AgentCall) => Promise.resolve(resultOf(call, { ok: false, content: "no", error }));
  const { callTool, ran, differences } = await scene(ws, { mayRun });
  assertEquals(await callTool(WRITE), resultOf(WRITE, { ok: false, content: "no", error }));
  assertEquals(ran, []);
  const told = "Write (c2): the result is not the recorded one: it was ok, is permission_denied";
  assertEquals(differences, [told]);
});

Deno.test("replayCalls() has no result for a call that was not recorded", async () => {
  using ws = workspace();
  const { callTool, ran, differences } = await scene(ws);
  const result = await callTool(callOf("c9", "Write", { path: "never" }));
  assertEquals([result.ok, result.error?.code], [false, "unavailable"]);
  assertEquals((await callTool(callOf("c9", "Read", { path: "never" }))).ok, true);
  assertEquals(ran, ["c9"]);
  const told = ["Write", "Read"].map((name) => `${name} (c9): the recording has no result of this call`);
  assertEquals(differences, told);
});

Deno.test("replayCalls() keeps the pictures of recorded results as files", async () => {
  using ws = workspace();
  const { callTool, differences } = await scene(ws);
  const { pictures } = await callTool(SHOT);
  const kept = [["image/png", ws.at("artifacts/Shot.png")]];
  assertEquals(pictures.map(({ mime_type, path }) => [mime_type, path]), kept);
  assertEquals(Deno.readFileSync(ws.at("artifacts/Shot.png")), ws.bytes("a.png"));
  assertEquals(differences, []);
});

/** The rules of a run in a workspace, under a policy. */
function rulesOf(ws: Workspace, policy: "coder" | "read-only") {
  const main = new URL("../../../../../main.ts", import.meta.url).href;
  const options = { workspace: ws.path, policy, sandbox: "off", config: false, env: {} } as const;
  const host = openHost(runnerSettings(options, manifest, main), { manifest });
  const events: RunEvent[] = [];
  const offered = new OfferedTools(
    host.catalog.entries
      .filter(({ tool: { toolset } }) => toolset === "harness" || toolset === "par")
      .map((entry) => ({ entry, name: entry.tool.full_name.replace("/", "_") })),
  );
  const rules = replayRules({ machine: host, offered, emit: (event) => events.push(event) });
  return { ...rules, events, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

Deno.test("replayRules() run again what reads files and nothing else", async () => {
  using ws = workspace();
  await using rules = rulesOf(ws, "coder");
  const names = "harness/Read harness/Grep par/ls harness/Write harness/Bash par/get_time no/tool".split(" ");
  const again = names.filter((full_name) => rules.runsAgain({ ...toolOf("x"), full_name }));
  assertEquals(again, ["harness/Read", "harness/Grep", "par/ls"]);
});

Deno.test("replayRules() ask today's grants, and nothing is done", async () => {
  using ws = workspace({ "a.txt": "a" });
  const write = callOf("c1", "Write", { path: "new.txt", content: "x" });
  await using free = rulesOf(ws, "coder");
  const ask = (call: AgentCall) => free.mayRun(call, { signal });
  assertEquals(await ask(write), null);
  const outside = await ask(callOf("c2", "Write", { path: "/etc/x", content: "x" }));
  assertEquals([outside?.ok, outside?.error?.code], [false, "permission_denied"]);
  assertEquals(outside?.content.includes(outside.error?.message ?? "?"), true);
  assertEquals(free.events.map(({ type }) => type), ["permission"]);
  assertEquals((await ask(callOf("c3", "Write", { nothing: 1 })))?.error?.code, "invalid_input");
  assertEquals((await ask(callOf("c4", "Missing")))?.error?.code, "not_found");
  await using strict = rulesOf(ws, "read-only");
  assertEquals((await strict.mayRun(write, { signal }))?.error?.code, "permission_denied");
  assertEquals((await strict.mayRun(callOf("c5", "Bash", { command: "ls" }), { signal }))?.ok, false);
  assertEquals([...Deno.readDirSync(ws.path)].map(({ name }) => name), ["a.txt"]);
});
