import { median, OpenBatch, timeCommand, treeMemory } from "./measure.ts";
import type { Ratio } from "./report.ts";

const RUNS = 100;
const OUTPUT_BYTES = 100_000_000;

/** Measures `true` through Bash in a running batch, in the box and without it, against a bare spawn of the shell. */
export async function benchPrograms(
  label: string,
  argv: readonly string[],
  folder: string,
): Promise<Ratio[]> {
  const peerMs = await median(RUNS, async () => (await timeCommand(["/bin/bash", "-c", "true"])).ms);
  const peer = { peer: "a bare spawn of bash -c true", peerMs };
  const boxed = await bashTrue(argv, folder, ["--sandbox", "require"]);
  const bare = await bashTrue(argv, folder, ["--sandbox", "off", "--allow-run=bash"]);
  return [
    { name: `${label} Bash true, box`, ms: boxed, ...peer, bound: 12 },
    { name: `${label} Bash true, no box`, ms: bare, ...peer, bound: 6 },
  ];
}

async function bashTrue(argv: readonly string[], folder: string, flags: readonly string[]): Promise<number> {
  const batch = new OpenBatch(argv, folder, flags);
  const ms = await median(RUNS, async () => (await batch.call("Bash", { command: "true" })).ms);
  await batch.close();
  return ms;
}

/** Runs a program that prints 100 MB; returns the time and the largest growth of memory, in MB. */
export async function benchOutput(
  argv: readonly string[],
  folder: string,
): Promise<{ ms: number; grown: number }> {
  const batch = new OpenBatch(argv, folder);
  await batch.call("Bash", { command: "true" });
  const before = await treeMemory(batch.pid);
  let done = false;
  const printed = batch.call("Bash", { command: `yes | head -c ${OUTPUT_BYTES}`, timeout: 120 })
    .finally(() => done = true);
  let most = before;
  while (!done) most = Math.max(most, await treeMemory(batch.pid));
  const { ms } = await printed;
  await batch.close();
  return { ms, grown: most - before };
}
