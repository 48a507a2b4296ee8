import { makeGate } from "../../../runtime/net/open_gate.ts";
import { openWeb } from "../../../runtime/net/room/open_web.ts";
import { median } from "../measure.ts";
import type { Ratio } from "../report.ts";

const RUNS = 600;
const BURSTS = 15;
const AT_ONCE = 100;
/** Sizes of bodies, in bytes. */
const SIZES = [1_000, 100_000];
/** Time that a server of the web takes at the very least, in milliseconds. */
const LATENCY_MS = 5;

/** Asks once, and reads the answer to its end. */
type Ask = () => Promise<unknown>;

/**
 * Measures a request of a tool through the gate against `fetch` of the same runtime to the same server, one after the
 * other and a hundred at once. The server is a thread of its own, as the gate is.
 */
export async function benchGate(): Promise<Ratio[]> {
  const server = await openServer();
  const host = `127.0.0.1:${server.port}`;
  await using gate = makeGate({ upstream: { http: null, https: null, direct: [] } });
  const rules = { allow: [], deny: [], private: [host] };
  const door = await gate.door({ who: "bench", rules, secrets: [], form: "request" });
  using room = openWeb(door);
  const web = room.of({ call: "bench", signal: new AbortController().signal, deadline: Infinity });
  const ways = (path: string): { through: Ask; direct: Ask } => {
    const url = `http://${host}/${path}`;
    return {
      through: () => web.request({ url }),
      direct: async () => await (await fetch(url)).arrayBuffer(),
    };
  };
  try {
    const ratios: Ratio[] = [];
    for (const size of SIZES) {
      ratios.push({ ...await compare(ways(String(size))), name: `gate, a page of ${size / 1_000} kB` });
    }
    const slow = await compare(ways(`${SIZES[0]}/${LATENCY_MS}`), RUNS / 10);
    const bursts = await compareBursts(ways(String(SIZES[0])));
    return [...ratios, { ...slow, name: `gate, a server that takes ${LATENCY_MS} ms` }, ...bursts];
  } finally {
    server.end();
  }
}

type Measured = Omit<Ratio, "name">;

/** Takes turns, so that what else runs on this machine meets both. */
async function compare({ through, direct }: { through: Ask; direct: Ask }, runs = RUNS): Promise<Measured> {
  const peerTimes: number[] = [];
  const ms = await median(runs, async () => {
    peerTimes.push(await timed(direct));
    return await timed(through);
  });
  return { ms, peer: "a direct fetch", peerMs: middle(peerTimes), bound: 1.3 };
}

/** Without a slope, each of many at once takes no longer than one alone. */
async function compareBursts({ through, direct }: { through: Ask; direct: Ask }): Promise<Ratio[]> {
  const burst = (ask: Ask) => timed(() => Promise.all(Array.from({ length: AT_ONCE }, ask)));
  const peerTimes: number[] = [];
  const ms = await median(BURSTS, async () => {
    peerTimes.push(await burst(direct));
    return await burst(through);
  });
  const alone = await median(RUNS, () => timed(through));
  const name = `gate, ${AT_ONCE} at once`;
  return [
    { name, ms, peer: "direct fetches", peerMs: middle(peerTimes), bound: 1.3 },
    { name: `${name}, each`, ms: ms / AT_ONCE, peer: "one alone", peerMs: alone, bound: 1 },
  ];
}

async function timed(work: Ask): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function middle(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1]!;
}

/** A server of pages: `/SIZE` is a page of so many bytes, `/SIZE/MS` one that takes so long. */
const PAGE_SERVER = `
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async ({ url }) => {
    const [size, ms] = new URL(url).pathname.split("/").slice(1).map(Number);
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
    return new Response(new Uint8Array(size), { headers: { "content-type": "text/plain" } });
  });
  self.postMessage(server.addr.port);
`;

/** Starts the server of pages. */
async function openServer(): Promise<{ port: number; end(): void }> {
  const source = `data:text/javascript,${encodeURIComponent(PAGE_SERVER)}`;
  const worker = new Worker(source, { type: "module" });
  const port = await new Promise<number>((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
  });
  return { port, end: () => worker.terminate() };
}
