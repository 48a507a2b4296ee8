import { join } from "@std/path";

import { treeMemory } from "../measure.ts";
import { ModelServer, type ServedCall } from "./model_server.ts";

const WARM_UP = 20;
const ROUNDS = 100;
const CALLS = 20;
const LONG_RUN = 1_000;
/** Rounds before memory is first measured, and between two measurements. */
const MEMORY_FROM = 200;
const MEMORY_STEP = 50;
/** Rounds after which the trace is measured. */
const TRACE_AT = [LONG_RUN / 4, LONG_RUN / 2, LONG_RUN];

/**
 * Measures the agent's own time per round and per tool call, and its memory and its trace over a long run, on a model
 * that answers at once. Returns lines of the report.
 */
export async function benchAgent(label: string, argv: readonly string[], folder: string): Promise<string[]> {
  const place = makePlace(folder);
  const one = await ownTimes(argv, place, { calls: 1 });
  const many = await ownTimes(argv, place, { calls: CALLS });
  const further = (many.median - one.median) / (CALLS - 1);
  const long = renderLongRun(await longRun(argv, place));
  return [
    `one Read a round: ${renderTimes(one)} of its own per round`,
    `${CALLS} Reads a round: ${renderTimes(many)} of its own per round, ${
      further.toFixed(2)
    } ms per further call`,
    ...long.map((line) => `${LONG_RUN} rounds: ${line}`),
  ].map((line) => `${label} agent, ${line}`);
}

/** What an agent runs with. */
export interface Place {
  workspace: string;
  files: string[];
  config: string;
  state: string;
}

/** Makes what an agent runs with. */
export function makePlace(folder: string): Place {
  const root = Deno.makeTempDirSync({ dir: folder, prefix: "agent-" });
  const workspace = join(root, "workspace");
  Deno.mkdirSync(workspace);
  const files = Array.from({ length: CALLS }, (_, n) => join(workspace, `file_${n}.txt`));
  for (const file of files) Deno.writeTextFileSync(file, "one small file\n");
  const config = join(root, "config.json");
  // The window is so large that no summary is made.
  Deno.writeTextFileSync(config, JSON.stringify({ models: { bench: { context_tokens: 10_000_000 } } }));
  return { workspace, files, config, state: join(root, "state") };
}

/** Milliseconds. */
export interface Times {
  median: number;
  p95: number;
}

/** Measures rounds with this many calls, without the model's time. */
async function ownTimes(
  argv: readonly string[],
  place: Place,
  { calls }: { calls: number },
): Promise<Times> {
  const rounds = WARM_UP + ROUNDS;
  await using server = new ModelServer((n) => n === rounds ? null : readsOf(place, n, { calls }));
  await startAgent(argv, place, server).ended;
  return timesOf(server.gaps.slice(-ROUNDS));
}

/** The middle and the end of what was measured. */
export function timesOf(gaps: readonly number[]): Times {
  const sorted = gaps.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!;
  return { median: at(0.5), p95: at(0.95) };
}

/** Never gives the same call twice in a row: that would end the run. */
function readsOf({ files }: Place, n: number, { calls }: { calls: number }): ServedCall[] {
  return Array.from({ length: calls }, (_, call) => {
    const path = files[(n * calls + call) % files.length];
    return { name: "Read", arguments: { path } };
  });
}

/** A value in MB after a number of rounds. */
type Point = readonly [rounds: number, mb: number];

interface LongRun {
  memory: Point[];
  /** Sizes of the requests. */
  requests: Point[];
  /** Sizes in bytes. */
  traces: number[];
  gaps: readonly number[];
}

async function longRun(argv: readonly string[], place: Place): Promise<LongRun> {
  const seen: LongRun = { memory: [], requests: [], traces: [], gaps: [] };
  const others = new Set(tracesIn(place));
  await using server = new ModelServer(async (n) => {
    if (n >= MEMORY_FROM && n % MEMORY_STEP === 0) {
      seen.memory.push([n, await treeMemory(running.pid)]);
      seen.requests.push([n, server.lastBytes / 1e6]);
    }
    if (TRACE_AT.includes(n)) {
      seen.traces.push(...tracesIn(place).filter((path) => !others.has(path)).map(sizeOf));
    }
    return n === LONG_RUN ? null : readsOf(place, n, { calls: 1 });
  });
  const running = startAgent(argv, place, server);
  await running.ended;
  return { ...seen, gaps: server.gaps };
}

function tracesIn({ state }: Place): string[] {
  const sessions = join(state, "bulkhead", "sessions");
  return [...Deno.readDirSync(sessions)].map(({ name }) => join(sessions, name, "trace.jsonl"));
}

function sizeOf(path: string): number {
  return Deno.statSync(path).size;
}

function renderLongRun({ memory, requests, traces, gaps }: LongRun): string[] {
  const [first, last] = [memory[0]!, memory.at(-1)!].map(([, mb]) => mb.toFixed(0));
  const early = timesOf(gaps.slice(WARM_UP, WARM_UP + ROUNDS));
  const late = timesOf(gaps.slice(-ROUNDS));
  const [quarter = 0, half = 0, whole = 0] = traces;
  const ratio = (whole - half) / (half - quarter);
  const sizes = traces.map((bytes) => (bytes / 1e3).toFixed(0)).join(", ");
  return [
    `memory from ${first} to ${last} MB after the first ${MEMORY_FROM}, slope ${
      per100(memory)
    } MB per 100 rounds ` +
    `(the conversation's: ${per100(requests)} MB)`,
    `trace of ${sizes} kB after ${TRACE_AT.join(", ")}, the second half is ${
      ratio.toFixed(2)
    } × the second quarter`,
    `${renderTimes(early)} of its own per round at the beginning, ${renderTimes(late)} at the end`,
  ];
}

function renderTimes({ median, p95 }: Times): string {
  return `${median.toFixed(1)} ms (p95 ${p95.toFixed(1)} ms)`;
}

/** The growth of values by least squares. */
function per100(points: readonly Point[]): string {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([rounds]) => rounds));
  const y = mean(points.map(([, mb]) => mb));
  const covariance = mean(points.map(([rounds, mb]) => (rounds - x) * (mb - y)));
  const slope = covariance / mean(points.map(([rounds]) => (rounds - x) ** 2));
  return (slope * 100).toFixed(2);
}

/** Starts an agent that asks a server, with further words of its command. */
export function startAgent(
  argv: readonly string[],
  { workspace, config, state }: Place,
  { url }: ModelServer,
  words: readonly string[] = [],
): { pid: number; ended: Promise<void> } {
  const child = new Deno.Command(argv[0]!, {
    args: [
      ...[...argv.slice(1), "run", "Read the files", "-C", workspace, `--config=${config}`],
      ...["--model=bench", `--base-url=${url}`, "--max-rounds=10000", "--max-calls=100000"],
      ...words,
    ],
    env: { XDG_STATE_HOME: state, OPENAI_API_KEY: "none" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const ended = child.output().then(({ code, stderr }) => {
    if (code !== 0) throw new Error(`the agent ended with ${code}: ${new TextDecoder().decode(stderr)}`);
  });
  return { pid: child.pid, ended };
}
