import { assert, assertEquals } from "@std/assert";

import { readOtelSettings } from "../../../../../runtime/telemetry/traces/otel_settings.ts";
import { readTraceparent } from "../../../../../runtime/telemetry/traces/trace_place.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318/" };

Deno.test("readOtelSettings() reads the variables of OpenTelemetry, and asks for nothing without them", () => {
  assertEquals(readOtelSettings({}), null);
  assertEquals(readOtelSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: "true" }), null);
  assertEquals(readOtelSettings({ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" }), null);
  for (
    const env of [
      { ...ENDPOINT, OTEL_TRACES_EXPORTER: "console" },
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      { OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://collector.example" },
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:secret@collector.example" },
    ]
  ) {
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
  assertEquals([sampler("always_off")(half, place(true)), sampler("always_on")(half, place(false))], [
    false,
    true,
  ]);
  const ratio = sampler("parentbased_traceidratio", "0.5");
  assertEquals([ratio(half, null), ratio(below, null), ratio(half, place(true))], [false, true, true]);
  assertEquals([sampler("traceidratio", "2")(half, null), sampler("unknown")(half, null)], [true, true]);
});

Deno.test("readTraceparent() reads what the Trace Context allows", () => {
  const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  assertEquals(readTraceparent(`00-${trace}-${span}-01`), { traceId: trace, spanId: span, isSampled: true });
  assertEquals(readTraceparent(`00-${trace}-${span}-00`)?.isSampled, false);
  assertEquals(readTraceparent(`cc-${trace}-${span}-03-later`)?.isSampled, true);
  for (
    const bad of [
      undefined,
      "",
      `00-${trace}-${span}`,
      `00-${trace}-${span}-01-more`,
      `ff-${trace}-${span}-01`,
      `00-${trace.toUpperCase()}-${span}-01`,
      `00-${"0".repeat(32)}-${span}-01`,
      `00-${trace}-${"0".repeat(16)}-01`,
    ]
  ) assertEquals(readTraceparent(bad), null, bad);
});
