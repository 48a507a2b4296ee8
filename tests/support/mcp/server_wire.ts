import type { Transport } from "@modelcontextprotocol/server";

import { cutLines } from "../../../runtime/sources/mcp/wire/cut_lines.ts";
import type { OpenWire, WireEnd } from "../../../runtime/sources/mcp/wire/mcp_wire.ts";

/** The client of a server that a test plays, as its pipes would show it. */
export interface Client {
  /** What the client sends, a message a line; ends with the client. */
  lines: ReadableStream<string>;
  /** Aborts once nobody reads any more. */
  gone: AbortSignal;
  /** Resolves when the client wants more; does nothing once it has gone. */
  write(text: string): Promise<void>;
  say(text: string): void;
  exit(code: number): void;
}

export type Server = (client: Client) => void;

/** The way to a server in the test's own process: what stands around a server is no matter of the client. */
export function serverWire(serve: Server): OpenWire {
  return () => {
    const toServer = new TransformStream<string, string>(undefined, { highWaterMark: Infinity });
    const input = toServer.writable.getWriter();
    const gone = new AbortController();
    const ended = Promise.withResolvers<WireEnd>();
    let [why, said] = ["", ""];
    let wanted = Promise.withResolvers<void>();
    const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(output) {
        const end = () => (output.close(), wanted.resolve());
        gone.signal.addEventListener("abort", end, { once: true });
        serve({
          ...{ lines: toServer.readable, gone: gone.signal, say: (text) => void (said += text) },
          exit(code) {
            why ||= `it ended with code ${code}`;
            gone.abort();
          },
          async write(text) {
            if (gone.signal.aborted) return;
            output.enqueue(new TextEncoder().encode(text));
            if ((output.desiredSize ?? 0) > 0) return;
            wanted = Promise.withResolvers();
            await wanted.promise;
          },
        });
      },
      pull: () => wanted.resolve(),
    }, { highWaterMark: 64 });
    async function* messages() {
      yield* cutLines(bytes.values({ preventCancel: true }), {
        onTooLong: () => void (why = "it sent a message of more than 10485760 bytes"),
      });
      gone.abort();
      ended.resolve({ why, said: said.trim() });
    }
    return Promise.resolve({
      send: (message) => void input.write(message).catch(() => {}),
      ...{ messages: messages(), ended: ended.promise },
      async [Symbol.asyncDispose]() {
        gone.abort();
        await input.close().catch(() => {});
      },
    });
  };
}

/** The transport of the SDK's servers to such a client. */
export function transportTo({ lines, write }: Client): Transport {
  const transport: Transport = {
    async start() {
      await Promise.resolve();
      void (async () => {
        for await (const line of lines) transport.onmessage?.(JSON.parse(line));
        transport.onclose?.();
      })();
    },
    send: (message) => write(`${JSON.stringify(message)}\n`),
    close: () => Promise.resolve(),
  };
  return transport;
}
