import { join } from "@std/path";

import { OpenBatch } from "../measure.ts";
import type { Ratio } from "../report.ts";
import { type BenchQueue, startQueue } from "./started_queue.ts";

const ROUNDS = 6;
const CALLS_A_ROUND = 50;
const CALLS_THAT_WAIT = 400;
const WAIT_MS = 200;
const PLACES = 4;
/** Two workers do at least 1.8 times as much as one. */
const TWO_TO_ONE = 1 / 1.8;

/**
 * Measures what a queue adds to a call, and how much sooner two workers are done than one where calls wait.
 *
 * @param file Absolute path of a small file in `folder`
 * @returns Lines of the report; why it was left out if nats-server is not installed
 */
export async function benchQueue(
  label: string,
  argv: readonly string[],
  { folder, file, searchPath }: { folder: string; file: string; searchPath: string },
): Promise<{ added: string; ratios: Ratio[] } | string> {
  await using queue = await startQueue(argv, folder, searchPath);
  if (queue === null) return "nats-server is not installed";
  const added = await addedByQueue(argv, { folder, file, queue });
  const one = await timeWaiting({ folder, queue, workers: 1 });
  const two = await timeWaiting({ folder, queue, workers: 2 });
  const name = `${label} queue, ${CALLS_THAT_WAIT} calls that wait, two workers`;
  return {
    added: `${label} queue adds ${added.toFixed(2)} ms to a call of Read (≤ 2)`,
    ratios: [{ name, ms: two, peer: "one worker", peerMs: one, bound: TWO_TO_ONE }],
  };
}

/** Returns what a call takes longer with a queue, in milliseconds; measured by turns. */
async function addedByQueue(
  argv: readonly string[],
  { folder, file, queue }: { folder: string; file: string; queue: BenchQueue },
): Promise<number> {
  await using _worker = await queue.work(PLACES);
  const batches = [new OpenBatch(argv, folder), new OpenBatch(argv, folder, ["--queue", queue.url, "-q"])];
  const times: number[][] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, batch] of batches.entries()) {
      for (let n = 0; n < CALLS_A_ROUND; n++) {
        const { ms } = await batch.call("Read", { path: file });
        // The first round warms up.
        if (round > 0) times[at]!.push(ms);
      }
    }
  }
  for (const batch of batches) await batch.close();
  const [embedded, queued] = times.map((some) => some.toSorted((a, b) => a - b)[some.length >> 1]!);
  return queued! - embedded!;
}

/** Returns how long a batch of calls takes that do nothing but wait, in milliseconds, from its first outcome to its last. */
async function timeWaiting(
  { folder, queue, workers }: { folder: string; queue: BenchQueue; workers: number },
): Promise<number> {
  await using all = new AsyncDisposableStack();
  for (let n = 0; n < workers; n++) all.use(await queue.work(PLACES));
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async () => {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return new Response("waited");
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const line = JSON.stringify({ tool: "par/fetch_url", arguments: { url } });
  const lines = join(folder, "waiting.jsonl");
  Deno.writeTextFileSync(lines, `${line}\n`.repeat(CALLS_THAT_WAIT));
  return await queue.timeBatch(lines);
}
