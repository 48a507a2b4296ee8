import type { ConnectionOptions, Server, Transport } from "@nats-io/nats-core/internal";

import { ToolError } from "../../../../../schemas/error.ts";
import { hostAndPort } from "../../../../walls/net/read_host.ts";
import { joinChunks } from "./join_chunks.ts";

/** Longest first line of a server, in bytes. */
const MAX_GREETING = 65_536;
const READ_BYTES = 65_536;

/**
 * A connection to one node, for the library of NATS: the one that it has for Node waits for delayed acknowledgements of TCP
 * on Deno 2.6. Needs `net` for the node.
 */
export class NodeTransport implements Transport {
  readonly lang = "bulkhead";
  readonly version = "1";
  closeError?: Error;
  #conn: Deno.TcpConn | Deno.TlsConn | null = null;
  #isEncrypted = false;
  #greeting: Uint8Array = new Uint8Array(0);
  readonly #closed = Promise.withResolvers<void | Error>();
  #isClosed = false;
  #unsent: Uint8Array[] = [];
  #isSending = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async connect(server: Server, options: ConnectionOptions): Promise<void> {
    const { hostname, port } = server;
    const conn = await Deno.connect({ hostname, port });
    if (this.#isClosed) return conn.close();
    this.#conn = conn;
    // Else the other side's wait for more data is added to each order.
    conn.setNoDelay(true);
    this.#greeting = await readGreeting(conn, hostAndPort(hostname, port));
    const where = hostAndPort(hostname, port);
    const { tls_required: needsTls, tls_available: hasTls } = infoOf(this.#greeting, where);
    if (options.tls) {
      if (!needsTls && !hasTls) {
        throw refused(where, "it offers no TLS, write nats:// for a queue without it");
      }
      this.#conn = await startTls(conn, hostname, { where, ca: options.tls.ca });
      this.#isEncrypted = true;
      if (this.#isClosed) closeQuietly(this.#conn);
    } else if (needsTls) {
      throw refused(where, "it wants TLS, write tls:// for it");
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield this.#greeting;
    const conn = this.#conn;
    const buffer = new Uint8Array(READ_BYTES);
    // The library prints what is thrown here.
    while (conn && !this.#isClosed) {
      const count = await conn.read(buffer).catch((error: Error) => void (this.closeError ??= error));
      if (typeof count !== "number") break;
      yield buffer.slice(0, count);
    }
    this.#end(this.closeError);
  }

  isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  send(frame: Uint8Array): void {
    if (this.#isClosed) return;
    this.#unsent.push(frame);
    if (!this.#isSending) void this.#sendAll();
  }

  async close(error?: Error): Promise<void> {
    if (!this.#isClosed && this.#isSending) await this.#sendAll();
    this.#end(error);
  }

  disconnect(): void {
    this.#end(undefined);
  }

  closed(): Promise<void | Error> {
    return this.#closed.promise;
  }

  discard(): void {
    this.#unsent = [];
  }

  /** What has gathered while the last write was on its way goes out as one. */
  async #sendAll(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#unsent.length > 0 && !this.#isClosed) {
        const joined = joinChunks(this.#unsent);
        this.#unsent = [];
        for (let at = 0; at < joined.length;) at += await this.#conn!.write(joined.subarray(at));
      }
    } catch (error) {
      this.#end(error as Error);
    } finally {
      this.#isSending = false;
    }
  }

  #end(error: Error | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (error) this.closeError = error;
    if (this.#conn) closeQuietly(this.#conn);
    this.#closed.resolve(error);
  }
}

async function readGreeting(conn: Deno.Conn, where: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < MAX_GREETING) {
    const buffer = new Uint8Array(READ_BYTES);
    const count = await conn.read(buffer);
    if (count === null) break;
    chunks.push(buffer.subarray(0, count));
    size += count;
    if (buffer.subarray(0, count).includes(0x0a)) return joinChunks(chunks);
  }
  throw refused(where, "it does not greet as nats-server does, check the port");
}

interface ServerGreeting {
  tls_required?: boolean;
  tls_available?: boolean;
}

function infoOf(greeting: Uint8Array, where: string): ServerGreeting {
  const [, json] = /^INFO\s+(\{[^\r\n]*\})\s*\r?\n/i.exec(new TextDecoder().decode(greeting)) ?? [];
  try {
    if (json) return JSON.parse(json) as ServerGreeting;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refused(where, "it does not greet as nats-server does, check the port");
}

async function startTls(
  conn: Deno.TcpConn,
  hostname: string,
  { where, ca }: { where: string; ca: string | undefined },
): Promise<Deno.TlsConn> {
  let tls: Deno.TlsConn | undefined;
  try {
    tls = await Deno.startTls(conn, { hostname, caCerts: ca === undefined ? [] : [ca] });
    await tls.handshake();
    return tls;
  } catch (error) {
    closeQuietly(tls ?? conn);
    const why = error instanceof Error ? error.message : String(error);
    throw refused(where, `TLS with it fails, check its certificate and the CA: ${why.slice(0, 300)}`, error);
  }
}

function refused(where: string, why: string, cause?: unknown): ToolError {
  return new ToolError("external_failure", `Cannot use the queue at ${where}: ${why}`, { cause });
}

function closeQuietly(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
