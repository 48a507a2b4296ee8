import { join } from "@std/path";

import { findProgram } from "../../../runtime/walls/files/find_program.ts";

/** Folders of programs that ordinary users do not have on their PATH. */
const SYSTEM_FOLDERS = "/usr/sbin:/usr/local/sbin";
/** Ports that systems give to nobody by themselves: one is still free when its server starts again. */
const FIRST_PORT = 12_000;
const PORTS = 20_000;
const MOST_TRIES = 20;

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

/** How a server of a test is set up. */
export interface NatsServerOptions {
  /** Further arguments. @default JetStream is on */
  args?: readonly string[];
  /** Text of its configuration file. @default none */
  config?: string;
  /** Port of its cluster, and those of all its nodes. @default it is alone */
  cluster?: { port: number; all: readonly number[] };
}

/** A real nats-server on this machine, with a store of its own. */
export interface NatsServer extends AsyncDisposable {
  readonly port: number;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and store. */
  restart(): Promise<void>;
}

/** Starts a server: `await using server = await startNatsServer()`. */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-nats-" });
  for (let tries = 1;; tries++) {
    const server = new RunningServer(freePort(), folder, options);
    try {
      await server.restart();
      return server;
    } catch (error) {
      if (!(error instanceof NotStarted) || tries === MOST_TRIES) {
        await server[Symbol.asyncDispose]();
        throw error;
      }
    }
  }
}

/** Starts the nodes of one cluster. */
export async function startNatsCluster(size: number): Promise<NatsServer[] & AsyncDisposable> {
  const all = Array.from({ length: size }, freePort);
  const nodes = await Promise.all(
    all.map((port) => startNatsServer({ cluster: { port, all } })),
  );
  return Object.assign(nodes, {
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
  });
}

/** Returns a port that nobody listens on now. */
export function freePort(): number {
  while (true) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** The server has ended before it was ready: another program has its port, perhaps. */
class NotStarted extends Error {}

class RunningServer implements NatsServer {
  readonly port: number;
  readonly #folder: string;
  readonly #args: readonly string[];
  #process: Deno.ChildProcess | null = null;
  #log = Promise.resolve();

  constructor(port: number, folder: string, { args = ["-js"], config, cluster }: NatsServerOptions) {
    this.port = port;
    this.#folder = folder;
    const configFile = join(folder, "nats.conf");
    if (config !== undefined) Deno.writeTextFileSync(configFile, config);
    this.#args = [
      ...["-a", "127.0.0.1", "-p", String(port), ...args],
      ...(args.includes("-js") ? ["-sd", join(folder, "store")] : []),
      ...(config === undefined ? [] : ["-c", configFile]),
      ...(cluster ? clusterArgs(cluster) : []),
    ];
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
    let text = "";
    this.#log = (async () => {
      for await (const part of process.stderr.pipeThrough(new TextDecoderStream())) {
        text = (text + part).slice(-4_000);
        if (text.includes("Server is ready")) ready.resolve();
      }
      ready.reject(new NotStarted(text));
    })();
    await ready.promise;
  }

  async kill(): Promise<void> {
    const process = this.#process;
    if (!process) return;
    this.#process = null;
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
    Deno.removeSync(this.#folder, { recursive: true });
  }
}

function clusterArgs({ port, all }: { port: number; all: readonly number[] }): string[] {
  const routes = all.map((other) => `nats://127.0.0.1:${other}`).join(",");
  return [
    ...["--cluster_name", "test", "--cluster", `nats://127.0.0.1:${port}`, "--routes", routes],
    ...["--server_name", `node-${port}`],
  ];
}
