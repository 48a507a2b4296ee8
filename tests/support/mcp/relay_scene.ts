import { type Pins, type PinStore } from "../../../runtime/mcp/wrap/pin_store.ts";
import { Relay, type RelayedCall } from "../../../runtime/mcp/wrap/relay.ts";
import { ServerPins } from "../../../runtime/mcp/wrap/server_pins.ts";

/** A relay between a client and a server that the test plays. */
export function relayScene(store: PinStore) {
  const client = new TransformStream<Uint8Array, Uint8Array>();
  const server = new TransformStream<Uint8Array, Uint8Array>();
  const [input, output] = [client.writable.getWriter(), server.writable.getWriter()];
  const toClient: string[] = [];
  const toServer: string[] = [];
  const calls: RelayedCall[] = [];
  const warnings: string[] = [];
  const taken = (list: string[]) => (bytes: Uint8Array) => {
    list.push(new TextDecoder().decode(bytes));
    return Promise.resolve();
  };
  const relay = new Relay({
    client: { input: client.readable, write: taken(toClient) },
    server: { output: server.readable, write: taken(toServer) },
    pins: new ServerPins(store),
    name: "notes",
    onCall: (call) => void calls.push(call),
    warn: (message) => void warnings.push(message),
  });
  const done = Promise.all([relay.fromClient(), relay.fromServer()]);
  const write = async (writer: WritableStreamDefaultWriter<Uint8Array>, message: unknown) => {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    const bytes = message instanceof Uint8Array ? [...message] : [...new TextEncoder().encode(text)];
    await writer.write(Uint8Array.of(...bytes, 10));
  };
  return {
    ...{ toClient, toServer, calls, warnings },
    say: (message: unknown) => write(input, message),
    answer: (message: unknown) => write(output, message),
    async end() {
      await input.close();
      await output.close();
      await done;
    },
  };
}

/** Pins that are kept in memory. */
export function memory(pins: Pins | null = null): PinStore & { kept: Pins | null } {
  return {
    kept: pins,
    read() {
      return this.kept;
    },
    write(next) {
      this.kept = structuredClone(next);
    },
  };
}

export const READ = { name: "read", description: "Reads a note.", inputSchema: { type: "object" } };
export const WRITE = { name: "write", description: "Writes a note.", inputSchema: { type: "object" } };

/** Lets a client list tools, and returns the names that it gets. */
export async function list(store: PinStore, ...pages: unknown[][]) {
  const scene = relayScene(store);
  for (const [at, tools] of pages.entries()) {
    await scene.say({
      jsonrpc: "2.0",
      id: at,
      method: "tools/list",
      params: at === 0 ? {} : { cursor: `${at}` },
    });
    const next = at + 1 < pages.length ? { nextCursor: `${at + 1}` } : {};
    await scene.answer({ jsonrpc: "2.0", id: at, result: { tools, ...next } });
  }
  return {
    ...scene,
    names: async () => {
      await scene.end();
      return scene.toClient.map((line) => JSON.parse(line)).flatMap(({ result }) =>
        (result?.tools ?? []).map(({ name }: { name: string }) => name)
      );
    },
  };
}
