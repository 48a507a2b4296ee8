import type { Destination } from "../dial/dial.ts";
import { GateFailure } from "../dial/gate_failure.ts";
import { checkedAddresses, reachPlain, reachTls } from "../dial/reach.ts";
import { checkUrl } from "../../walls/net/check_url.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import { NoAnswer, runExchange } from "./exchange.ts";
import { GATE_HEADERS } from "./gate_headers.ts";
import {
  bodyLength,
  type HeaderLine,
  headerOf,
  headersToPass,
  lengthHeader,
  parseRequestHead,
  readHead,
  type RequestHead,
  writeHead,
} from "./http_head.ts";
import type { Way } from "./idle_ways.ts";
import { ownAnswer } from "./own_answer.ts";
import type { ConnectionTrace, Service } from "./service.ts";
import type { ByteConn } from "../wire/streams.ts";
import { Wire } from "../wire/wire.ts";

/** Serves one connection of a room: requests one after the other, each with its URL in a header, and each checked. */
export async function serveRequest(conn: ByteConn, service: Service): Promise<void> {
  const room = new Wire(conn);
  while (await serveOne(room, service)) service.onIdle(conn, true);
}

/** Serves one request. Says whether another one may follow on its connection. */
async function serveOne(room: Wire, service: Service): Promise<boolean> {
  let nonce = "";
  try {
    const text = await readHead(room);
    service.onIdle(room.conn, false);
    if (text === null) return false;
    const head = parseRequestHead(text);
    // Somebody else's: no answer tells them more.
    if (headerOf(head, GATE_HEADERS.token) !== service.token) return false;
    nonce = headerOf(head, GATE_HEADERS.nonce) ?? "";
    return await forward(room, head, service);
  } catch (error) {
    if (!(error instanceof GateFailure)) throw error;
    await room.endWith(ownAnswer(error, error.message, nonce));
    return false;
  }
}

async function forward(room: Wire, head: RequestHead, service: Service): Promise<boolean> {
  const { url, to } = readUrl(headerOf(head, GATE_HEADERS.url) ?? "");
  const trace = service.trace(to, headerOf(head, GATE_HEADERS.call));
  try {
    const secret = secretFor(head, to, service);
    const stays = await ask({ room, head, url, to, secret, length: bodyLength(head) }, service, trace);
    trace.end();
    return stays;
  } catch (error) {
    trace.end(error);
    throw error;
  }
}

/** A request of a room, read. */
interface RoomRequest {
  room: Wire;
  head: RequestHead;
  url: URL;
  to: Destination;
  secret: AddedSecret | null;
  length: number | "chunked";
}

/** A key that the gate adds: its lines, and the forms in which the answer must not repeat it. */
interface AddedSecret {
  lines: readonly HeaderLine[];
  forms: readonly string[];
}

/** Requests that may be made twice. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Longest wait of a connection for a request that may not be made twice, in milliseconds: servers wait longer. */
const SURE_MS = 2_000;

/** Asks on a connection that stands, or on a new one. Says whether the room may send another request. */
async function ask(request: RoomRequest, service: Service, trace: ConnectionTrace): Promise<boolean> {
  const { head, url, to, secret, length } = request;
  const scheme = url.protocol === "https:" ? "https" : "http";
  const key = `${scheme} ${hostAndPort(to.host, to.port)}`;
  const { trail } = trace;
  const addresses = await checkedAddresses(to, scheme, { ...service, trail });
  const isSafe = SAFE.has(head.method) && length === 0;
  // With a key, the connection serves this request alone.
  const kept = secret ? null : service.idle.take(key, { addresses, idleMs: isSafe ? undefined : SURE_MS });
  if (kept !== null) {
    trail.address = kept.address;
    try {
      return await askOn(kept, request, { service, trace, key });
    } catch (error) {
      // The server may have ended it in the very moment.
      if (!(error instanceof NoAnswer && isSafe)) throw error;
    }
  }
  const options = { ...service, trail, addresses };
  const { conn, proxy } = scheme === "https"
    ? { conn: await reachTls(to, options), proxy: null }
    : await reachPlain(to, options);
  const way = { wire: new Wire(conn), proxy, address: trail.address };
  return await askOn(way, request, { service, trace, key });
}

async function askOn(
  way: Way,
  { room, head, url, to, secret, length }: RoomRequest,
  { service, trace, key }: { service: Service; trace: ConnectionTrace; key: string },
): Promise<boolean> {
  let upStays = false;
  try {
    const exchange = {
      ...{ from: room, up: way.wire, to, byProxy: way.proxy !== null },
      ...{ method: head.method, length, keeps: true },
      head: headFor(head, url, { proxy: way.proxy, own: secret?.lines ?? [], length }),
      masks: secret?.forms ?? [],
    };
    const end = await runExchange(exchange, trace);
    upStays = end.upStays;
    return end.fromStays;
  } finally {
    if (upStays && !secret) service.idle.give(key, way);
    else way.wire.close();
  }
}

/** Writes the lines that go out: to a server with the path alone, to a proxy of the user with the whole URL. */
export function headFor(
  head: RequestHead,
  url: URL,
  { proxy, own, length }: Pick<Way, "proxy"> & Pick<RoomRequest, "length"> & { own: readonly HeaderLine[] },
): Uint8Array {
  const target = proxy === null ? `${url.pathname}${url.search}` : url.href.replace(/#.*$/, "");
  const hasBody = length !== 0 || headerOf(head, "content-length") !== null;
  return writeHead(`${head.method} ${target} HTTP/1.${head.isOld ? 0 : 1}`, [
    ["Host", url.host],
    ...headersToPass(head).filter(([name]) => !own.some(([key]) => key.toLowerCase() === name)),
    ...(hasBody ? [lengthHeader(length)] : []),
    ...own,
    ...(proxy?.authorization ? [["Proxy-Authorization", proxy.authorization] as const] : []),
  ]);
}

function readUrl(text: string): { url: URL; to: Destination } {
  try {
    const { url, name: host, port } = checkUrl(text);
    return { url, to: { host, port } };
  } catch (error) {
    throw new GateFailure("scheme", error instanceof Error ? error.message : String(error));
  }
}

/** The key that the room asks for, if it belongs to this host. */
function secretFor(
  head: RequestHead,
  { host, port }: Destination,
  { secrets }: Service,
): AddedSecret | null {
  const asked = headerOf(head, GATE_HEADERS.secret);
  if (asked === null) return null;
  const [name = "", header = "", scheme = ""] = asked.split(" ");
  const secret = secrets.find((one) => one.name === name);
  const where = hostAndPort(host, port);
  if (!secret?.hosts.includes(where)) throw new GateFailure("secret", `${name} is not a key for ${where}`);
  if (!/^[\w-]+$/.test(header)) throw new GateFailure("request", "the key has no header");
  const { value, forms } = secret;
  // What is packed must be unpacked to be masked.
  return {
    lines: [[header, scheme === "" ? value : `${scheme} ${value}`], ["Accept-Encoding", "identity"]],
    forms,
  };
}
