import type { OpenLink } from "../../../../runtime/rooms/room.ts";
import { testMachine } from "../../../support/test_machine.ts";
import { assert, assertEquals } from "@std/assert";

import { OfferedTools } from "../../../../runtime/calls/catalog/offered_tools.ts";
import { toAgentTools } from "../../../../runtime/agent/tool_search/agent_tools.ts";
import { RunRecord } from "../../../../runtime/agent/ending/run_record.ts";
import { liveCalls } from "../../../../runtime/agent/live_calls.ts";
import type { CallControl } from "../../../../runtime/calls/control.ts";
import type { Carrier } from "../../../../runtime/calls/catalog/carrier.ts";
import type { FromRoom, Outcome, ToRoom } from "../../../../runtime/rooms/protocol.ts";
import type { RunEvent } from "../../../../schemas/agent/events.ts";

import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import { toolResult } from "../../../support/tool_result.ts";

const PNG = "iVBORw0KGgo=";
const OUTCOME: Outcome = {
  ...{ ok: true, result: "r", text: "said", images: [], warnings: [], error: null, targets: [] },
};
const LOOK = entryOf("test/look", { error_lead: "[look] ", asks: true });
const CALL = {
  id: "call-1",
  tool: toAgentTools([{ entry: { tool: LOOK }, name: "look_at" }])[0]!,
  arguments: { path: "a" },
};

/** Makes calls in a machine whose rooms say something and then give an outcome. */
function scene(
  root: string,
  { outcome = {}, before = [], control = {} }: {
    outcome?: Partial<Outcome>;
    before?: FromRoom[];
    control?: Partial<CallControl>;
  } = {},
) {
  const calls: ToRoom[] = [];
  const openLink: OpenLink = (_profile, _token, onMessage) => {
    queueMicrotask(() => onMessage({ t: "ready" }));
    const send = (message: ToRoom) => {
      calls.push(message);
      if (message.t !== "call") return;
      before.forEach(onMessage);
      onMessage({ t: "done", id: message.id, outcome: { ...OUTCOME, ...outcome } });
    };
    return Promise.resolve({ link: { send, kill() {}, closed: new Promise(() => {}) }, place: "worker" });
  };
  const { machine, entryOf: entryIn } = testMachine(root, openLink, {
    control: { permissions: () => ["allow"], ...control },
    maxIdle: 1,
  });
  const events: RunEvent[] = [];
  const states: string[] = [];
  const callTool = liveCalls({
    model: "scripted",
    record: new RunRecord(machine.grants),
    machine,
    offered: new OfferedTools([{ entry: entryIn(LOOK), name: "look_at" }]),
    emit: (event) => void events.push(event),
    pictures: machine.artifacts,
    onQuestion: (state) => void states.push(state),
  });
  return { callTool, calls, events, states };
}

const REFUSED = { type: "permission", id: "call-1", decision: "refused" } as const;
const never = { signal: new AbortController().signal };

Deno.test("toAgentTools() tells a model of the tools under the names that they are offered by", () => {
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties: {} };
  const ends_run = { status: "status", failed: "failure", answer: null };
  const facts = { read_only: false, parallel: false, ends_run };
  const limits = { timeout_ms: null, concurrency: 2 };
  const tool = entryOf("test/end", { input_schema: schema, limits, ...facts });
  assertEquals(toAgentTools([{ entry: { tool }, name: "alias" }]), [{
    ...{ name: "alias", full_name: "test/end", description: "Does it.", ...facts },
    parameters: { type: "object", properties: {} },
  }]);
});

/** What a tool gives, and what the model reads. */
const SAID: readonly (readonly [outcome: Partial<Outcome>, content: string])[] = [
  [{}, "said"],
  [{ text: "" }, "(no output)"],
  [
    { warnings: ["a: number from text", "b was dropped"] },
    "said\n\n[warning] a: number from text\n[warning] b was dropped",
  ],
  [{ text: "said\n", warnings: ["w"] }, "said\n\n[warning] w"],
];

Deno.test("liveCalls() tells the model what the tool says, and what was repaired", async () => {
  using ws = workspace();
  for (const [outcome, content] of SAID) {
    const { callTool, events } = scene(ws.path, { outcome });
    const { full, duration_ms, ...told } = await callTool(CALL, never);
    const expected = { id: "call-1", tool: "test/look", ok: true, content, pictures: [], error: null };
    assertEquals(told, expected);
    const { text, result, metadata } = full!;
    assertEquals([text, result, metadata.duration_ms], [outcome.text ?? "said", "r", duration_ms]);
    assertEquals(events, []);
  }
});

Deno.test("liveCalls() keeps pictures as files, under the name that the model knows", async () => {
  using ws = workspace();
  const picture = { mime_type: "image/png", data: PNG };
  const bad = { mime_type: "image/png", data: "bm8gcGljdHVyZQ==" };
  const { callTool } = scene(ws.path, { outcome: { images: [picture, bad, picture] } });
  const { pictures, content, full } = await callTool(CALL, never);
  const paths = [ws.at("artifacts/look_at.png"), ws.at("artifacts/look_at-2.png")];
  assertEquals(pictures, paths.map((path) => ({ type: "image", path, mime_type: "image/png", bytes: 8 })));
  assertEquals(full?.images, []);
  assertEquals(full?.artifacts.map(({ name, path, bytes }) => [name, path, bytes]), [
    ["look_at.png", paths[0], 8],
    ["look_at-2.png", paths[1], 8],
  ]);
  const why = 'Cannot use "look_at" as a picture: its content is not PNG, JPEG, WebP or GIF';
  assertEquals(content, `said\n\n[warning] a picture of the result is left out: ${why}`);
});

Deno.test("liveCalls() passes progress and refusals on as events of the call", async () => {
  using ws = workspace();
  const progress: FromRoom = { t: "progress", id: 1, progress: { done: 1, message: "m" } };
  const details = { kind: "read", target: "/x", flag: "--allow-read=/x", reason: "outside" };
  const error = { code: "permission_denied", message: "no", retryable: false, details } as const;
  const { callTool, events } = scene(ws.path, {
    before: [progress],
    outcome: { ok: false, result: null, text: "[look] no", error },
  });
  const { ok, content, error: told } = await callTool(CALL, never);
  assertEquals([ok, content, told], [false, "[look] no", error]);
  assertEquals(events, [
    { type: "tool.progress", id: "call-1", done: 1, message: "m" },
    { ...REFUSED, kind: "read", target: "/x", flag: "--allow-read=/x" },
  ]);
});

Deno.test("liveCalls() tells of a rule that refuses, and of a person who agrees", async () => {
  using ws = workspace();
  const denied = scene(ws.path, { control: { permissions: () => ["deny"] } });
  const { ok, content } = await denied.callTool(CALL, never);
  assert(!ok && content.startsWith("[look] test/look is refused: "), content);
  assertEquals(denied.events, [{ ...REFUSED, rule: "permission" }]);
  const confirm = () => Promise.resolve(true);
  const agreed = scene(ws.path, { control: { permissions: () => ["confirm"], confirm } });
  assertEquals((await agreed.callTool(CALL, never)).ok, true);
  assertEquals(agreed.events, [{ type: "permission", id: "call-1", decision: "confirmed" }]);
  assertEquals(agreed.states, ["asked", "confirmed"]);
});

Deno.test("liveCalls() makes room for the questions of tools", async () => {
  using ws = workspace();
  const ask: FromRoom = { t: "ask", n: 7, ask: { kind: "user.ask", question: "Which?" } };
  const { callTool, calls, states } = scene(ws.path, {
    before: [ask],
    control: { ask: ({ tool, question }) => Promise.resolve(`${tool} ${question}`) },
  });
  await callTool(CALL, never);
  // The fake room does not wait for the answer.
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(states, ["asked", "answered"]);
  assertEquals(calls.map(({ t }) => t), ["call", "answer"]);
});

Deno.test("liveCalls() keeps sounds and documents as files, and tells the model where they are", async () => {
  using ws = workspace();
  const { machine } = testMachine(ws.path, () => Promise.reject(new Error("no room")), {
    control: { permissions: () => ["allow"] },
  });
  const pdf = { uri: "a:/b.pdf", mime_type: "application/pdf", data: "AAEC" };
  const result = toolResult({
    text: "said",
    audio: [{ mime_type: "audio/wav", data: "UklG" }],
    resources: [{ uri: "note://1", text: "a text" }, pdf],
  });
  const facts = { targets: [], analyses: [], programs: [], connections: [] };
  const carrier: Carrier = {
    call: () => Promise.resolve({ result, facts }),
    explain: () => Promise.reject(new Error("not explained")),
  };
  const callTool = liveCalls({
    ...{ model: "scripted", record: new RunRecord(machine.grants), machine, pictures: machine.artifacts },
    offered: new OfferedTools([{ entry: { tool: LOOK, carrier }, name: "look_at" }]),
    emit() {},
  });
  const { content, full } = await callTool(CALL, never);
  const [sound, document] = full!.artifacts.map(({ path }) => path);
  assertEquals(content, `said\n\n[file] ${sound} (3 bytes)\n[file] ${document} (3 bytes)`);
  assertEquals(Deno.readFileSync(document!), new Uint8Array([0, 1, 2]));
  assertEquals([full!.audio, full!.resources], [undefined, undefined]);
});
