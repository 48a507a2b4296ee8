import { proxyGreeting } from "../forms/gate_headers.ts";

/** The pipes of a bridge. */
export interface BridgePipes {
  /** Fills the buffer; returns the number of bytes, `null` at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
  write(text: string): void;
}

/** What a bridge says when it takes connections. */
export const BRIDGE_READY = "ready\n";

/** A bridge connects and listens, nothing else. */
const GIVEN_UP = ["run", "env", "sys", "ffi", "import"] as const;
/** Most connections at once; others wait. */
const MOST_CONNECTIONS = 256;
const BUFFER_BYTES = 64 * 1024;
const LINE_BYTES = 256;

/**
 * The life of a bridge: it takes connections on a port of its own loopback network, and passes their bytes on to a door of
 * the gate, unread, until its input ends. Each line of its input has the name of the door from then on, which is said again
 * when it is done, and what the door wants to hear first. It decides nothing: the gate does.
 *
 * @param words The folder with the doors, and the port
 * @returns The exit code
 */
export async function runBridge(
  [folder = "", port = ""]: readonly string[],
  pipes: BridgePipes,
): Promise<number> {
  for (const name of GIVEN_UP) Deno.permissions.revokeSync({ name });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: Number(port) });
  let door: BridgeDoor | null = null;
  const served = serve(listener, () => door);
  pipes.write(BRIDGE_READY);
  const told = (async () => {
    for await (const line of linesOf(pipes)) {
      const [name = "", token = ""] = line.split(" ");
      door = { path: `${folder}/${name}`, greeting: new TextEncoder().encode(proxyGreeting(token)) };
      pipes.write(`${name}\n`);
    }
  })();
  await Promise.race([told, served]);
  return 0;
}

async function* linesOf({ read }: BridgePipes): AsyncGenerator<string> {
  const buffer = new Uint8Array(LINE_BYTES);
  const decoder = new TextDecoder();
  let text = "";
  for (let length = await read(buffer); length !== null; length = await read(buffer)) {
    const lines = (text + decoder.decode(buffer.subarray(0, length), { stream: true })).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}

/** Where its connections lead. */
interface BridgeDoor {
  path: string;
  greeting: Uint8Array;
}

async function serve(listener: Deno.Listener, door: () => BridgeDoor | null): Promise<void> {
  const open = new Set<Promise<void>>();
  for await (const client of listener) {
    const passed = pass(client, door()).finally(() => open.delete(passed));
    open.add(passed);
    if (open.size >= MOST_CONNECTIONS) await Promise.race(open);
  }
}

/** Never rejects: what fails ends both connections. */
async function pass(client: Deno.Conn, door: BridgeDoor | null): Promise<void> {
  let gate: Deno.Conn;
  try {
    if (door === null) return close(client);
    gate = await Deno.connect({ transport: "unix", path: door.path });
    await writeAll(gate, door.greeting);
  } catch {
    return close(client);
  }
  await Promise.allSettled([pump(client, gate), pump(gate, client)]);
  close(client);
  close(gate);
}

async function pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  try {
    for (let length = await from.read(buffer); length !== null; length = await from.read(buffer)) {
      await writeAll(to, buffer.subarray(0, length));
    }
    await to.closeWrite();
  } catch {
    close(from);
    close(to);
  }
}

async function writeAll(to: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // The other direction has closed it.
  }
}
