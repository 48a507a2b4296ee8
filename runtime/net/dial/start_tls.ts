import { settlesWithin } from "../../wait/settles_within.ts";
import { GateFailure } from "./gate_failure.ts";

/** What TLS needs beside the connection. */
export interface TlsOptions {
  /** The name that was asked for; the certificate must hold for it. */
  host: string;
  /** Own certificate authorities, beside the usual ones, as PEM. */
  caCerts: readonly string[];
  /** Longest time of the greeting, in milliseconds. */
  connectMs: number;
}

/**
 * Makes TLS over a connection, with the name that was asked for. Closes the connection if that fails.
 *
 * @throws {GateFailure} `tls`, or `timeout`
 */
export async function startTls(
  conn: Deno.TcpConn,
  { host, caCerts, connectMs }: TlsOptions,
): Promise<Deno.TlsConn> {
  let tls: Deno.TlsConn | undefined;
  try {
    const hostname = host.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    tls = await Deno.startTls(conn, { hostname, caCerts: [...caCerts], alpnProtocols: ["http/1.1"] });
    const greeted = tls.handshake();
    if (await settlesWithin(greeted, connectMs)) return tls;
    greeted.catch(() => {});
  } catch (error) {
    close(tls ?? conn);
    const why = error instanceof Error ? error.message : String(error);
    throw new GateFailure("tls", `cannot make a safe connection to ${host}: ${why.slice(0, 300)}`);
  }
  close(tls);
  throw new GateFailure("timeout", `${host} did not answer the greeting of TLS within ${connectMs} ms`);
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // Already closed, as wanted.
  }
}
