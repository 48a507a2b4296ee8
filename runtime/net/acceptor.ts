import { PortConn } from "./port/port_conn.ts";
import { type ByteConn, closeQuietly } from "./wire/streams.ts";

/** Takes in the connections of one door. */
export interface Acceptor extends AsyncIterable<ByteConn> {
  close(): void;
}

/** Listens on a socket, in a folder that only its owner may open. */
export function acceptOnSocket(path: string): Acceptor {
  const listener = Deno.listen({ transport: "unix", path });
  return {
    [Symbol.asyncIterator]: () => listener[Symbol.asyncIterator](),
    close() {
      closeQuietly(listener);
      try {
        Deno.removeSync(path);
      } catch {
        // The folder may be gone already.
      }
    },
  };
}

/** Listens on a port of loopback that the system picks. */
export function acceptOnLoopback(): Acceptor & { port: number } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return {
    port: listener.addr.port,
    [Symbol.asyncIterator]: () => listener[Symbol.asyncIterator](),
    close: () => closeQuietly(listener),
  };
}

/** Takes each port that comes over a port as a connection. */
export function acceptOnPort(port: MessagePort): Acceptor {
  const waiting: ByteConn[] = [];
  let wake = () => {};
  let isClosed = false;
  port.onmessage = ({ ports: [one] }: MessageEvent) => {
    if (one) waiting.push(new PortConn(one));
    wake();
  };
  return {
    async *[Symbol.asyncIterator]() {
      while (!isClosed) {
        const next = waiting.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => wake = resolve);
      }
    },
    close() {
      isClosed = true;
      port.close();
      for (const conn of waiting.splice(0)) conn.close();
      wake();
    },
  };
}
