import { PortConn } from "./port/port_conn.ts";
import { type ByteConn, closeQuietly } from "./wire/streams.ts";

/** Takes in the connections of one door. */
export interface Acceptor extends AsyncIterable<ByteConn> {
  close(): void;
}

/**
 * Listens on a socket that only its owner may open.
 *
 * @param folder Is made anew if it is gone
 */
export function acceptOnSocket(path: string, folder: string): Acceptor {
  const listener = listen(path, folder);
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

/** Between two gates of a run nobody answers in their folder, and another run may take it for one of the dead. */
function listen(path: string, folder: string): Deno.Listener {
  try {
    return Deno.listen({ transport: "unix", path });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(folder, { mode: 0o700 });
    return Deno.listen({ transport: "unix", path });
  }
}
