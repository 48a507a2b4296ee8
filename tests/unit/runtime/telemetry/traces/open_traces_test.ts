import { assert, assertEquals, assertMatch } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { ToolResult } from "../../../../../schemas/result.ts";
import { openTraces } from "../../../../../runtime/telemetry/traces/open_traces.ts";
import { otlpReceiver } from "../../../../support/telemetry/otlp_receiver.ts";

const SECRET = "hunter2-hunter2";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALL = {
  tool: "own/Look",
  input: { key: SECRET },
  redact: (text: string) => text.replaceAll(SECRET, "…"),
};
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
    const asked = run.within.ask({
      ...model,
      request: { purpose: "turn", messages: [], tools: [] },
      redact: (t) => t,
    });
    asked({
      reply: {
        ...{ content: "", tool_calls: [], finish: "stop" },
        usage: { input_tokens: 10, cached_tokens: 4, output_tokens: 5 },
      },
    });
    const failing = run.within.ask({
      ...model,
      request: { purpose: "turn", messages: [], tools: [] },
      redact: (t) => t,
    });
    failing({ error: new ToolError("rate_limited", "slowly") });
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
  assertEquals([
    ask.attributes["gen_ai.usage.input_tokens"],
    ask.attributes["gen_ai.response.finish_reasons"],
  ], [
    10,
    ["stop"],
  ]);
  assertEquals(byName.get("chat small 2")?.attributes["error.type"], "rate_limited");
  const call = byName.get("execute_tool own/Look 0")!;
  assertEquals([call.attributes["gen_ai.tool.name"], call.attributes["gen_ai.tool.call.arguments"]], [
    "own/Look",
    undefined,
  ]);
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
  assertMatch(
    all[1]!.warnings.join("|"),
    /^1 span of the trace was not delivered to 127\.0\.0\.1:\d+: it refused them;[^|]*$/,
  );
  assertMatch(all[2]!.warnings.join("|"), /status 401/);
});

Deno.test("openTraces() waits for no collector that is dead or slow, and warns once", async () => {
  await using slow = otlpReceiver((_, gone) =>
    new Promise((resolve) => gone.addEventListener("abort", () => resolve(new Response())))
  );
  // Nobody listens there any more.
  const dead = otlpReceiver();
  await dead[Symbol.asyncDispose]();
  const limits = { OTEL_BSP_MAX_QUEUE_SIZE: "50", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10" };
  const all = [slow, dead].map(({ url }) => open(url, { OTEL_EXPORTER_OTLP_TIMEOUT: "300", ...limits }));
  const begun = performance.now();
  for (const traces of all) for (let n = 0; n < 500; n++) traces.call();
  // A call costs nothing but its span.
  assert(performance.now() - begun < 10_000);
  await Promise.all(all.map((traces) => traces[Symbol.asyncDispose]()));
  assertEquals(all.map(({ telemetry, warnings }) => [telemetry.lost(), warnings.length]), [[500, 1], [
    500,
    1,
  ]]);
  // The bound of the end, and what a busy machine adds.
  assert(performance.now() - begun < 20_000);
});
