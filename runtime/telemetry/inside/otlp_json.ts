import type { AttributeValue, Span, SpanSource } from "../traces/protocol.ts";

/** Numbers of the protocol. */
const KIND = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;
/** The trace is told, and where its parent stood is known: of this machine or of another. */
const SAMPLED = 1;

/** Writes spans as a request of OTLP in JSON: ids in base 16, 64-bit numbers as texts. */
export function otlpJson(spans: readonly Span[], { resource, version }: SpanSource): string {
  return JSON.stringify({
    resourceSpans: [{
      resource: { attributes: attributesOf({ ...resource, "service.version": version }) },
      scopeSpans: [{ scope: { name: "bulkhead", version }, spans: spans.map(spanOf) }],
    }],
  });
}

function spanOf({ traceId, spanId, parentId, name, kind, times, attributes, isError }: Span) {
  const [begun, ended] = times;
  return {
    ...{ traceId, spanId },
    ...parentId !== null && { parentSpanId: parentId },
    flags: SAMPLED,
    name,
    kind: KIND[kind],
    startTimeUnixNano: nanoseconds(begun),
    endTimeUnixNano: nanoseconds(Math.max(begun, ended)),
    attributes: attributesOf(attributes),
    status: isError ? { code: STATUS_ERROR } : {},
  };
}

/** Of milliseconds with fractions, exact to the microsecond. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

function attributesOf(attributes: Readonly<Record<string, AttributeValue>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: AttributeValue): Record<string, unknown> {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map(valueOf) } };
}
