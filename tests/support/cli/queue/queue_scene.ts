import { assertEquals } from "@std/assert";

import { boxWorks } from "../../box.ts";
import { NATS_SERVER, type NatsServer, startNatsCluster, startNatsServer } from "../../queue/nats_server.ts";
import type { ProgramOptions, Running } from "../../program.ts";
import { type Answer, type Batch, type Call, makeScene, parseLines, type Scene } from "../scene.ts";

/** A tool of one's own that changes nothing: it says that it has begun, and waits until a file is there. */
const WAITS = `import { defineTool } from "bulkhead";
import * as z from "zod";

export default defineTool({
  name: "waits",
  description: "Wait for a file.",
  input: z.object({ path: z.string() }),
  output: z.string(),
  needs: { read: "workspace" },
  readOnly: true,
  parallel: true,
  async run({ path }, { workspace, signal, progress }) {
    progress({ message: "waiting for " + path });
    for (;;) {
      signal.throwIfAborted();
      try {
        return await Deno.readTextFile(workspace + "/" + path);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  },
});
`;

/** A queue, folders, and workers of it: `await using queue = await makeQueueScene()`. */
export interface QueueScene extends AsyncDisposable {
  scene: Scene;
  server: NatsServer;
  /** The server, and the other nodes of its cluster. */
  nodes: readonly NatsServer[];
  url: string;
  /** Starts a worker in a folder of the scene, and returns once it takes orders. */
  worker(words?: readonly string[], options?: ProgramOptions): Promise<Running>;
  batch(calls: readonly Call[], words?: readonly string[]): Promise<Batch>;
  start(calls: readonly Call[], words?: readonly string[]): Promise<Running>;
}

/** Registers a test that needs a queue; elsewhere it is reported as ignored, with the reason. */
export function queueTest(name: string, run: () => Promise<void>, { box = false } = {}): void {
  const lacks = NATS_SERVER === null ? "nats-server" : box && !boxWorks ? "a sandbox" : null;
  Deno.test({ name: lacks === null ? name : `${name} (needs ${lacks})`, ignore: lacks !== null, fn: run });
}

interface QueueOptions {
  size?: number;
  /** Text of the configuration of a single node. @default all may use it, without TLS */
  config?: string;
  scheme?: "nats" | "tls";
  /** Further words with which workers and batches reach it. @default none */
  link?: readonly string[];
}

/** Makes a queue with a scene around it, which has the tool `waits` as `waits.ts`. */
export async function makeQueueScene(
  files: Record<string, string | Uint8Array> = {},
  { size = 1, config, scheme = "nats", link = [] }: QueueOptions = {},
): Promise<QueueScene> {
  const scene = makeScene({ "waits.ts": WAITS, ...files });
  const nodes = size === 1
    ? [await startNatsServer(config === undefined ? {} : { config })]
    : await startNatsCluster(size);
  const [server] = nodes as [NatsServer];
  // The certificate of tests is for this name.
  const host = scheme === "tls" ? "localhost" : "127.0.0.1";
  const url = `${scheme}://${nodes.map(({ port }) => `${host}:${port}`).join(",")}`;
  const workers: Running[] = [];
  const words = (more: readonly string[]) => ["batch", "-", "--queue", url, ...link, ...more];
  const lines = (calls: readonly Call[]) => calls.map((call) => `${JSON.stringify(call)}\n`).join("");
  return {
    ...{ scene, server, nodes, url },
    async worker(more = [], options) {
      const worker = scene.start(["worker", "--queue", url, ...link, ...more], {
        timeoutMs: 240_000,
        ...options,
      });
      workers.push(worker);
      await worker.closeInput();
      await worker.told(/bulkhead: worker \S+ takes /);
      return worker;
    },
    async batch(calls, more = []) {
      const { code, stdout, stderr } = await scene.run(words(more), {
        stdin: lines(calls),
        timeoutMs: 180_000,
      });
      return { code, answers: parseLines(stdout) as Answer[], stderr };
    },
    async start(calls, more = []) {
      const running = scene.start(words(more), { timeoutMs: 180_000 });
      await running.write(lines(calls));
      await running.closeInput();
      return running;
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) worker.kill("SIGKILL");
      for (const worker of workers) await worker.ended();
      for (const node of nodes) await node[Symbol.asyncDispose]();
      scene[Symbol.dispose]();
    },
  };
}

/** Checks that a batch answered these ids, each once and in this order. */
export function assertIds({ answers }: Pick<Batch, "answers">, ids: readonly (string | number)[]): void {
  assertEquals(answers.map(({ id }) => id), [...ids]);
}
