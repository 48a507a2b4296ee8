import { assert, assertEquals, assertMatch } from "@std/assert";

import { Counter, MOST_SERIES } from "../../../../runtime/telemetry/metrics/metrics.ts";
import { WorkMetrics } from "../../../../runtime/telemetry/metrics/work_metrics.ts";
import { openTraces } from "../../../../runtime/telemetry/traces/open_traces.ts";
import { readOtelSettings } from "../../../../runtime/telemetry/traces/otel_settings.ts";
import { readTraceparent } from "../../../../runtime/telemetry/traces/trace_place.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { otlpReceiver } from "../../../support/telemetry/otlp_receiver.ts";
import { readOpenMetrics } from "../../../support/telemetry/read_open_metrics.ts";

const SECRET = "hunter2-hunter2";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const redact = (text: string) => text.replaceAll(SECRET, "…");
const CALL = { tool: "own/Look", input: { key: SECRET }, redact };
const RESULT = { error: null, text: `found ${SECRET}`, metadata: { duration_ms: 1, place: "process" } };

function open(url: string, env: Record<string, string> = {}) {
  const warnings: string[] = [];
  const traces = openTraces({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env },
    isPart: true,
    warn: (message) => void warnings.push(message),
  });
  assert(traces !== null);
  const { telemetry } = traces;
  const call = (to = telemetry) => to.call(CALL)(RESULT as ToolResult);
  return { warnings, telemetry, call, [Symbol.asyncDispose]: () => traces[Symbol.asyncDispose]() };
}

Deno.test("openTraces() tells runs with their requests and calls, in the trace of the caller", async () => {
  await using collector = otlpReceiver();
  {
    await using traces = open(collector.url, {
      TRACEPARENT: `00-${TRACE}-b7ad6b7169203331-01`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_RESOURCE_ATTRIBUTES: "host.name=here",
    });
    const model = { model: "small", provider: "mistral" };
    const run = traces.telemetry.run({ kind: "agent", session: "s-1", agent: "researcher", model });
    const request = { purpose: "turn", messages: [], tools: [] } as const;
    const ask = () => run.within.ask({ ...model, request, redact: (text) => text });
    const usage = { input_tokens: 10, cached_tokens: 4, output_tokens: 5 };
    ask()({ reply: { content: "", tool_calls: [], finish: "stop", usage } });
    ask()({ error: new ToolError("rate_limited", "slowly") });
    traces.call(run.within);
    run.end({ termination: "completed" });
    traces.call(traces.telemetry.under(`00-${"1".repeat(32)}-${"2".repeat(16)}-00`));
  }
  assertEquals(collector.problems, []);
  const [delivery] = collector.deliveries;
  assertEquals([delivery?.path, delivery?.headers.get("x-key")], ["/v1/traces", "abc"]);
  assertEquals([delivery?.resource["service.name"], delivery?.resource["host.name"]], ["bulkhead", "here"]);
  const byName = new Map(collector.spans.map((span) => [`${span.name} ${span.status}`, span]));
  const top = byName.get("invoke_agent researcher 0")!;
  assertEquals([top.parentId, top.attributes["gen_ai.conversation.id"]], ["b7ad6b7169203331", "s-1"]);
  const ask = byName.get("chat small 0")!;
  assertEquals([ask.kind, ask.attributes["gen_ai.provider.name"]], [3, "mistral_ai"]);
  const { "gen_ai.usage.input_tokens": tokens, "gen_ai.response.finish_reasons": reasons } = ask.attributes;
  assertEquals([tokens, reasons], [10, ["stop"]]);
  assertEquals(byName.get("chat small 2")?.attributes["error.type"], "rate_limited");
  const call = byName.get("execute_tool own/Look 0")!;
  const { "gen_ai.tool.name": name, "gen_ai.tool.call.arguments": told } = call.attributes;
  assertEquals([name, told], ["own/Look", undefined]);
  // The last call lies in a trace that is not told.
  assertEquals(collector.spans.map(({ traceId }) => traceId), [TRACE, TRACE, TRACE, TRACE]);
  assertEquals([ask, call].map(({ parentId }) => parentId), [top.spanId, top.spanId]);
});

Deno.test("openTraces() tells contents only if it is asked to, and no secret among them", async () => {
  await using collector = otlpReceiver();
  {
    await using traces = open(collector.url, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" });
    traces.call();
  }
  const [span] = collector.spans;
  assertEquals(span?.parentId, null);
  assertEquals(span?.attributes["gen_ai.tool.call.result"], "found …");
  assert(!JSON.stringify(collector.spans).includes(SECRET));
});

Deno.test("openTraces() repeats what a collector puts off, and counts what it refuses", async () => {
  await using collector = otlpReceiver((n) => n === 0 ? new Response("later", { status: 503 }) : null);
  await using refusing = otlpReceiver(() => Response.json({ partialSuccess: { rejectedSpans: "1" } }));
  await using closed = otlpReceiver(() => new Response("no", { status: 401 }));
  const all = [open(collector.url), open(refusing.url), open(closed.url)];
  for (const traces of all) traces.call();
  await Promise.all(all.map((traces) => traces[Symbol.asyncDispose]()));
  assertEquals([collector.spans.length, all[0]!.warnings], [1, []]);
  assertEquals(all.map(({ telemetry }) => telemetry.lost()), [0, 1, 1]);
  const refused = /^1 span of the trace was not delivered to 127\.0\.0\.1:\d+: it refused them;[^|]*$/;
  assertMatch(all[1]!.warnings.join("|"), refused);
  assertMatch(all[2]!.warnings.join("|"), /status 401/);
});

Deno.test("openTraces() waits for no collector that is dead or slow, and warns once", async () => {
  await using slow = otlpReceiver((_, gone) =>
    new Promise((resolve) => gone.addEventListener("abort", () => resolve(new Response())))
  );
  // Systems give this port to nobody.
  const dead = { url: "http://127.0.0.1:2" };
  const limits = { OTEL_BSP_MAX_QUEUE_SIZE: "50", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10" };
  const all = [slow, dead].map(({ url }) => open(url, { OTEL_EXPORTER_OTLP_TIMEOUT: "300", ...limits }));
  for (const traces of all) for (let n = 0; n < 500; n++) traces.call();
  // The slow one answers only when it is given up.
  await Promise.all(all.map((traces) => traces[Symbol.asyncDispose]()));
  const lost = all.map(({ telemetry, warnings }) => [telemetry.lost(), warnings.length]);
  assertEquals(lost, [[500, 1], [500, 1]]);
});

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318/" };

Deno.test("readOtelSettings() reads the variables of OpenTelemetry, and asks for nothing without them", () => {
  assertEquals(readOtelSettings({}), null);
  assertEquals(readOtelSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: "true" }), null);
  assertEquals(readOtelSettings({ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" }), null);
  const wrong: Record<string, string>[] = [
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: "console" },
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://collector.example" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:secret@collector.example" },
  ];
  for (const env of wrong) {
    const said = readOtelSettings(env);
    assert(typeof said === "string" && !said.includes("secret"), String(said));
  }
  const settings = readOtelSettings({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team = blue,broken",
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "2000",
    OTEL_EXPORTER_OTLP_TIMEOUT: "9000",
    OTEL_SERVICE_NAME: "shop",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=test%2C1",
    OTEL_BSP_MAX_QUEUE_SIZE: "many",
  });
  assert(settings !== null && typeof settings === "object");
  assertEquals(settings.collector, {
    url: "http://collector.example:4318/v1/traces",
    headers: { authorization: "Bearer abc", "x-team": "blue" },
    timeoutMs: 2_000,
    gzip: false,
  });
  assertEquals(settings.resource, { "service.name": "shop", "deployment.environment.name": "test,1" });
  assertEquals([settings.queue.most, settings.tellsContents], [2_048, false]);
  const own = readOtelSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://c.example/own" });
  assert(own !== null && typeof own === "object");
  assertEquals(own.collector.url, "https://c.example/own");
});

Deno.test("readOtelSettings() samples as the variables say", () => {
  const half = "0".repeat(18) + "80000000000000";
  const below = "0".repeat(18) + "70000000000000";
  const place = (isSampled: boolean) => ({ traceId: half, spanId: "0000000000000001", isSampled });
  const sampler = (OTEL_TRACES_SAMPLER: string, OTEL_TRACES_SAMPLER_ARG = "") => {
    const settings = readOtelSettings({ ...ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG });
    assert(settings !== null && typeof settings === "object");
    return settings.sampler;
  };
  assertEquals([sampler("")(half, null), sampler("")(half, place(false))], [true, false]);
  const always = [sampler("always_off")(half, place(true)), sampler("always_on")(half, place(false))];
  assertEquals(always, [false, true]);
  const ratio = sampler("parentbased_traceidratio", "0.5");
  assertEquals([ratio(half, null), ratio(below, null), ratio(half, place(true))], [false, true, true]);
  assertEquals([sampler("traceidratio", "2")(half, null), sampler("unknown")(half, null)], [true, true]);
});

Deno.test("readTraceparent() reads what the Trace Context allows", () => {
  const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  assertEquals(readTraceparent(`00-${trace}-${span}-01`), { traceId: trace, spanId: span, isSampled: true });
  assertEquals(readTraceparent(`00-${trace}-${span}-00`)?.isSampled, false);
  assertEquals(readTraceparent(`cc-${trace}-${span}-03-later`)?.isSampled, true);
  const bad = [
    ...[undefined, "", `00-${trace}-${span}`, `00-${trace}-${span}-01-more`, `ff-${trace}-${span}-01`],
    `00-${trace.toUpperCase()}-${span}-01`,
    ...[`00-${"0".repeat(32)}-${span}-01`, `00-${trace}-${"0".repeat(16)}-01`],
  ];
  for (const one of bad) assertEquals(readTraceparent(one), null, one);
});

const DONE = { error: null } as ToolResult;
const failed = (code: "not_found" | "permission_denied") =>
  ({ error: new ToolError(code, "no").toInfo() }) as ToolResult;

Deno.test("WorkMetrics counts calls, requests, runs and rooms, in a form that a strict reader takes", () => {
  const metrics = new WorkMetrics();
  metrics.call({ tool: 'own/"odd"\nname\\' })(DONE);
  metrics.call({ tool: "own/Look" })(DONE);
  metrics.call({ tool: "own/Look" })(failed("not_found"));
  metrics.call({ tool: "own/Look" })(failed("permission_denied"));
  const usage = { input_tokens: 10, cached_tokens: 4, output_tokens: 5 };
  metrics.ask()({ reply: { content: "", tool_calls: [], finish: "stop", usage } });
  metrics.ask()({ error: new ToolError("rate_limited", "slowly") });
  const { end } = metrics.run({ kind: "agent" });
  metrics.run({ kind: "agent" }).end({ termination: "max_rounds" });
  metrics.run({ kind: "batch" }).end({ termination: "failed" });
  const gone = metrics.room();
  metrics.room();
  gone();
  const read = readOpenMetrics(metrics.text());
  const sample = (name: string, line: string) => read.get(name)?.samples.get(line);
  assertEquals([...read.get("bulkhead_calls")!.samples], [
    ['bulkhead_calls_total{tool="own/\\"odd\\"\\nname\\\\",outcome="ok"}', 1],
    ['bulkhead_calls_total{tool="own/Look",outcome="ok"}', 1],
    ['bulkhead_calls_total{tool="own/Look",outcome="not_found"}', 1],
    ['bulkhead_calls_total{tool="own/Look",outcome="permission_denied"}', 1],
  ]);
  assertEquals(sample("bulkhead_call_seconds", 'bulkhead_call_seconds_count{tool="own/Look"}'), 3);
  assertEquals(sample("bulkhead_refusals", 'bulkhead_refusals_total{code="permission_denied"}'), 1);
  assertEquals(sample("bulkhead_model_requests", 'bulkhead_model_requests_total{outcome="rate_limited"}'), 1);
  assertEquals(sample("bulkhead_model_tokens", 'bulkhead_model_tokens_total{type="cached"}'), 4);
  assertEquals([...read.get("bulkhead_runs")!.samples], [['bulkhead_runs_total{outcome="max_rounds"}', 1]]);
  assertEquals(sample("bulkhead_runs_running", "bulkhead_runs_running"), 1);
  assertEquals(sample("bulkhead_rooms", "bulkhead_rooms"), 1);
  assertEquals(read.get("process_resident_memory_bytes")?.unit, "bytes");
  end({ termination: "completed" });
  const running = readOpenMetrics(metrics.text()).get("bulkhead_runs_running");
  assertEquals(running?.samples.get("bulkhead_runs_running"), 0);
});

Deno.test("WorkMetrics keeps no more tools and no more combinations apart than it can hold", () => {
  const metrics = new WorkMetrics();
  for (let n = 0; n < 2_000; n++) metrics.call({ tool: `server/tool_${n}` })(DONE);
  const calls = readOpenMetrics(metrics.text()).get("bulkhead_calls")!.samples;
  assertEquals(calls.size, 301);
  assertEquals(calls.get('bulkhead_calls_total{tool="other",outcome="ok"}'), 1_700);
  const counter = new Counter({ name: "odd", help: "Odd.", labels: ["one", "two"] });
  for (let n = 0; n < 3 * MOST_SERIES; n++) counter.add(1, `${n}`, "x");
  const samples = counter.samples();
  assertEquals([samples.length, samples.at(-1)?.value], [MOST_SERIES + 1, 2 * MOST_SERIES]);
});
