import type { Destination } from "../dial/dial.ts";
import { GateFailure } from "../dial/gate_failure.ts";
import { reachPlain, reachTunnel } from "../dial/reach.ts";
import { checkUrl } from "../../walls/net/check_url.ts";
import { netRefusal } from "../../walls/net/net_refusal.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import { runExchange } from "./exchange.ts";
import { proxyGreeting } from "./gate_headers.ts";
import { bodyLength, parseRequestHead, readHead, type RequestHead } from "./http_head.ts";
import { CLOSE, ownAnswer } from "./own_answer.ts";
import { headFor } from "./request.ts";
import { type ConnectionTrace, type Service } from "./service.ts";
import { isSocks, serveSocks } from "./socks.ts";
import { type ByteConn, closeQuietly, writeAll } from "../wire/streams.ts";
import { runTunnel } from "./tunnel.ts";
import { Wire } from "../wire/wire.ts";

/** The older version asks for addresses alone: it is not served. */
const SOCKS_4 = 4;
const SOCKS_4_REFUSED = Uint8Array.of(0, 91, 0, 0, 0, 0, 0, 0);

/** Serves one connection of a program: an HTTP proxy (CONNECT, and whole URLs), or SOCKS 5, as its first byte says. */
export async function serveProxy(conn: ByteConn, service: Service): Promise<void> {
  const client = new Wire(conn);
  // Somebody else's: no answer tells them more.
  if (!await isGreeted(client, service)) return;
  const first = client.unread;
  if (isSocks(first)) return await serveSocks(conn, first, service);
  // It would wait for an answer while the end of a request is waited for.
  if (first[0] === SOCKS_4) return await writeAll(conn, SOCKS_4_REFUSED);
  let to: Destination | undefined;
  try {
    const text = await readHead(client);
    if (text === null) return;
    const head = parseRequestHead(text);
    if (head.method === "CONNECT") await connect(client, to = readAuthority(head.target), service);
    else await forward(client, head, service, (asked) => to = asked);
  } catch (error) {
    if (!(error instanceof GateFailure) || error.reason === "server_name") throw error;
    await client.endWith(ownAnswer(error, textOf(error, to), ""));
  }
}

/** Takes the line that the bridge says first, and reads what its client says. */
async function isGreeted(client: Wire, { token }: Service): Promise<boolean> {
  if (token === null) return await client.fill();
  const line = new TextEncoder().encode(proxyGreeting(token));
  for (;;) {
    const said = client.unread.subarray(0, line.length);
    if (said.some((byte, at) => byte !== line[at])) return false;
    if (said.length === line.length) break;
    if (!await client.fill()) return false;
  }
  client.skip(line.length);
  return client.unread.length > 0 || await client.fill();
}

async function connect(client: Wire, to: Destination, service: Service): Promise<void> {
  const { conn } = client;
  await traced(to, service, async (trace) => {
    const up = await reachTunnel(to, { ...service, trail: trace.trail });
    try {
      await writeAll(conn, new TextEncoder().encode("HTTP/1.1 200 Connection established\r\n\r\n"));
      await runTunnel({ conn, up, to, early: client.unread }, trace);
    } finally {
      closeQuietly(up);
    }
  });
}

async function forward(
  client: Wire,
  head: RequestHead,
  service: Service,
  onTarget: (to: Destination) => void,
): Promise<void> {
  const { url, to } = readTarget(head.target);
  onTarget(to);
  const length = bodyLength(head);
  await traced(to, service, async (trace) => {
    const { conn, proxy } = await reachPlain(to, { ...service, trail: trace.trail });
    try {
      await runExchange({
        ...{
          from: client,
          up: new Wire(conn),
          to,
          byProxy: proxy !== null,
          method: head.method,
          length,
          keeps: false,
        },
        head: headFor(head, url, { proxy, own: [CLOSE], length }),
      }, trace);
    } finally {
      closeQuietly(conn);
    }
  });
}

async function traced(
  to: Destination,
  service: Service,
  run: (trace: ConnectionTrace) => Promise<void>,
): Promise<void> {
  const trace = service.trace(to, null);
  try {
    await run(trace);
    trace.end();
  } catch (error) {
    trace.end(error);
    throw error;
  }
}

/** Reads `host:port`. */
function readAuthority(text: string): Destination {
  const [, host = "", port = ""] = /^([^:\[\]]+|\[[^\]]+\]):(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535) {
    throw new GateFailure("request", "CONNECT wants a host and a port, such as example.com:443");
  }
  return { host, port: Number(port) };
}

/** Reads a whole URL; https goes by CONNECT, so that nobody in between reads it. */
function readTarget(text: string): { url: URL; to: Destination } {
  if (text.startsWith("/")) {
    throw new GateFailure(
      "request",
      "this is a proxy: it wants a whole URL, such as http://example.com/page",
    );
  }
  try {
    const { url, name: host, port } = checkUrl(text);
    if (url.protocol === "http:") return { url, to: { host, port } };
  } catch (error) {
    throw new GateFailure("scheme", error instanceof Error ? error.message : String(error));
  }
  throw new GateFailure("scheme", "https wants CONNECT");
}

/** What a person reads in the program's output. */
export function textOf({ isRefusal, reason, rule, flag, message }: GateFailure, to?: Destination): string {
  if (!to) return `bulkhead: ${message}`;
  if (isRefusal && reason !== "server_name" && reason !== "secret") {
    return `bulkhead: ${
      netRefusal({ allowed: false, reason, rule, flag } as Parameters<typeof netRefusal>[0], to).message
    }`;
  }
  return `bulkhead: cannot reach ${hostAndPort(to.host, to.port)}: ${message}`;
}
