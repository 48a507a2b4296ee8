import type { Web, WebAnswer, WebRequest } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { sleep } from "../../wait/sleep.ts";
import { ANSWER_HEADERS, GATE_HEADERS, GATE_HOST } from "../forms/gate_headers.ts";
import { isReadAtOnce, readBody } from "./read_body.ts";
import { nextUrl } from "./redirect.ts";
import { RequestClock } from "./request_clock.ts";
import { pauseBefore } from "./retry.ts";
import { gateError } from "./web_error.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 10;
const FIRST_BYTE_MS = 30_000;
const TIMEOUT_MS = 60_000;
const RETRIES = 2;
/** Longest silence within a body, in milliseconds. */
const IDLE_MS = 30_000;

/** Connections to the gate that wait for another request: so many, and so many milliseconds. */
const [MOST_IDLE, IDLE_CONNECTION_MS] = [64, 10_000];

/** What a call is to its requests. */
export interface WebCall {
  /** Names the call, for the audit. */
  call: string;
  signal: AbortSignal;
  /** When the call's time is up, in milliseconds since the epoch. */
  deadline: number;
}

/** A room's socket of the gate. Plain data. */
export interface RoomSocket {
  path: string;
  /** What each request carries. */
  token: string;
}

/** A room's way to the gate. */
export interface RoomWeb extends Disposable {
  /** Makes the `web` of a call. */
  of(call: WebCall): Web;
}

/**
 * Opens a room's way to the gate: the runtime's own HTTP client over the gate's socket. It inflates in small steps, and
 * follows no redirect by itself. Needs `read`, `write` and `net` of the socket, and `net` of {@linkcode GATE_HOST}.
 *
 * @param socket Where it is, and what each request carries
 */
export function openWeb({ path, token }: RoomSocket): RoomWeb {
  const client = Deno.createHttpClient(
    {
      proxy: { transport: "unix", path },
      poolMaxIdlePerHost: MOST_IDLE,
      poolIdleTimeout: IDLE_CONNECTION_MS,
      http2: false,
    } as Deno.CreateHttpClientOptions,
  );
  return {
    of: (call) => ({ request: (request) => repeat(request, { ...call, client, token }) }),
    [Symbol.dispose]: () => client.close(),
  };
}

/** A room's request, and what ends it. */
interface WebRoom extends WebCall {
  client: Deno.HttpClient;
  token: string;
  clock: RequestClock;
}

/** Asks again what may pass, as long as there is time for it. */
async function repeat(request: WebRequest, call: Omit<WebRoom, "clock">): Promise<WebAnswer> {
  const { method = "GET", timeoutMs = TIMEOUT_MS } = request;
  const { retries = method === "POST" ? 0 : RETRIES } = request;
  const started = Date.now();
  const until = Math.min(started + timeoutMs, call.deadline);
  const late = () => tooLong(request.url, Math.max(0, until - started));
  using clock = new RequestClock(call.signal, { until, late });
  for (let again = 0;; again++) {
    const outcome = await attempt(request, { ...call, clock }).catch((error: unknown) => {
      if (clock.end !== null) throw clock.end.reason;
      return toToolError(request.url, error);
    });
    const pauseMs = again < retries ? pauseBefore(outcome, again, until - Date.now()) : null;
    if (pauseMs === null) {
      if (outcome instanceof ToolError) throw outcome;
      return outcome;
    }
    await sleep(pauseMs, call.signal);
  }
}

/** One request, with the redirects that it leads to. */
async function attempt(request: WebRequest, room: WebRoom): Promise<WebAnswer> {
  const { maxRedirects = MAX_REDIRECTS } = request;
  const redirects: string[] = [];
  for (let asked = request;;) {
    const response = await ask(asked, room);
    let next: WebRequest | null;
    try {
      next = nextUrl(asked, response);
      if (next === null) return { ...await readAnswer(response, request, room), url: asked.url, redirects };
    } catch (error) {
      leave(response);
      throw error;
    }
    leave(response);
    redirects.push(asked.url);
    if (redirects.length > maxRedirects) {
      throw new ToolError("external_failure", `${request.url} redirects more than ${maxRedirects} times`, {
        retryable: false,
        details: { redirects },
      });
    }
    asked = next;
  }
}

/** Nothing waits for what is not read. */
function leave(response: Response): void {
  response.body?.cancel().catch(() => {});
}

async function readAnswer(
  response: Response,
  { url, maxBytes = MAX_BYTES }: WebRequest,
  { clock }: WebRoom,
): Promise<Omit<WebAnswer, "url" | "redirects">> {
  const { status, headers } = response;
  const why = isReadAtOnce(response, maxBytes) ? "it was not whole after" : "nothing came for";
  clock.expect(
    IDLE_MS,
    () => new ToolError("timeout", `${url} stopped in its answer: ${why} ${IDLE_MS} ms`),
  );
  const read = await readBody(response, { maxBytes, onPiece: () => clock.hear() });
  return { status, headers: Object.fromEntries(headers), ...read };
}

/** Sends one request through the gate, and waits for the beginning of its answer. */
async function ask(request: WebRequest, { client, token, call, clock }: WebRoom): Promise<Response> {
  const { url, method = "GET", headers = {}, body, secret, firstByteMs = FIRST_BYTE_MS } = request;
  const nonce = crypto.randomUUID();
  const signal = clock.begin();
  clock.expect(
    firstByteMs,
    () => new ToolError("timeout", `${url} did not begin to answer within ${firstByteMs} ms`),
  );
  const response = await fetch(`http://${GATE_HOST}/`, {
    method,
    headers: {
      "user-agent": USER_AGENT,
      "accept-encoding": "gzip, br",
      ...headers,
      [GATE_HEADERS.url]: URL.parse(url)?.href ?? url,
      [GATE_HEADERS.token]: token,
      [GATE_HEADERS.call]: call,
      [GATE_HEADERS.nonce]: nonce,
      ...(secret && { [GATE_HEADERS.secret]: [secret.name, secret.header, secret.scheme ?? ""].join(" ") }),
    },
    ...(body !== undefined && { body: body as BodyInit }),
    redirect: "manual",
    signal,
    client,
  } as RequestInit);
  if (response.headers.get(ANSWER_HEADERS.nonce) !== nonce) return response;
  throw gateError(url, response.headers, (await response.text()).trim());
}

/** The client names the address that requests only seem to go to. */
const SENDING = /^error sending request for url \([^)]*\): /;

const USER_AGENT = "Mozilla/5.0 (compatible; bulkhead)";

function toToolError(url: string, error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  // The gate itself tells why a server could not be reached: without its word, it is gone.
  const why = (error instanceof Error ? error.message : String(error)).replace(SENDING, "");
  return new ToolError("external_failure", `The connection broke off while ${url} answered: ${why}`, {
    cause: error,
  });
}

function tooLong(url: string, timeoutMs: number): ToolError {
  return new ToolError("timeout", `${url} took longer than ${timeoutMs} ms`, {
    details: { timeout_ms: timeoutMs },
  });
}
