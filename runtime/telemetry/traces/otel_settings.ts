import { chooseSampler, type Sampler } from "./sampler.ts";

/** Variables of the environment. */
type Environment = Readonly<Record<string, string>>;

/** What a collector of traces is reached by. */
export interface CollectorSettings {
  /** With its path, such as `http://127.0.0.1:4318/v1/traces`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Longest time of one delivery with its repetitions, in milliseconds. */
  timeoutMs: number;
  /** Bodies are packed. */
  gzip: boolean;
}

/** What the variables of OpenTelemetry ask for. */
export interface OtelSettings {
  collector: CollectorSettings;
  /** Attributes of this process. */
  resource: Readonly<Record<string, string>>;
  sampler: Sampler;
  /** Most spans that wait, most of one delivery, and the time between two, in milliseconds. */
  queue: { most: number; batch: number; delayMs: number };
  /** Arguments, results and messages are told as well. */
  tellsContents: boolean;
}

/** Without a word about it, the collector of this machine. */
const USUAL_ENDPOINT = "http://localhost:4318";
const CONTENTS = ["true", "1", "span_only", "span_and_event"];

/**
 * Reads the variables of OpenTelemetry. Those that cannot be read count as if they were not set.
 *
 * @returns `null` if no traces are asked for; a text if they are, and cannot be told
 */
export function readOtelSettings(env: Environment): OtelSettings | string | null {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return null;
  const said = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() || (said ? "otlp" : "none");
  if (exporter === "none") return null;
  if (exporter !== "otlp") {
    return `Traces are not told: OTEL_TRACES_EXPORTER is ${JSON.stringify(exporter)}, use otlp or none`;
  }
  const protocol = of(env, "PROTOCOL") ?? "http/json";
  if (!protocol.startsWith("http/")) {
    return `Traces are not told: OTEL_EXPORTER_OTLP_PROTOCOL is ${JSON.stringify(protocol)}, use http/json`;
  }
  const url = endpointOf(env);
  if (url === null) {
    return "Traces are not told: the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT must begin with http:// or https:// and " +
      "hold no name and no password";
  }
  return {
    collector: {
      url,
      headers: pairs(of(env, "HEADERS")),
      timeoutMs: whole(of(env, "TIMEOUT"), 10_000),
      gzip: of(env, "COMPRESSION") === "gzip",
    },
    resource: resourceOf(env),
    sampler: chooseSampler(env.OTEL_TRACES_SAMPLER, env.OTEL_TRACES_SAMPLER_ARG),
    queue: {
      most: whole(env.OTEL_BSP_MAX_QUEUE_SIZE, 2_048),
      batch: whole(env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512),
      delayMs: whole(env.OTEL_BSP_SCHEDULE_DELAY, 5_000),
    },
    tellsContents: CONTENTS.includes(
      env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.trim().toLowerCase() ?? "",
    ),
  };
}

/** What is said of traces wins over what is said of everything. */
function of(env: Environment, name: string): string | undefined {
  return (env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`] || undefined)?.trim();
}

function endpointOf(env: Environment): string | null {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim();
  const usual = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || USUAL_ENDPOINT;
  const url = URL.parse(own || `${usual.replace(/\/+$/, "")}/v1/traces`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  return url.href;
}

function resourceOf(env: Environment): Record<string, string> {
  const said = pairs(env.OTEL_RESOURCE_ATTRIBUTES);
  const name = env.OTEL_SERVICE_NAME?.trim();
  return { "service.name": "bulkhead", ...said, ...name && { "service.name": name } };
}

/** `name=value` behind each other, with commas between, as headers and attributes are written. */
function pairs(text = ""): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      const name = pair.slice(0, at).trim();
      return at < 1 || name === "" ? [] : [[name, decode(pair.slice(at + 1).trim())]];
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A number above 0. */
function whole(text: string | undefined, usual: number): number {
  return /^\s*[1-9]\d{0,8}\s*$/.test(text ?? "") ? Number(text) : usual;
}
