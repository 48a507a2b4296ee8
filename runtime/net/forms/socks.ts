import type { Destination } from "../dial/dial.ts";
import { GateFailure, type GateReason } from "../dial/gate_failure.ts";
import { reachTunnel } from "../dial/reach.ts";
import { readAddress, writeAddress } from "../../walls/net/read_address.ts";
import type { Service } from "./service.ts";
import { type ByteConn, type ByteSource, closeQuietly, writeAll } from "../wire/streams.ts";
import { runTunnel } from "./tunnel.ts";

// RFC 1928. Names are looked up here, and nobody is asked who they are: the socket says it.

const VERSION = 5;
const CONNECT = 1;
const NO_NAME_ASKED = 0;
const NO_METHOD = 255;
const [IPV4, NAME, IPV6] = [1, 3, 4];
/** Bytes of an address, by its kind. */
const LENGTHS: Readonly<Record<number, number>> = { [IPV4!]: 4, [IPV6!]: 16 };

const SUCCEEDED = 0;
const NO_SUCH_COMMAND = 7;
const NO_SUCH_KIND = 8;
/** What a program is told; the audit has the words. */
const REPLIES: Readonly<Partial<Record<GateReason, number>>> = {
  dns: 4,
  connect: 5,
  timeout: 6,
  proxy: 1,
  proxy_login: 1,
  tls: 1,
  request: 1,
};
const NOT_ALLOWED = 2;

/** Says whether a client speaks SOCKS 5. */
export function isSocks(first: Uint8Array): boolean {
  return first[0] === VERSION;
}

/** Serves one connection of SOCKS 5: CONNECT, to a name or an address. */
export async function serveSocks(conn: ByteConn, first: Uint8Array, service: Service): Promise<void> {
  const reader = new ExactReader(conn, first);
  const [, methods = 0] = await reader.take(2);
  const offered = await reader.take(methods);
  const isOffered = offered.includes(NO_NAME_ASKED);
  await writeAll(conn, Uint8Array.of(VERSION, isOffered ? NO_NAME_ASKED : NO_METHOD));
  if (!isOffered) return;
  const [version, command, , kind = 0] = await reader.take(4);
  if (version !== VERSION) return;
  const host = await readName(kind, reader);
  if (host === null) return await reply(conn, NO_SUCH_KIND);
  const [high = 0, low = 0] = await reader.take(2);
  if (command !== CONNECT) return await reply(conn, NO_SUCH_COMMAND);
  await connect(conn, { host, port: high * 256 + low }, reader.rest, service);
}

async function connect(conn: ByteConn, to: Destination, early: Uint8Array, service: Service): Promise<void> {
  const trace = service.trace(to, null);
  let up: Deno.Conn | undefined;
  try {
    up = await reachTunnel(to, { ...service, trail: trace.trail });
    await reply(conn, SUCCEEDED);
    await runTunnel({ conn, up, to, early }, trace);
    trace.end();
  } catch (error) {
    trace.end(error);
    if (up === undefined) {
      await reply(conn, error instanceof GateFailure ? REPLIES[error.reason] ?? NOT_ALLOWED : 1);
    }
  } finally {
    if (up) closeQuietly(up);
  }
}

async function readName(kind: number, reader: ExactReader): Promise<string | null> {
  if (kind === NAME) {
    const [length = 0] = await reader.take(1);
    return String.fromCharCode(...await reader.take(length));
  }
  const length = LENGTHS[kind];
  if (length === undefined) return null;
  const bytes = await reader.take(length);
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const text = writeAddress({ family: length === 4 ? 4 : 6, value });
  const address = readAddress(text);
  return address && writeAddress(address);
}

/** The address in a reply is that of the proxy; programs do not look at it. */
async function reply(conn: ByteConn, code: number): Promise<void> {
  await writeAll(conn, Uint8Array.of(VERSION, code, 0, IPV4!, 0, 0, 0, 0, 0, 0));
}

/** Reads exactly so many bytes at a time. */
class ExactReader {
  readonly #from: ByteSource;
  /** What was read and not yet taken. */
  rest: Uint8Array;

  constructor(from: ByteSource, first: Uint8Array) {
    this.#from = from;
    this.rest = first;
  }

  async take(count: number): Promise<Uint8Array> {
    while (this.rest.length < count) {
      const buffer = new Uint8Array(1024);
      const read = await this.#from.read(buffer);
      if (read === null) throw new Error("the greeting of SOCKS has no end");
      const joined = new Uint8Array(this.rest.length + read);
      joined.set(this.rest);
      joined.set(buffer.subarray(0, read), this.rest.length);
      this.rest = joined;
    }
    const taken = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(count);
    return taken;
  }
}
