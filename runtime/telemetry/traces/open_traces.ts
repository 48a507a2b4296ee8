import { entryUrl } from "../../self/entry_urls.ts";
import { startNetWorker } from "../../self/net_worker.ts";
import { VERSION } from "../../self/version.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import type { Telemetry } from "../telemetry.ts";
import { readOtelSettings } from "./otel_settings.ts";
import { SpanQueue } from "./span_queue.ts";
import { SpanTelemetry } from "./span_telemetry.ts";
import { readTraceparent } from "./trace_place.ts";

/** What {@linkcode openTraces} needs. */
export interface OpenTracesOptions {
  /** Variables of the user's environment. */
  env: Readonly<Record<string, string>>;
  /** The whole process is a part of the trace that `TRACEPARENT` names. */
  isPart: boolean;
  /** Is told what keeps traces from being told. */
  warn(message: string): void;
}

/** Traces that are told to a collector. */
export interface OpenTraces extends AsyncDisposable {
  telemetry: Telemetry;
}

/**
 * Tells traces of this process to the collector that the variables of OpenTelemetry name. All that speaks with it is a worker
 * that may reach its host and port and nothing else. Needs `net` for them until it has started.
 *
 * @returns `null` if no traces are asked for, or they cannot be told; then the user is warned
 */
export function openTraces({ env, isPart, warn }: OpenTracesOptions): OpenTraces | null {
  const settings = readOtelSettings(env);
  if (settings === null) return null;
  if (typeof settings === "string") return refuse(settings, warn);
  const { hostname, port, protocol } = new URL(settings.collector.url);
  const address = hostAndPort(
    hostname.replace(/^\[|\]$/g, ""),
    Number(port) || (protocol === "https:" ? 443 : 80),
  );
  let worker: Worker;
  try {
    worker = startNetWorker(entryUrl("traces"), [address]);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return refuse(`Traces are not told: Deno was started without --allow-net=${address}`, warn);
  }
  const { resource, sampler, tellsContents } = settings;
  const queue = new SpanQueue({ settings, source: { resource, version: VERSION }, worker, warn });
  const take = (span: Parameters<SpanQueue["add"]>[0]) => queue.add(span);
  const parent = isPart ? readTraceparent(env.TRACEPARENT) : null;
  return {
    telemetry: new SpanTelemetry({ sampler, tellsContents, take, lost: () => queue.dropped }, parent),
    [Symbol.asyncDispose]: () => queue.end(),
  };
}

function refuse(why: string, warn: (message: string) => void): null {
  warn(why);
  return null;
}
