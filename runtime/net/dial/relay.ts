const PUMP_BYTES = 64 * 1024;

/**
 * Returns a connection of TCP that carries the bytes of another one: the runtime makes TLS over TCP alone, and the way
 * through a proxy may be TLS itself. Both ends are of this process; what goes between them is secret by then.
 */
export async function relayOverTcp(over: Deno.Conn): Promise<Deno.TcpConn> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const near = await Deno.connect({ hostname: "127.0.0.1", port: portOf(listener.addr) });
  for await (const far of listener) {
    if (portOf(far.remoteAddr) !== portOf(near.localAddr)) {
      // Somebody else was faster.
      close(far);
      continue;
    }
    void carry(far, over);
    return near;
  }
  throw new TypeError("the listener ended");
}

/** Carries bytes both ways until the one side has closed, or the other breaks. */
async function carry(one: Deno.TcpConn, other: Deno.Conn): Promise<void> {
  const down = pump(other, one).then(() => one.closeWrite());
  down.catch(() => close(one));
  await pump(one, other).catch(() => {});
  close(one);
  close(other);
}

async function pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(PUMP_BYTES);
  for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
    for (let at = 0; at < read;) at += await to.write(buffer.subarray(at, read));
  }
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // The other direction has closed it.
  }
}

function portOf(address: Deno.Addr): number {
  return (address as Deno.NetAddr).port;
}
