import { median, OpenBatch, timeCommand, treeMemory } from "./measure.ts";
import type { Ratio } from "./report.ts";

const RUNS = 100;
const STARTS = 15;
/** What a list of hosts may cost, in milliseconds. */
const HOSTS_MS = 25;
/** What a box may cost more than the simplest one, in milliseconds. */
const BOX_MS = 6;
const SHELL = ["/bin/bash", "-c", "true"];
const SIMPLE_BOX = [
  ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  ...["--unshare-all", "--die-with-parent"],
];
const OUTPUT_BYTES = 100_000_000;

/**
 * Measures `true` through Bash in a running batch, in the box and without it, against a bare spawn of the shell; and what
 * the box and a list of hosts add, the time that is allowed for it put on the other side.
 */
export async function benchPrograms(
  label: string,
  argv: readonly string[],
  folder: string,
): Promise<Ratio[]> {
  const peerMs = await median(RUNS, async () => (await timeCommand(SHELL)).ms);
  const simpleMs = await median(RUNS, async () => (await timeCommand([...SIMPLE_BOX, ...SHELL])).ms);
  const peer = { peer: "a bare spawn of bash -c true", peerMs };
  const boxed = await bashTrue(argv, folder, ["--sandbox", "require"]);
  const hosts = await bashTrue(argv, folder, ["--sandbox", "require", "--allow-net=example.com"]);
  const [first, firstOfHosts] = await firstStarts(argv, folder);
  const bare = await bashTrue(argv, folder, ["--sandbox", "off", "--allow-run=bash"]);
  return [
    { name: `${label} Bash true, box`, ms: boxed, ...peer, bound: 12 },
    { name: `${label} Bash true, no box`, ms: bare, ...peer, bound: 6 },
    {
      ...{ name: `${label} Bash true, what the box adds`, ms: boxed - bare, bound: 1 },
      ...{ peer: `what bare bubblewrap adds, and ${BOX_MS} ms`, peerMs: simpleMs - peerMs + BOX_MS },
    },
    {
      ...{ name: `${label} Bash true with a list of hosts`, ms: hosts, peer: "without one", bound: 1 },
      peerMs: boxed + HOSTS_MS,
    },
    {
      ...{ name: `${label} call of Bash true with a list of hosts`, ms: firstOfHosts, bound: 1 },
      ...{ peer: "without one", peerMs: first + HOSTS_MS },
    },
  ];
}

/** Runs whole programs of one call in turn, without and with a list of hosts. */
async function firstStarts(argv: readonly string[], folder: string): Promise<[number, number]> {
  const call = async (flags: readonly string[]) => {
    const words = ["call", "Bash", "command=true", "-C", folder, "--sandbox", "require", ...flags];
    return (await timeCommand([...argv, ...words])).ms;
  };
  const plain: number[] = [];
  const hosts = await median(STARTS, async () => {
    plain.push(await call([]));
    return await call(["--allow-net=example.com"]);
  });
  return [plain.sort((a, b) => a - b)[plain.length >> 1]!, hosts];
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
