import { assert, assertEquals, assertRejects } from "@std/assert";

import { createAgent } from "../../../../../runtime/mod.ts";
import { Narrowing, StartRun } from "../../../../../runtime/server/api/run_schemas.ts";
import { readPictures } from "../../../../../runtime/server/runs/settings/keep_pictures.ts";
import { planRun } from "../../../../../runtime/server/runs/settings/run_settings.ts";
import { lstat } from "../../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { codeOf } from "../../../../support/refusal.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { scriptedModel } from "../../../../support/scripted_model.ts";
import { eventsOf, servedIn, servedRuns } from "../../../../support/server/served_runs.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const write = (path: string) => ({
  tool_calls: [{ id: "w", name: "Write", arguments: { path, content: "x\n" } }],
});

function isThere(path: string): boolean {
  return lstat(path) !== null;
}

/** A model that writes each file that a prompt names, once. */
function writer() {
  return scriptedModel(({ body }) => {
    const { role, content } = body.messages.at(-1);
    const text = typeof content === "string" ? content : JSON.stringify(content);
    const [, path] = /write (\S+\.txt)/.exec(text) ?? [];
    return role === "user" && path !== undefined ? write(path) : { text: "Done." };
  });
}

Deno.test("a request can only take away: policy, paths, tools and limits", async () => {
  for (
    const more of [{ allow_write: ["/"] }, { policy: "coder" }, { allow_all: true }, { deny_write: false }]
  ) {
    assert(!Narrowing.safeParse(more).success, JSON.stringify(more));
  }
  assert(!StartRun.safeParse({ prompt: "x", allow: { run: true } }).success);
  using ws = workspace({ "ws/sub/a.txt": "hello\n" });
  await using server = writer();
  await using runs = servedRuns(ws, server.url);
  const refused = [{ policy: "read-only" }, { deny_write: true }, { deny_write: ["no"] }, {
    tools: ["Read"],
  }] as const;
  for (const grants of refused) {
    const { id } = await runs.start({ prompt: "write no/b.txt", grants: structuredClone(grants) as never });
    await runs.settled(id);
    // What was taken away stays so.
    await runs.resume(id, { prompt: "write no/b.txt" });
    const { state, policy, grants: told } = await runs.settled(id);
    assertEquals([state, policy, told], [
      ...["completed", "policy" in grants ? "read-only" : "coder"],
      structuredClone(grants),
    ]);
    assert(!isThere(ws.at("ws/no/b.txt")), JSON.stringify(grants));
  }
  const { id } = await runs.start({ prompt: "write b.txt", workspace: ws.at("ws/sub") });
  await runs.settled(id);
  assertEquals(ws.read("ws/sub/b.txt"), "x\n");
  const names = server.requests.flatMap(({ body }) =>
    body.tools?.length === 1 ? body.tools[0].function.name : []
  );
  assertEquals(new Set(names), new Set(["Read"]));
  Deno.symlinkSync(ws.path, ws.at("ws/out"));
  const outside = runs.start({ prompt: "x", workspace: ws.at("ws/out") });
  assertEquals((await assertRejects(() => outside, ToolError)).code, "permission_denied");
});

Deno.test("a run has the server's role prompts, and reads what a client said before its question before it", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  await using server = writer();
  await using runs = servedRuns(ws, server.url, { roles: ["You count in dozens."] });
  const before = "SYSTEM:\nBe kind.\n\nUSER:\nHi\n\nASSISTANT:\nHello";
  const { id } = await runs.start({ prompt: "Count.", before });
  await runs.settled(id);
  const [system, ...others] = server.requests[0]!.body.messages;
  assert(JSON.stringify(system).includes("You count in dozens."));
  const asked = JSON.stringify(others.at(-1));
  const places = ["<conversation>", "Be kind.", "Hi", "Hello", "Count."].map((text) => asked.indexOf(text));
  assertEquals(places.includes(-1) || asked.includes("<stdin"), false);
  assertEquals(places, places.toSorted((one, other) => one - other));
});

Deno.test("limits of a request are never looser than the server's", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  const served = { ...servedIn(ws, "http://127.0.0.1:1/v1"), limits: { rounds: 5, cost: null } };
  const limits = { rounds: 50, cost: 3, seconds: 1e9 };
  const request = { workspace: served.roots[0]!, choice: { limits }, said: null };
  const plan = await planRun(served, request, { id: "x", kept: null });
  assertEquals(plan.limits, { rounds: 5, cost: 3, seconds: 10_800 });
});

Deno.test("what a session of the command line was allowed adds nothing here, and what it was denied holds", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = writer();
  const { env } = servedIn(ws, server.url).host;
  const begin = async (grants: object) => {
    const model = { name: "m", baseUrl: server.url, apiKey: "" };
    const options = { workspace: ws.at("ws"), model, env, config: false as const };
    await using agent = createAgent({ ...options, grants: { sandbox: "off", ...grants } });
    return (await agent.run("Hello")).session_id!;
  };
  const wide = await begin({ policy: "coder", allow: { write: [ws.path] } });
  const narrow = await begin({ policy: "read-only" });
  const denied = await begin({ deny: { write: ["no"] } });
  await using strict = servedRuns(ws, server.url, { host: { grants: { policy: "read-only" } } });
  await strict.resume(wide, { prompt: "write one.txt" });
  await strict.settled(wide);
  assert(!isThere(ws.at("ws/one.txt")));
  await using free = servedRuns(ws, server.url, { host: { grants: { policy: "coder" } } });
  for (
    const [id, path] of [[wide, `${ws.path}/two.txt`], [narrow, "two.txt"], [denied, "no/two.txt"]] as const
  ) {
    await free.resume(id, { prompt: `write ${path}` });
    assertEquals((await free.settled(id)).state, "completed");
    const last = (await eventsOf(free, id)).findLast(({ event }) => event.type === "tool.end")?.event;
    assertEquals(last?.type === "tool.end" && last.result.error?.code, "permission_denied", path);
  }
  await free.resume(denied, { prompt: "write yes.txt" });
  await free.settled(denied);
  assert(isThere(ws.at("ws/yes.txt")));
});

Deno.test("pictures are checked by their bytes, and go to the model", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  await using server = writer();
  await using runs = servedRuns(ws, server.url);
  const start = (data_url: string) =>
    runs.start({ prompt: "Look", images: [{ name: "../../x.gif", data_url }] });
  const { id } = await start(`data:image/png;base64,${PIXEL}`);
  assertEquals((await runs.settled(id)).state, "completed");
  assert(JSON.stringify(server.requests[0]?.body.messages).includes(PIXEL));
  assert(isThere(ws.at(`state/bulkhead/sessions/${id}/artifacts/_x.png`)));
  assert(!isThere(ws.at(`state/bulkhead/sessions/${id}/inbox`)));
  for (const wrong of ["data:image/png;base64,aGVsbG8=", "https://example.com/x.png", "data:,x"]) {
    assertEquals((await assertRejects(() => start(wrong), ToolError)).code, "invalid_input");
  }
  assertEquals((await runs.list({})).runs.length, 1);
});

Deno.test("a schema of the answer holds for all runs of a session, and what cannot begin says why", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  await using server = scriptedModel(["one", '{"n": 1}', "two", '{"n": 2}'].map((text) => ({ text })));
  const output_schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  await using runs = servedRuns(ws, server.url);
  const { id } = await runs.start({ prompt: "Count", output_schema });
  assertEquals((await runs.settled(id)).output, { n: 1 });
  await runs.resume(id, { prompt: "On" });
  assertEquals((await runs.settled(id)).output, { n: 2 });
  const broken = await runs.start({ prompt: "Read @missing.txt", output_schema: { type: "nothing" } });
  const failed = await runs.settled(broken.id);
  assertEquals([failed.state, failed.termination_reason, failed.can.resume], ["failed", "not_started", true]);
  assertEquals(failed.error?.code, "invalid_input");
  const types = (await eventsOf(runs, broken.id)).map(({ event }) => event.type);
  assertEquals([types[0], ...types.slice(-2)], ["prompt", "warning", "run.end"]);
});

Deno.test("what a client adds to requests chooses no other model or server, and is sent else", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = writer();
  await using runs = servedRuns(ws, server.url);
  const refuse = async (extraBody: Record<string, unknown>, code: string) =>
    assertEquals(await codeOf(() => runs.start({ prompt: "x", extraBody })), code, JSON.stringify(extraBody));
  const chosen = [
    ...["models", "provider", "plugins", "n", "mcp_servers", "search_parameters", "web_search", "api_base"],
    ...[
      "base_url",
      "custom_llm_provider",
      "fallback_models",
      "engine",
      "adapter_id",
      "best_of",
      "conversation",
    ],
    ...["previous_response_id", "mock_response", "extra_body", "api_key", "service_tier", "Temperature"],
  ];
  for (const name of [...chosen, "constructor"]) await refuse({ [name]: 1 }, "permission_denied");
  await refuse(JSON.parse('{"__proto__":{"models":["dear"]}}'), "permission_denied");
  const odd = [{ temperature: { models: [] } }, { stop: [{}] }, { max_tokens: 0 }, {
    logit_bias: { a: "b" },
  }];
  for (const extraBody of odd) await refuse(extraBody, "invalid_input");
  assertEquals(server.requests.length, 0);
  const { id } = await runs.start({ prompt: "x", extraBody: { top_k: 5, stop: ["END"] } });
  await runs.settled(id);
  assertEquals(server.requests[0]!.body.top_k, 5);
});

Deno.test("readPictures() gives no picture the name of another one of the run", () => {
  const picture = { name: "image.png", data_url: `data:image/png;base64,${PIXEL}` };
  const names = readPictures([picture, picture], ["image.png"]).map(({ name }) => name);
  assertEquals(names, ["image_2.png", "image_3.png"]);
});
