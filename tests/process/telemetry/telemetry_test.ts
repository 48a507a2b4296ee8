import { assert, assertEquals, assertMatch } from "@std/assert";

import { scriptedModel } from "../../support/scripted_model.ts";
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from "../../support/telemetry/otlp_receiver.ts";
import { readOpenMetrics } from "../../support/telemetry/read_open_metrics.ts";
import { runAgent } from "../../support/cli/agent_scene.ts";
import { initialize } from "../../support/cli/mcp/client.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { serveProgram } from "../../support/cli/serve/served.ts";

const KEY = "key-of-the-collector-8861";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const READ = { tool_calls: [{ name: "Read", arguments: { path: "a.txt" } }] };

const envOf = ({ url }: Pick<OtlpReceiver, "url">) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${KEY}`,
});

/** Names of spans below their parents' names, sorted. */
function shape(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans.map(({ name, parentId }) => `${names.get(parentId ?? "") ?? parentId} > ${name}`).toSorted();
}

Deno.test("call, batch, run and mcp serve tell one collector what they did", async () => {
  using scene = makeScene({ "ws/a.txt": `apple ${KEY}\n`, "calls.jsonl": "" });
  await using collector = otlpReceiver();
  await using model = scriptedModel([READ, { text: "It is an apple." }]);
  const env = { ...envOf(collector), TRACEPARENT };
  const line = (path: string) => JSON.stringify({ tool: "Read", arguments: { path } });
  const told = async (work: () => Promise<unknown>) => {
    const before = collector.spans.length;
    await work();
    return collector.spans.slice(before);
  };
  const batch = await told(async () => {
    const { code } = await scene.run(["batch", "-"], { stdin: `${line("a.txt")}\n${line("none")}\n`, env });
    assertEquals(code, 1);
  });
  const calls = ["batch > execute_tool harness/Read", "batch > execute_tool harness/Read"];
  assertEquals(shape(batch), [`${PARENT} > batch`, ...calls]);
  assertEquals(batch.filter(({ status }) => status === 2).map(({ attributes }) => attributes["error.type"]), [
    "not_found",
    "failed",
  ]);
  const run = await told(async () => {
    const { code } = await runAgent(scene, model, ["Read it"], {
      env: { ...env, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true", OTEL_SERVICE_NAME: "shop" },
    });
    assertEquals(code, 0);
  });
  assertEquals(shape(run), [
    `${PARENT} > invoke_agent default`,
    ...["invoke_agent default > chat test-model", "invoke_agent default > chat test-model"],
    "invoke_agent default > execute_tool harness/Read",
  ]);
  const called = run.find(({ name }) => name.startsWith("execute_tool"))!;
  assertMatch(String(called.attributes["gen_ai.tool.call.result"]), /apple/);
  const served = await told(async () => {
    const client = await initialize(scene.start(["mcp", "serve"], { env }));
    assertEquals((await client.call("Read", { path: "a.txt" })).isError, false);
    const meta = { traceparent: `00-${TRACE}-${"2".repeat(16)}-01` };
    assertEquals((await client.call("Read", { path: "none" }, meta)).isError, true);
    await client[Symbol.asyncDispose]();
  });
  assertEquals(
    shape(served),
    [PARENT, "2".repeat(16)].map((id) => `${id} > execute_tool harness/Read`).toSorted(),
  );
  assertEquals(collector.problems, []);
  assertEquals(new Set(collector.spans.map(({ traceId }) => traceId)), new Set([TRACE]));
  assertEquals(collector.deliveries.map(({ headers }) => headers.get("authorization")), [
    ...collector.deliveries.map(() => `Bearer ${KEY}`),
  ]);
  assertEquals(collector.deliveries.map(({ resource }) => resource["service.name"]), [
    ...["bulkhead", "shop", "bulkhead"],
  ]);
  // The key of the collector is a secret, wherever it turns up.
  assert(!JSON.stringify(collector.spans).includes(KEY));
});

Deno.test("serve tells its metrics, and what a client asks in the trace of that client", async () => {
  using scene = makeScene({ "ws/a.txt": "apple\n" });
  await using collector = otlpReceiver();
  await using model = scriptedModel([READ, { text: "It is an apple." }]);
  const openai = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-of-the-tests", OPENAI_MODEL: "small" };
  const headers = { traceparent: TRACEPARENT };
  {
    await using server = await serveProgram(scene, {
      env: { ...openai, ...envOf(collector), TRACEPARENT: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` },
    });
    for (const path of ["a.txt", "/etc/shadow"]) {
      await (await server.ask("/tools/Read", { body: { arguments: { path } }, headers })).body?.cancel();
    }
    const begun = await (await server.ask("/runs", { body: { prompt: "Read it" }, headers })).json();
    await server.until(begun.id, "completed");
    const unasked = await fetch(`${server.url}/metrics`);
    await unasked.body?.cancel();
    assertEquals(unasked.status, 401);
    const answer = await server.ask("/metrics");
    assertMatch(answer.headers.get("content-type") ?? "", /^application\/openmetrics-text; version=1\.0\.0/);
    const metrics = readOpenMetrics(await answer.text());
    const value = (line: string) =>
      [...metrics.values()].map(({ samples }) => samples.get(line)).find((one) => one !== undefined);
    assertEquals(value('bulkhead_calls_total{tool="harness/Read",outcome="ok"}'), 2);
    assertEquals(value('bulkhead_refusals_total{code="permission_denied"}'), 1);
    assertEquals(value('bulkhead_model_requests_total{outcome="ok"}'), 2);
    assertEquals(value('bulkhead_model_tokens_total{type="input"}'), 20);
    assertEquals(value('bulkhead_runs_total{outcome="completed"}'), 1);
    assertEquals(value('bulkhead_http_requests_total{operation="callTool",outcome="ok"}'), 2);
    assertEquals([value("bulkhead_runs_running"), value("bulkhead_runs_queued")], [0, 0]);
    assert(value("bulkhead_rooms")! > 0 && value("bulkhead_http_connections")! > 0);
    assert(value("process_resident_memory_bytes")! > 10_000_000);
    assertEquals(value("bulkhead_spans_dropped_total"), 0);
    const { code } = await server.end();
    assertEquals(code, 143);
  }
  assertEquals(collector.problems, []);
  assertEquals(shape(collector.spans), [
    ...[`${PARENT} > execute_tool harness/Read`, `${PARENT} > execute_tool harness/Read`],
    `${PARENT} > invoke_agent default`,
    ...["invoke_agent default > chat small", "invoke_agent default > chat small"],
    "invoke_agent default > execute_tool harness/Read",
  ]);
  assertEquals(new Set(collector.spans.map(({ traceId }) => traceId)), new Set([TRACE]));
});
