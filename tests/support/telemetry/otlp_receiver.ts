export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentId: string | null;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  /** 2 is an error. */
  status: number;
  ms: number;
}

export interface Delivery {
  path: string;
  headers: Headers;
  resource: Record<string, unknown>;
  spans: ReceivedSpan[];
}

/** A collector of traces on 127.0.0.1, which takes nothing that the protocol does not allow. */
export interface OtlpReceiver extends AsyncDisposable {
  url: string;
  deliveries: Delivery[];
  problems: string[];
  readonly spans: ReceivedSpan[];
}

/** How a collector answers the nth delivery. @default it takes it */
export type Answering = (n: number, gone: AbortSignal) => Response | null | Promise<Response | null>;

/** Starts a collector. What `answer` answers takes the place of taking the delivery. */
export function otlpReceiver(answer: Answering = () => null): OtlpReceiver {
  const deliveries: Delivery[] = [];
  const problems: string[] = [];
  const ends = new AbortController();
  let asked = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const text = await textOf(request);
    const own = await answer(asked++, ends.signal);
    if (own) return own;
    try {
      const { resource, spans } = readRequest(JSON.parse(text));
      const { pathname: path } = new URL(request.url);
      deliveries.push({ path, headers: request.headers, resource, spans });
      return Response.json({});
    } catch (error) {
      problems.push(`${error}: ${text.slice(0, 500)}`);
      return Response.json({ message: String(error) }, { status: 400 });
    }
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    ...{ deliveries, problems },
    get spans() {
      return deliveries.flatMap(({ spans }) => spans);
    },
    async [Symbol.asyncDispose]() {
      ends.abort();
      await server.shutdown();
    },
  };
}

async function textOf(request: Request): Promise<string> {
  if (request.method !== "POST") throw new Error(`not a POST: ${request.method}`);
  if (request.headers.get("content-type") !== "application/json") throw new Error("not JSON");
  if (request.headers.get("content-encoding") !== "gzip") return await request.text();
  return await new Response(request.body!.pipeThrough(new DecompressionStream("gzip"))).text();
}

type Json = Record<string, unknown>;

/** `ExportTraceServiceRequest` of opentelemetry-proto 1, in the JSON of OTLP. */
function readRequest(request: unknown): Pick<Delivery, "resource" | "spans"> {
  const { resourceSpans } = fields(request, ["resourceSpans"]);
  const [only, ...more] = list(resourceSpans);
  if (more.length > 0) throw new Error("more than one resource");
  const { resource, scopeSpans } = fields(only, ["resource", "scopeSpans", "schemaUrl"]);
  const { attributes } = fields(resource, ["attributes", "droppedAttributesCount"]);
  const spans = list(scopeSpans).flatMap((one) => {
    const { scope, spans } = fields(one, ["scope", "spans", "schemaUrl"]);
    const { name, version } = fields(scope, ["name", "version", "attributes", "droppedAttributesCount"]);
    if (typeof name !== "string" || typeof version !== "string") throw new Error("a scope without a name");
    return list(spans).map(readSpan);
  });
  return { resource: readAttributes(attributes), spans };
}

const SPAN_FIELDS = [
  ...["traceId", "spanId", "traceState", "parentSpanId", "flags", "name", "kind", "startTimeUnixNano"],
  ...["endTimeUnixNano", "attributes", "droppedAttributesCount", "events", "droppedEventsCount", "links"],
  ...["droppedLinksCount", "status"],
];

function readSpan(given: unknown): ReceivedSpan {
  const span = fields(given, SPAN_FIELDS);
  const { code = 0 } = fields(span.status ?? {}, ["message", "code"]);
  const [begun, ended] = [nanoseconds(span.startTimeUnixNano), nanoseconds(span.endTimeUnixNano)];
  if (ended < begun) throw new Error("a span that ends before it begins");
  return {
    traceId: id(span.traceId, 32),
    spanId: id(span.spanId, 16),
    parentId: span.parentSpanId === undefined ? null : id(span.parentSpanId, 16),
    name: texts(span.name),
    kind: whole(span.kind, 5),
    attributes: readAttributes(span.attributes),
    status: whole(code, 2),
    ms: Number(ended - begun) / 1e6,
  };
}

function readAttributes(given: unknown): Record<string, unknown> {
  const pairs = list(given).map((one) => {
    const { key, value } = fields(one, ["key", "value"]);
    return [texts(key), readValue(value)] as const;
  });
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error("an attribute twice");
  return Object.fromEntries(pairs);
}

function readValue(given: unknown): unknown {
  const known = ["stringValue", "boolValue", "intValue", "doubleValue", "arrayValue", "kvlistValue"];
  const [[kind, value] = [], ...more] = Object.entries(fields(given, known));
  if (kind === undefined || more.length > 0) throw new Error("not one value");
  if (kind === "stringValue") return texts(value);
  if (kind === "intValue" && /^-?\d+$/.test(texts(value))) return Number(value);
  if (kind === "boolValue" && typeof value === "boolean") return value;
  if (kind === "doubleValue" && typeof value === "number") return value;
  if (kind === "arrayValue") return list(fields(value, ["values"]).values).map(readValue);
  throw new Error(`not of its kind: ${kind}`);
}

function fields(given: unknown, known: readonly string[]): Json {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("no object");
  const wrong = Object.keys(given).filter((name) => !known.includes(name));
  if (wrong.length > 0) throw new Error(`unknown fields: ${wrong}`);
  return given as Json;
}

function list(given: unknown): unknown[] {
  if (!Array.isArray(given)) throw new Error("no list");
  return given;
}

function texts(given: unknown): string {
  if (typeof given !== "string") throw new Error("no text");
  return given;
}

function whole(given: unknown, most: number): number {
  if (!Number.isInteger(given) || (given as number) < 0 || (given as number) > most) {
    throw new Error("no number");
  }
  return given as number;
}

function nanoseconds(given: unknown): bigint {
  if (!/^\d{19}$/.test(texts(given))) throw new Error("no time in nanoseconds");
  return BigInt(given as string);
}

function id(given: unknown, digits: number): string {
  const text = texts(given);
  if (!new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`).test(text)) throw new Error(`no id: ${text}`);
  return text;
}
