import type { Destination } from "../dial/dial.ts";
import { GateFailure } from "../dial/gate_failure.ts";
import { readHost } from "../../walls/net/read_host.ts";
import { GreetingWatch } from "./client_hello.ts";
import type { ConnectionTrace } from "./service.ts";
import { type ByteConn, closeQuietly, pump, writeAll } from "../wire/streams.ts";

const READ_BYTES = 64 * 1024;
/** What TLS says to a client that asks for an unknown name: a fatal alert. */
const UNKNOWN_NAME = Uint8Array.of(21, 3, 3, 0, 2, 2, 112);

/**
 * Carries bytes both ways until both sides have ended. A client that greets another name in TLS than the one that it
 * asked for is cut off: behind one address there may be many hosts.
 *
 * @param early What the client has said already
 * @throws {GateFailure} `server_name`
 */
export async function runTunnel(
  { conn, up, to, early }: { conn: ByteConn; up: ByteConn; to: Destination; early: Uint8Array },
  trace: ConnectionTrace,
): Promise<void> {
  const { counts } = trace;
  const watch = new GreetingWatch((serverName) => {
    if (!isAsked(serverName, to)) throw otherName(serverName, to);
  });
  const send = async (bytes: Uint8Array) => {
    counts.sentBytes += bytes.length;
    await writeAll(up, bytes);
  };
  const upwards = async () => {
    await send(watch.take(early));
    const buffer = new Uint8Array(READ_BYTES);
    while (!watch.isOver) {
      const read = await conn.read(buffer);
      if (read === null) break;
      await send(watch.take(buffer.subarray(0, read)));
    }
    if (watch.isOver) await pump(conn, up, (count) => void (counts.sentBytes += count));
    else await send(watch.end());
    await up.closeWrite();
  };
  const downwards = async () => {
    await pump(up, conn, (count) => void (counts.receivedBytes += count));
    await conn.closeWrite();
  };
  // One side that breaks ends the other.
  const end = async (error: unknown) => {
    // Who hears of it may ask at once what happened.
    if (error instanceof GateFailure) {
      trace.end(error);
      await writeAll(conn, UNKNOWN_NAME).catch(() => {});
    }
    closeQuietly(up);
    closeQuietly(conn);
    throw error;
  };
  const [one, other] = await Promise.allSettled([upwards().catch(end), downwards().catch(end)]);
  for (const { reason } of [one, other].filter((side) => side.status === "rejected")) {
    if (reason instanceof GateFailure) throw reason;
  }
}

/** An address has no name to greet; whoever asked for a name must greet that name. */
function isAsked(serverName: string | undefined, { host }: Destination): boolean {
  if (serverName === undefined) return false;
  const asked = readHost(host);
  if (serverName === "") return asked?.address !== null;
  return readHost(serverName)?.name === asked?.name;
}

function otherName(serverName: string | undefined, { host }: Destination): GateFailure {
  const said = serverName ? JSON.stringify(serverName.slice(0, 200)) : "no name that can be read";
  return new GateFailure(
    "server_name",
    `the greeting of TLS says ${said}, the connection was asked for ${host}`,
  );
}
