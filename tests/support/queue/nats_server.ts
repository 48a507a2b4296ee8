import { join } from "@std/path";

import { findProgram } from "../../../runtime/walls/files/find_program.ts";

/** Folders of programs that ordinary users do not have on their PATH. */
const SYSTEM_FOLDERS = "/usr/sbin:/usr/local/sbin";
/** Where nats-server is, `null` if it is not installed. */
export const NATS_SERVER: string | null = findProgram(
  "nats-server",
  `${Deno.env.get("PATH") ?? ""}:${SYSTEM_FOLDERS}`,
);

/** Registers a test that needs nats-server; elsewhere it is reported as ignored, with the reason. */
export function natsTest(name: string, run: () => Promise<void>): void {
  const isMissing = NATS_SERVER === null;
  Deno.test({ name: `${name}${isMissing ? " (needs nats-server)" : ""}`, ignore: isMissing, fn: run });
}

export interface NatsServerOptions {
  /** Further arguments. @default JetStream is on */
  args?: readonly string[];
  /** Text of its configuration file. @default none */
  config?: string;
  /** Its name in a cluster, and the addresses of all its nodes. @default it is alone */
  cluster?: { name: string; door: Door; all: readonly number[] };
}

/** A real nats-server on this machine, with a store of its own. */
export interface NatsServer extends AsyncDisposable {
  readonly port: number;
  kill(): Promise<void>;
  /** Starts it again on the same port and store. */
  restart(): Promise<void>;
}

/** Starts a server: `await using server = await startNatsServer()`. */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const server = new RunningServer(options);
  try {
    await server.restart();
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

export async function startNatsCluster(size: number): Promise<NatsServer[] & AsyncDisposable> {
  const doors = Array.from({ length: size }, () => new Door());
  const all = doors.map(({ port }) => port);
  const nodes = await Promise.all(
    doors.map((door, at) => startNatsServer({ cluster: { name: `node-${at}`, door, all } })),
  );
  return Object.assign(nodes, {
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
  });
}

/** A port of the test's own that leads to a server, whichever port that has after a start. */
class Door {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  /** The port of the server, `null` while it does not run. */
  target: number | null = null;

  constructor() {
    this.#serve();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  close(): void {
    this.target = null;
    this.#listener.close();
  }

  async #serve(): Promise<void> {
    for await (const client of this.#listener) {
      this.#lead(client).catch(() => client.close());
    }
  }

  async #lead(client: Deno.TcpConn): Promise<void> {
    if (this.target === null) return client.close();
    const server = await Deno.connect({ hostname: "127.0.0.1", port: this.target });
    // Whoever ends or breaks, the other end is told.
    await Promise.allSettled([
      client.readable.pipeTo(server.writable),
      server.readable.pipeTo(client.writable),
    ]);
  }
}

class RunningServer implements NatsServer {
  readonly #door = new Door();
  readonly #cluster: NatsServerOptions["cluster"];
  readonly #folder = Deno.makeTempDirSync({ prefix: "bulkhead-nats-" });
  readonly #args: readonly string[];
  #process: Deno.ChildProcess | null = null;
  #log = Promise.resolve();

  constructor({ args = ["-js"], config, cluster }: NatsServerOptions) {
    this.#cluster = cluster;
    const configFile = join(this.#folder, "nats.conf");
    if (config !== undefined) Deno.writeTextFileSync(configFile, config);
    this.#args = [
      // It takes a free port, and tells it.
      ...["-a", "127.0.0.1", "-p", "-1", ...args],
      ...(args.includes("-js") ? ["-sd", join(this.#folder, "store")] : []),
      ...(config === undefined ? [] : ["-c", configFile]),
      ...(cluster ? clusterArgs(cluster) : []),
    ];
  }

  get port(): number {
    return this.#door.port;
  }

  async restart(): Promise<void> {
    const process = new Deno.Command(NATS_SERVER!, {
      args: [...this.#args],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#process = process;
    const ready = Promise.withResolvers<void>();
    this.#log = this.#read(process.stderr, ready);
    await ready.promise;
  }

  async #read(
    stderr: ReadableStream<Uint8Array<ArrayBuffer>>,
    ready: PromiseWithResolvers<void>,
  ): Promise<void> {
    let text = "";
    for await (const part of stderr.pipeThrough(new TextDecoderStream())) {
      text = (text + part).slice(-8_000);
      const portFor = (what: string) =>
        Number(new RegExp(`Listening for ${what} connections on \\S+:(\\d+)\n`).exec(text)?.[1] ?? NaN) ||
        null;
      this.#door.target ??= portFor("client");
      if (this.#cluster) this.#cluster.door.target ??= portFor("route");
      if (text.includes("Server is ready") && this.#door.target !== null) ready.resolve();
    }
    ready.reject(new Error(`nats-server ended before it was ready: ${text}`));
  }

  async kill(): Promise<void> {
    const process = this.#process;
    if (!process) return;
    this.#process = null;
    this.#door.target = null;
    if (this.#cluster) this.#cluster.door.target = null;
    try {
      process.kill("SIGKILL");
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError)) throw error;
    }
    await process.status;
    await this.#log;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#door.close();
    this.#cluster?.door.close();
    Deno.removeSync(this.#folder, { recursive: true });
  }
}

function clusterArgs({ name, all }: NonNullable<NatsServerOptions["cluster"]>): string[] {
  const routes = all.map((port) => `nats://127.0.0.1:${port}`).join(",");
  return [
    ...["--cluster_name", "test", "--cluster", "nats://127.0.0.1:-1", "--routes", routes],
    ...["--server_name", name],
  ];
}

/** A port of this machine where nobody listens: systems give it to nobody. */
export const CLOSED_PORT = 1;
