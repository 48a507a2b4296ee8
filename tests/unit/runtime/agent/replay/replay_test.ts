import { assertEquals, assertRejects, assertThrows } from "@std/assert";

import { openRecorder, recordEarlier, recordModel } from "../../../../../runtime/agent/replay/record.ts";
import { MAX_REPLAY_LINE_BYTES, openReplay } from "../../../../../runtime/agent/replay/replay.ts";
import { makeRedactor } from "../../../../../runtime/text/secrets/redact.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Model, ModelReply, Purpose } from "../../../../../schemas/agent/model.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";
import { codeOf, refusalOf } from "../../../../support/refusal.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { placed, resultLine, taskLine } from "../../../../support/trace_scene.ts";

const PLACES = { workspace: "/ws", artifacts: "/state/sessions/s/artifacts" };

const never = (message: string) => {
  throw new Error(message);
};

function recorderOptions(changes: Partial<Parameters<typeof openRecorder>[1]> = {}) {
  const request = { system: "", tools: [{ name: "Read", description: "", parameters: {} }] };
  return {
    ...{ model: "gpt-x", places: PLACES, request, redact: (text: string) => text, warn: never },
    readPicture: (path: string) => Promise.resolve(btoa(path)),
    ...changes,
  };
}

function replyOf(content: string): ModelReply {
  return { content, tool_calls: [], finish: "stop", usage: null };
}

/** A model that gives what it is told to, one after the other. */
function modelOf(answers: readonly (ModelReply | ToolError)[]): Model {
  const rest = [...answers];
  return {
    name: "gpt-x",
    complete: () => {
      const answer = rest.shift();
      return answer instanceof ToolError ? Promise.reject(answer) : Promise.resolve(answer!);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Asks a model once for each purpose; a failure is told by its code. */
async function askAll(model: Model, purposes: readonly Purpose[]): Promise<string[]> {
  const { signal } = new AbortController();
  const said: string[] = [];
  for (const purpose of purposes) {
    const messages = [{ role: "user", kind: "task", content: [{ type: "text", text: "Do it" }] }] as const;
    const request = { purpose, messages, tools: [], maxOutputTokens: 100 };
    said.push(
      await model.complete(request, { signal }).then(
        ({ content }) => content,
        (error) => error instanceof ToolError ? `${error.code} ${error.details.reason ?? ""}`.trim() : "?",
      ),
    );
  }
  return said;
}

const tooLong = new ToolError("limit_exceeded", "too long", { details: { reason: "context" } });

/** What was asked for and answered in the recording of the tests. */
const PURPOSES: readonly Purpose[] = ["turn", "turn", "turn", "compact", "compact", "turn", "repair"];
const ANSWERS = [
  ...[replyOf("one"), new ToolError("rate_limited", "slower"), tooLong],
  ...["sum a", "sum b", "two", "three"].map(replyOf),
];
const ENDED = "unavailable replay_ended";
const PLAYED = ["one", "limit_exceeded context", "sum a", "sum b", "two", "three"];
/** Without the request that was tried again. */
const REPLAYED: readonly Purpose[] = ["turn", "turn", "compact", "compact", "turn", "repair"];

async function record(path: string): Promise<void> {
  using recorder = openRecorder(placed(path), recorderOptions());
  await askAll(recordModel(modelOf(ANSWERS), recorder), PURPOSES);
}

function replyLine(content: string, purpose: Purpose = "turn"): TraceLine {
  return { t: "reply", purpose, reply: replyOf(content) };
}

Deno.test("a recorded model is played back, with what failed for good and without what was tried again", async () => {
  using ws = workspace();
  await record(ws.at("r"));
  const replay = await openReplay(ws.at("r"));
  assertEquals([replay.recordedModel, replay.task, replay.places], ["gpt-x", "Do it", PLACES]);
  assertEquals(replay.model.name, `replay:${ws.at("r")}`);
  assertEquals(await askAll(replay.model, REPLAYED), PLAYED);
  assertEquals(await askAll(replay.model, ["turn"]), [ENDED]);
  assertEquals(Deno.statSync(ws.at("r")).mode! & 0o777, 0o600);
});

Deno.test("a replay passes over summaries that are not asked for, and has none where none was made", async () => {
  using ws = workspace();
  await record(ws.at("r"));
  const { model } = await openReplay(ws.at("r"));
  assertEquals(await askAll(model, ["turn", "compact", "turn", "turn", "turn", "turn"]), [
    ...["one", ENDED, "limit_exceeded context", "two", "three", ENDED],
  ]);
});

Deno.test("a replay goes on behind what the session has already", async () => {
  using ws = workspace();
  await record(ws.at("r"));
  const sum: TraceLine = { t: "compact", keep: 1, summary: "s" };
  const cases: readonly (readonly [earlier: TraceLine[], ask: Purpose[], said: string[]])[] = [
    [[], ["turn"], ["one"]],
    [[replyLine("one")], ["turn", "compact"], ["limit_exceeded context", "sum a"]],
    [[replyLine("one"), replyLine("sum a", "compact")], ["turn"], ["limit_exceeded context"]],
    [[replyLine("one"), sum], ["turn"], ["two"]],
    [[replyLine("one"), sum, replyLine("two")], ["repair"], ["three"]],
    [[replyLine("one"), replyLine("two"), replyLine("three", "repair")], ["turn"], [ENDED]],
    [Array(9).fill(replyLine("more")), ["turn"], [ENDED]],
  ];
  for (const [earlier, ask, said] of cases) {
    const { model } = await openReplay(ws.at("r"), { earlier });
    assertEquals(await askAll(model, ask), said);
  }
});

Deno.test("a replay stops when its run does, and gives its text as it would come", async () => {
  using ws = workspace();
  await record(ws.at("r"));
  const { model } = await openReplay(ws.at("r"));
  const request = { purpose: "turn", messages: [], tools: [], maxOutputTokens: 100 } as const;
  const stop = new AbortController();
  const told: string[] = [];
  await model.complete(request, { signal: stop.signal, onText: (text) => told.push(text) });
  assertEquals(told, ["one"]);
  const stopped = model.complete(request, { signal: stop.signal });
  stop.abort(new ToolError("cancelled", "stop"));
  assertEquals(await codeOf(() => stopped), "cancelled");
});

Deno.test("openReplay() finds each recorded result once: by its id, else by an equal call", async () => {
  using ws = workspace();
  {
    using recorder = openRecorder(placed(ws.at("r")), recorderOptions());
    const result = resultLine("c1") as Parameters<typeof recorder.result>[1];
    for (const [id, path] of [["c1", "a"], ["c2", "a"], ["c3", "b"]] as const) {
      const call = { id, tool: "harness/Read", arguments: { path, n: 1 } };
      await recorder.result(call, { ...result, content: id });
    }
  }
  const { resultOf } = await openReplay(ws.at("r"), { earlier: [resultLine("c2")] });
  const find = (id: string, path: string, tool = "harness/Read") =>
    resultOf({ id, tool, arguments: { n: 1, path } })?.content ?? null;
  assertEquals(find("c1", "changed"), "c1");
  assertEquals(find("c3", "b", "harness/Write"), null);
  assertEquals(find("new id", "b"), "c3");
  assertEquals(find("c3", "b"), null);
  assertEquals(find("c2", "a"), null);
});

Deno.test("openRecorder() masks secrets and keeps pictures as bytes", async () => {
  using ws = workspace();
  {
    const redact = makeRedactor(["hunter2secret"]);
    using recorder = openRecorder(placed(ws.at("r")), recorderOptions({ redact }));
    recorder.task("say hunter2secret");
    const tool_calls = [{ id: "c", name: "Read", arguments: '{"p":"hunter2secret"}' }];
    recorder.reply("turn", { ...replyOf("hunter2secret"), tool_calls });
    recorder.failure("turn", new ToolError("unauthenticated", "no hunter2secret").toInfo());
    const picture = { type: "image", path: "/p.png", mime_type: "image/png", bytes: 6 } as const;
    const result = resultLine("c", { content: "hunter2secret", pictures: [picture] });
    const call = { id: "c", tool: "harness/Read", arguments: { p: "hunter2secret" } };
    await recorder.result(call, result as Parameters<typeof recorder.result>[1]);
  }
  assertEquals(ws.read("r").includes("hunter2secret"), false);
  const { resultOf } = await openReplay(ws.at("r"));
  assertEquals(resultOf({ id: "c", tool: "harness/Read", arguments: {} }), {
    ...{ ok: true, content: "[redacted]", error: null, duration_ms: 1 },
    pictures: [{ mime_type: "image/png", data: btoa("/p.png") }],
  });
});

Deno.test("openRecorder() warns once when it cannot write, and writes nothing after the gap", async () => {
  using ws = workspace();
  const warnings: string[] = [];
  const readPicture = () => Promise.reject(new ToolError("not_found", "the picture is gone"));
  const warn = (message: string) => warnings.push(message);
  using recorder = openRecorder(placed(ws.at("r")), recorderOptions({ readPicture, warn }));
  const picture = { type: "image", path: "/p.png", mime_type: "image/png", bytes: 6 } as const;
  const result = resultLine("c", { pictures: [picture] }) as Parameters<typeof recorder.result>[1];
  for (let n = 0; n < 2; n++) await recorder.result({ id: "c", tool: "t", arguments: {} }, result);
  recorder.reply("turn", replyOf("x"));
  assertEquals(warnings, ["the recording is not whole: the picture is gone"]);
  assertEquals(ws.read("r").split("\n").length, 2);
});

Deno.test("openRecorder() refuses what is no file", async () => {
  using ws = workspace({ "folder/a": "" });
  await new Deno.Command("mkfifo", { args: [ws.at("pipe")] }).output();
  for (const name of ["folder", "pipe", "/dev/null", "none/r"]) {
    assertThrows(() => openRecorder(placed(ws.at(name)), recorderOptions()), ToolError);
    await assertRejects(() => openReplay(ws.at(name)), ToolError);
  }
});

Deno.test("recordEarlier() makes the recording of a resumed run whole", async () => {
  using ws = workspace();
  {
    using recorder = openRecorder(placed(ws.at("r")), recorderOptions());
    await recordEarlier([
      { t: "message", message: { role: "system", content: "You are" } },
      taskLine("Do it"),
      replyLine("one"),
      { t: "call", id: "c1", tool: "harness/Read", arguments: { path: "a" } },
      resultLine("c1", { content: "text of a" }),
      taskLine("And more"),
    ], recorder);
    await askAll(recordModel(modelOf([replyOf("two")]), recorder), ["turn"]);
  }
  const replay = await openReplay(ws.at("r"));
  assertEquals(replay.task, "Do it");
  assertEquals(await askAll(replay.model, ["turn", "turn"]), ["one", "two"]);
  assertEquals(replay.resultOf({ id: "c1", tool: "harness/Read", arguments: {} })?.content, "text of a");
});

const HEAD = JSON.stringify({ t: "recording", v: 1, version: "0.1.0", model: "m", places: PLACES });
const REPLY = JSON.stringify({ t: "reply", purpose: "turn", reply: replyOf("x") });

Deno.test("openReplay() takes a recording whose last line is torn at any byte", async () => {
  using ws = workspace();
  const bytes = new TextEncoder().encode(`${HEAD}\n${REPLY.replace('"x"', '"é😀"')}`);
  const head = new TextEncoder().encode(HEAD).length;
  for (let size = head; size <= bytes.length; size++) {
    Deno.writeFileSync(ws.at("r"), bytes.subarray(0, size));
    const { model } = await openReplay(ws.at("r"));
    assertEquals(await askAll(model, ["turn"]), [size < bytes.length ? ENDED : "é😀"]);
  }
});

Deno.test("openReplay() refuses hostile files, and says where", async () => {
  const usage = (input: unknown) => ({ input_tokens: input, cached_tokens: 0, output_tokens: 0 });
  const reply = (changes: Record<string, unknown>) =>
    JSON.stringify({ t: "reply", purpose: "turn", reply: { ...replyOf("x"), ...changes } });
  const error = { code: "nice", message: "", retryable: false, details: {} };
  const failed = { t: "failure", purpose: "turn", error };
  const cases: readonly (readonly [content: string, message: RegExp])[] = [
    ["", /it does not begin as a recording does/],
    [`${REPLY}\n`, /it does not begin as a recording does/],
    ["not json\n", /^Broken JSON in line 1 of/],
    [`${HEAD}\n{"t":\n${REPLY}\n`, /^Broken JSON in line 2 of/],
    [HEAD.replace('"v":1', '"v":2'), /^line 1 of ".*"\.v must be 1$/],
    [HEAD.replace('"/ws"', "7"), /\.places\.workspace must be a text$/],
    [`${HEAD}\nnull\n`, /^line 2 of ".*" must be an object$/],
    [`${HEAD}\n{"__proto__":{"t":"reply"}}\n`, /\.t must be one of/],
    [`${HEAD}\n{"t":"constructor"}\n`, /\.t must be one of/],
    [`${HEAD}\n${reply({ content: 7 })}\n`, /\.reply\.content must be a text$/],
    [`${HEAD}\n${reply({ tool_calls: {} })}\n`, /\.tool_calls must be a list$/],
    [`${HEAD}\n${reply({ tool_calls: [{ id: 1 }] })}\n`, /\.tool_calls\[0\]\.id must be a text$/],
    [`${HEAD}\n${reply({ finish: "never" })}\n`, /\.finish must be one of/],
    [`${HEAD}\n${reply({ usage: usage(-5) })}\n`, /must be a number from 0 upwards$/],
    [`${HEAD}\n${reply({}).replace("null", '{"input_tokens":1e999}')}\n`, /must be a number/],
    [`${HEAD}\n${JSON.stringify(failed)}\n`, /\.error\.code must be one of/],
    [`${HEAD}\n${"[".repeat(100_000)}\n${REPLY}`, /^Broken JSON in line 2/],
    [`${HEAD}\n${"[".repeat(100_000)}${"]".repeat(100_000)}\n${REPLY}`, /nested more than 500 levels/],
    [`${HEAD}\n"${"x".repeat(MAX_REPLAY_LINE_BYTES)}"\n`, /line 2 is longer than/],
    [`${HEAD}\n${'{"t":"task","text":""}\n'.repeat(200_000)}`, /more than 200000 lines$/],
  ];
  for (const [content, message] of cases) {
    using ws = workspace({ r: content });
    const error = await refusalOf(() => openReplay(ws.at("r")));
    const code = /longer|more than 200000/.test(message.source) ? "limit_exceeded" : "invalid_input";
    assertEquals([error?.code, message.test(error!.message)], [code, true], `${message}: ${error?.message}`);
  }
  using ws = workspace({ r: HEAD });
  await Deno.truncate(ws.at("r"), 129 * 1024 * 1024);
  const { code } = await assertRejects(() => openReplay(ws.at("r")), ToolError, "the limit is");
  assertEquals(code, "limit_exceeded");
});

Deno.test("openReplay() leaves out what nobody knows, and what would pass for our own", async () => {
  const extra =
    '{"reasoning_content":"hm","role":"system","content":"c","tool_calls":[],"__proto__":{"x":1}}';
  const line =
    `{"t":"reply","purpose":"turn","more":1,"reply":{"content":"x","tool_calls":[],"finish":"stop",` +
    `"usage":null,"__proto__":{"content":"y"},"extra":${extra}}}`;
  using ws = workspace({ r: `${HEAD}\n${line}\n` });
  const { model } = await openReplay(ws.at("r"));
  const request = { purpose: "turn", messages: [], tools: [], maxOutputTokens: 1 } as const;
  const reply = await model.complete(request, { signal: new AbortController().signal });
  const wanted = JSON.stringify({ ...replyOf("x"), extra: { reasoning_content: "hm" } });
  assertEquals(JSON.stringify(reply), wanted);
});
