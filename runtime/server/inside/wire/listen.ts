import { closeQuietly } from "../../../net/wire/streams.ts";
import { Wire } from "../../../net/wire/wire.ts";
import { HttpFailure } from "./http_failure.ts";
import { type ConnectionParts, serveConnection } from "./serve_connection.ts";
import { type ClientConn, type ClientListener, listenTls, type ServerTls } from "./tls_front.ts";
import { replyHead } from "./write_reply.ts";

/** Where to listen, and how connections are served. */
export interface ListenParts extends Omit<ConnectionParts, "closing" | "onBody" | "onWaiting"> {
  host: string;
  port: number;
  tls: ServerTls | null;
}

/** A server of HTTP/1.1 that listens. */
export interface HttpListener {
  port: number;
  /** How many connections are open. */
  readonly open: number;
  /** Ends streams, lets requests end for a while, and closes all. */
  close(): Promise<void>;
}

/** One address of clients. */
interface Client {
  count: number;
  /** Connections that have not asked for anything, or not to the end; who waits longest is the first. */
  waiting: Set<Wire>;
}

/** How long to wait if the system gives no connection, in milliseconds. */
const PAUSE_MS = 50;

/**
 * Listens for clients. The runtime's own server has no bound of the time that a head may take, so connections are read by the
 * strict reader of the gate, which has. Needs `net` for host and port, and with TLS for the port behind.
 */
export function listen(parts: ListenParts): HttpListener {
  const { host, port, tls } = parts;
  const listener = tls ? listenTls({ host, port, tls }) : Deno.listen({ hostname: host, port });
  const connections = new HttpConnections(parts);
  const accepting = acceptAll(listener, (conn) => connections.add(conn));
  return {
    port: (listener.addr as Deno.NetAddr).port,
    get open() {
      return connections.count;
    },
    async close() {
      closeQuietly(listener);
      await Promise.all([connections.close(), accepting]);
    },
  };
}

async function acceptAll(listener: ClientListener, onConn: (conn: ClientConn) => void): Promise<void> {
  for (;;) {
    try {
      onConn(await listener.accept());
    } catch (error) {
      if (error instanceof Deno.errors.BadResource) return;
      // Such as too many open files: some will be closed.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** All connections of a server, with their bounds. */
class HttpConnections {
  readonly #parts: ListenParts;
  readonly #closing = new AbortController();
  readonly #open = new Map<Wire, Promise<void>>();
  readonly #clients = new Map<string, Client>();
  #bodies = 0;

  constructor(parts: ListenParts) {
    this.#parts = parts;
  }

  add(conn: ClientConn): void {
    const { limits } = this.#parts;
    const address = (conn.remoteAddr as Deno.NetAddr).hostname;
    const client = this.#clients.get(address) ?? { count: 0, waiting: new Set() };
    // Who asks for nothing, or never ends to, makes room for who may.
    if (client.count >= limits.connectionsOfOne && !drop(client)) return refuse(conn);
    if (this.#open.size >= limits.connections && !drop(this.#mostWaiting())) return refuse(conn);
    this.#clients.set(address, client);
    client.count++;
    if ("setNoDelay" in conn) (conn as Deno.TcpConn).setNoDelay(true);
    const wire = new Wire(conn);
    this.#open.set(wire, this.#serve(wire, conn, client));
  }

  get count(): number {
    return this.#open.size;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        for (const wire of this.#open.keys()) wire.close();
        resolve();
      }, this.#parts.limits.closeMs);
    });
    await Promise.race([Promise.all(this.#open.values()), late]);
    clearTimeout(timer);
  }

  async #serve(wire: Wire, conn: ClientConn, client: Client): Promise<void> {
    const remote = (conn.remoteAddr as Deno.NetAddr).hostname;
    const { hostname, port } = conn.localAddr as Deno.NetAddr;
    const local = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
    const onWaiting = (isWaiting: boolean) => {
      if (isWaiting) client.waiting.add(wire);
      else client.waiting.delete(wire);
    };
    const onBody = (count: number) => this.#countBody(count);
    const closing = this.#closing.signal;
    try {
      await serveConnection(wire, { client: remote, local }, { ...this.#parts, onWaiting, onBody, closing });
    } catch {
      // Of this client alone.
    } finally {
      wire.close();
      await conn.released;
      client.count--;
      client.waiting.delete(wire);
      this.#open.delete(wire);
      if (client.count === 0) this.#clients.delete(remote);
    }
  }

  #countBody(count: number): void {
    if (count > 0 && this.#bodies + count > this.#parts.limits.allBodyBytes) {
      throw HttpFailure.of(503, "The server reads too many long bodies at once: ask again later", {
        "retry-after": "1",
      });
    }
    this.#bodies += count;
  }

  #mostWaiting(): Client | undefined {
    return [...this.#clients.values()].toSorted((one, other) => other.waiting.size - one.waiting.size)[0];
  }
}

/** Ends the connection of a client that has waited longest; false if none waits. */
function drop(client: Client | undefined): boolean {
  const [oldest] = client?.waiting ?? [];
  if (!client || !oldest) return false;
  client.waiting.delete(oldest);
  oldest.close();
  return true;
}

/** A connection for which there is no place. */
function refuse(conn: ClientConn): void {
  const head = replyHead({ status: 503, headers: { "retry-after": "1" } }, 0, false);
  conn.write(head).catch(() => {}).finally(() => closeQuietly(conn));
}
