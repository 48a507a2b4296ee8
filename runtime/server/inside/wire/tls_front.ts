import { type ByteConn, closeQuietly, pump } from "../../../net/wire/streams.ts";

/** A connection of a client, and where it was made. */
export interface ClientConn extends ByteConn, Pick<Deno.Conn, "localAddr" | "remoteAddr"> {
  /** Settles once the system has let go of all of it. @default when it is closed */
  released?: Promise<unknown>;
}

/** Gives connections of clients, one after the other. */
export interface ClientListener {
  readonly addr: Deno.Addr;
  accept(): Promise<ClientConn>;
  close(): void;
}

/** The certificate of a server. */
export interface ServerTls {
  /** PEM. */
  cert: string;
  key: string;
  /** Port of this machine behind which TLS ends, 0 for any that is free. */
  port: number;
}

/** How long a connection that was closed may carry none of its last bytes over, in milliseconds. */
const LAST_MS = 5_000;
const LOOPBACK = "127.0.0.1";

/**
 * Listens for clients that speak TLS. The runtime never lets go of a connection whose greeting does not end, so it does not get
 * those of clients: it ends TLS behind a port of its own, and what clients send is carried there over connections that can
 * always be closed. Needs `net` for host and port, and for the port behind.
 */
export function listenTls(
  { host, port, tls }: { host: string; port: number; tls: ServerTls },
): ClientListener {
  const behind = Deno.listenTls({ hostname: LOOPBACK, port: tls.port, cert: tls.cert, key: tls.key });
  let front: Deno.TcpListener;
  try {
    front = Deno.listen({ hostname: host, port });
  } catch (error) {
    behind.close();
    throw error;
  }
  return {
    addr: front.addr,
    async accept() {
      const client = await front.accept();
      try {
        return await carried(client, behind);
      } catch (error) {
        closeQuietly(client);
        throw error;
      }
    },
    close() {
      closeQuietly(front);
      closeQuietly(behind);
    },
  };
}

/** Carries the bytes of a client to where TLS ends, and returns the connection there. */
async function carried(client: Deno.TcpConn, behind: Deno.TlsListener): Promise<ClientConn> {
  const { port } = behind.addr as Deno.NetAddr;
  const link = await Deno.connect({ hostname: LOOPBACK, port });
  let conn: Deno.TlsConn;
  try {
    conn = await acceptFrom(link.localAddr, behind);
  } catch (error) {
    link.close();
    throw error;
  }
  for (const one of [client, link]) one.setNoDelay(true);
  const cut = () => {
    closeQuietly(client);
    closeQuietly(link);
  };
  let late: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(late);
    late = setTimeout(cut, LAST_MS);
  };
  const onBytes = () => {
    if (late !== undefined) wait();
  };
  const released = Promise.allSettled([carry(client, link, () => {}), carry(link, client, onBytes)]).then(
    cut,
  );
  return {
    read: (bytes) => conn.read(bytes),
    write: (bytes) => conn.write(bytes),
    closeWrite: () => conn.closeWrite(),
    localAddr: client.localAddr,
    remoteAddr: client.remoteAddr,
    close() {
      conn.close();
      wait();
      released.then(() => clearTimeout(late));
    },
    released,
  };
}

/** What others of this machine begin there is none of a client. */
async function acceptFrom(address: Deno.Addr, behind: Deno.TlsListener): Promise<Deno.TlsConn> {
  const { port } = address as Deno.NetAddr;
  for (;;) {
    const conn = await behind.accept();
    if ((conn.remoteAddr as Deno.NetAddr).port === port) return conn;
    closeQuietly(conn);
  }
}

async function carry(from: Deno.TcpConn, to: Deno.TcpConn, onBytes: (count: number) => void): Promise<void> {
  await pump(from, to, onBytes);
  await to.closeWrite();
}
