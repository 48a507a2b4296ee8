import { hostAndPort } from "../../walls/net/read_host.ts";
import { checkUnseen, connectTo, type Destination, dial, type DialOptions, lookUp } from "./dial.ts";
import { GateFailure } from "./gate_failure.ts";
import { relayOverTcp } from "./relay.ts";
import { startTls } from "./start_tls.ts";
import { askSocks } from "./socks_client.ts";
import {
  proxyAuthorization,
  proxyFor,
  proxyRefusal,
  type UpstreamProxies,
  type UpstreamProxy,
} from "./upstream.ts";

/** How hosts are reached. */
export interface ReachOptions extends DialOptions {
  upstream: UpstreamProxies;
  caCerts: readonly string[];
}

/** A connection towards a host. */
export interface Reached {
  conn: Deno.Conn;
  /** A proxy of the user is at the other end: it wants whole URLs, and this header if it is not `null`. */
  proxy: { authorization: string | null } | null;
}

const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Opens a way on which one plain HTTP request goes to a host, by the user's proxy if there is one.
 *
 * @throws {GateFailure} For a refusal, and if the host or the proxy cannot be reached
 */
export async function reachPlain(to: Destination, options: ReachOptions): Promise<Reached> {
  const proxy = usedProxy(to, "http", options);
  if (proxy === null) return { conn: await dial(to, options), proxy: null };
  if (proxy.socks) return { conn: await throughProxy(to, proxy, options), proxy: null };
  checkUnseen(to, options);
  return { conn: await openProxy(proxy, options), proxy: { authorization: proxyAuthorization(proxy) } };
}

/**
 * Opens a connection to a host that carries any bytes, through the user's proxy if there is one.
 *
 * @throws {GateFailure} For a refusal, and if the host or the proxy cannot be reached
 */
export async function reachTunnel(to: Destination, options: ReachOptions): Promise<Deno.Conn> {
  const proxy = usedProxy(to, "https", options);
  return proxy === null ? await dial(to, options) : await throughProxy(to, proxy, options);
}

/**
 * Decides about a host before a connection that stands is used for it: by its name, and by the addresses that it has now.
 *
 * @returns The addresses; `null` where the user's proxy looks it up
 * @throws {GateFailure} For a refusal, and for a name without an address
 */
export async function checkedAddresses(
  to: Destination,
  scheme: "http" | "https",
  options: ReachOptions,
): Promise<readonly string[] | null> {
  if (usedProxy(to, scheme, options) === null) return await lookUp(to, options);
  checkUnseen(to, options);
  return null;
}

function usedProxy(to: Destination, scheme: "http" | "https", options: ReachOptions): UpstreamProxy | null {
  try {
    return proxyFor(to, scheme, options.upstream);
  } catch (error) {
    // What is refused is told as such, also where the proxy is of no use.
    checkUnseen(to, options);
    throw error;
  }
}

async function throughProxy(
  to: Destination,
  proxy: UpstreamProxy,
  options: ReachOptions,
): Promise<Deno.Conn> {
  const asked = checkUnseen(to, options);
  const conn = await openProxy(proxy, options);
  // It ends the wait, whatever the proxy does.
  const late = setTimeout(() => conn.close(), options.connectMs);
  try {
    await (proxy.socks ? askSocks(conn, asked, proxy.login) : askForTunnel(conn, asked, proxy));
    return conn;
  } catch (error) {
    close(conn);
    if (error instanceof GateFailure) throw error;
    throw new GateFailure("proxy", `your proxy did not lead to ${to.host}: it broke off, or took too long`);
  } finally {
    clearTimeout(late);
  }
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // The time was up.
  }
}

/**
 * Opens TLS to a host, with the name that was asked for.
 *
 * @throws {GateFailure} As {@linkcode reachTunnel}, and `tls`
 */
export async function reachTls(to: Destination, options: ReachOptions): Promise<Deno.Conn> {
  const conn = await reachTunnel(to, options);
  const isSecure = proxyFor(to, "https", options.upstream)?.secure ?? false;
  const tcp = isSecure ? await relayOverTcp(conn) : conn as Deno.TcpConn;
  return await startTls(tcp, { ...options, host: to.host });
}

async function openProxy(proxy: UpstreamProxy, options: ReachOptions): Promise<Deno.Conn> {
  const { host, port, secure } = proxy;
  try {
    // The address of the proxy is not that of the host.
    const conn = await connectTo({ host, port }, { ...options, trail: { ...options.trail } });
    return secure ? await startTls(conn, { ...options, host }) : conn;
  } catch (error) {
    if (!(error instanceof GateFailure)) throw error;
    throw new GateFailure(error.reason === "timeout" ? "timeout" : "proxy", `your proxy: ${error.message}`);
  }
}

async function askForTunnel(
  conn: Deno.Conn,
  { host, port }: Destination,
  proxy: UpstreamProxy,
): Promise<void> {
  const where = hostAndPort(host, port);
  const authorization = proxyAuthorization(proxy);
  const lines = [`CONNECT ${where} HTTP/1.1`, `Host: ${where}`];
  if (authorization !== null) lines.push(`Proxy-Authorization: ${authorization}`);
  const bytes = new TextEncoder().encode([...lines, "", ""].join("\r\n"));
  for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(await readAnswer(conn))?.[1] ?? "";
  if (/^2/.test(status)) return;
  throw proxyRefusal(where, status);
}

/** Reads byte by byte: what follows the empty line belongs to the tunnel. */
async function readAnswer(conn: Deno.Conn): Promise<string> {
  const byte = new Uint8Array(1);
  let text = "";
  while (!text.endsWith("\r\n\r\n")) {
    if (text.length > MAX_ANSWER_BYTES || await conn.read(byte) === null) return text;
    text += String.fromCharCode(byte[0]!);
  }
  return text;
}
