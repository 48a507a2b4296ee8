import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { Counter, MOST_SERIES } from "../../../../runtime/telemetry/metrics/metrics.ts";
import { openMetricsText } from "../../../../runtime/telemetry/metrics/open_metrics.ts";
import { WorkMetrics } from "../../../../runtime/telemetry/metrics/work_metrics.ts";
import { readOpenMetrics } from "../../../support/telemetry/read_open_metrics.ts";

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

Deno.test("the strict reader of metrics sees what is wrong", () => {
  const good = openMetricsText([new Counter({ name: "a", help: "A." })]);
  assertEquals(readOpenMetrics(good).get("a")?.samples.get("a_total"), 0);
  const bad = [
    good.replace("# EOF\n", ""),
    good.replace("# EOF", "b_total 1\n# EOF"),
    ...["a 0", "a_total zero", 'a_total{x="1"y="2"} 0', "a_total 0\na_total 1"].map((line) =>
      good.replace("a_total 0", line)
    ),
  ];
  for (const text of bad) assertThrows(() => readOpenMetrics(text), Error);
});
