import { sleep } from "../../wait/sleep.ts";
import type { CollectorSettings } from "../traces/otel_settings.ts";
import type { FromSender, Span, SpanSource, ToSender } from "../traces/protocol.ts";
import { otlpJson } from "./otlp_json.ts";

/** The part of a worker's global scope that the sender uses. */
export interface SenderScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromSender): void;
}

/** Statuses after which the same may be sent again. */
const TEMPORARY = [429, 502, 503, 504];
/** The first wait before another try, in milliseconds; each one after it is twice as long. */
const FIRST_WAIT_MS = 250;
/** Most of an answer that is read. */
const MOST_ANSWER = 65_536;

/** Delivers spans to a collector: the whole life of its worker. */
export function sendSpans(scope: SenderScope): void {
  let opened: { collector: CollectorSettings; source: SpanSource } | undefined;
  scope.onmessage = async ({ data }: MessageEvent<ToSender>) => {
    if (data.t === "open") opened = data;
    else if (opened) scope.postMessage({ t: "sent", ...await deliver(data.spans, opened) });
  };
}

/** How a delivery went. */
type Delivery = Pick<FromSender, "lost" | "problem">;

async function deliver(
  spans: readonly Span[],
  { collector, source }: { collector: CollectorSettings; source: SpanSource },
): Promise<Delivery> {
  const late = AbortSignal.timeout(collector.timeoutMs);
  const all = spans.length;
  let problem = "";
  try {
    const body = await bodyOf(otlpJson(spans, source), collector);
    for (let wait = FIRST_WAIT_MS;; wait *= 2) {
      const tried = await post(body, collector, { all, signal: late });
      if (!("again" in tried)) return tried;
      problem = tried.problem;
      await sleep(Math.max(wait, tried.again), late);
    }
  } catch (error) {
    if (!late.aborted) return { lost: all, problem: error instanceof Error ? error.message : String(error) };
    const why = problem === "" ? "it did not answer" : problem;
    return { lost: all, problem: `${why} (after ${collector.timeoutMs / 1_000} s)` };
  }
}

/** Asks once. @returns What the collector said of so many spans, or that it may be asked again */
async function post(
  body: BodyInit,
  { url, headers, gzip }: CollectorSettings,
  { all, signal }: { all: number; signal: AbortSignal },
): Promise<Delivery | { again: number; problem: string }> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        ...gzip && { "content-encoding": "gzip" },
      },
      body,
      signal,
      redirect: "manual",
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return { again: 0, problem: "it cannot be reached" };
  }
  const { status } = response;
  const text = await readSome(response);
  if (response.ok) return partOf(text);
  const problem = `it answered with status ${status}`;
  if (!TEMPORARY.includes(status)) return { lost: all, problem };
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  return { again: seconds > 0 ? seconds * 1_000 : 0, problem };
}

/** A collector may take a part of the spans. */
function partOf(text: string): Delivery {
  try {
    const { partialSuccess } = JSON.parse(text || "{}") ?? {};
    const lost = Number(partialSuccess?.rejectedSpans ?? 0);
    if (lost > 0) return { lost, problem: "it refused them" };
  } catch {
    // It took them, whatever it said.
  }
  return { lost: 0, problem: null };
}

async function readSome({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  if (!body) return text;
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_ANSWER) break;
  }
  return text;
}

async function bodyOf(json: string, { gzip }: CollectorSettings): Promise<BodyInit> {
  if (!gzip) return json;
  const packed = new Blob([json]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(packed).arrayBuffer();
}
