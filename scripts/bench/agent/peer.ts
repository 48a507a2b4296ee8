import { join } from "@std/path";

import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import type { Ratio } from "../report.ts";
import { ModelServer } from "./model_server.ts";
import { makePlace, type Place, startAgent, timesOf } from "./rounds.ts";

const WARM_UP = 20;
const ROUNDS = 100;
/** Each program runs so often, by turns. */
const TURNS = 3;

/** What one run took, in milliseconds. */
interface RunTimes {
  /** From its start to its end. */
  wall: number;
  /** Its own time per round, the middle of all. */
  round: number;
}

/**
 * Measures an agent that reads a file a round against pi, the coding agent of the field, which does the same without walls
 * and without a record.
 *
 * @returns Why it was left out if pi is not installed
 */
export async function benchPeer(
  label: string,
  argv: readonly string[],
  { folder, searchPath }: { folder: string; searchPath: string },
): Promise<Ratio[] | string> {
  const pi = findProgram("pi", searchPath);
  if (pi === null) return "pi is not installed";
  const place = makePlace(folder);
  const all: [RunTimes[], RunTimes[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    all[0].push(await timeRun(place, "Read", (server) => startAgent(argv, place, server).ended));
    all[1].push(await timeRun(place, "read", (server) => runPi(pi, place, server)));
  }
  const middle = (of: (times: RunTimes) => number) =>
    all.map((runs) => runs.map(of).toSorted((a, b) => a - b)[TURNS >> 1]!);
  const [round = 0, piRound = 0] = middle((times) => times.round);
  const [wall = 0, piWall = 0] = middle((times) => times.wall);
  const name = `${label} agent, one Read a round`;
  return [
    { name: `${name}, its own time per round`, ms: round, peer: "pi", peerMs: piRound, bound: 0.6 },
    { name: `${name}, ${WARM_UP + ROUNDS} rounds`, ms: wall, peer: "pi", peerMs: piWall, bound: 0.5 },
  ];
}

async function timeRun(
  { files }: Place,
  tool: string,
  run: (server: ModelServer) => Promise<void>,
): Promise<RunTimes> {
  const rounds = WARM_UP + ROUNDS;
  await using server = new ModelServer((n) =>
    n === rounds ? null : [{ name: tool, arguments: { path: files[n % files.length] } }]
  );
  const started = performance.now();
  await run(server);
  return { wall: performance.now() - started, round: timesOf(server.gaps.slice(-ROUNDS)).median };
}

async function runPi(pi: string, { workspace, state }: Place, { url }: ModelServer): Promise<void> {
  const settings = join(state, "pi");
  Deno.mkdirSync(settings, { recursive: true });
  const bench = {
    ...{ baseUrl: url, api: "openai-completions", apiKey: "none" },
    models: [{ id: "bench", contextWindow: 10_000_000 }],
  };
  Deno.writeTextFileSync(join(settings, "models.json"), JSON.stringify({ providers: { bench } }));
  const { code, stderr } = await new Deno.Command(pi, {
    args: ["-p", "--model", "bench/bench", "--no-session", "Read the files"],
    cwd: workspace,
    env: { PI_CODING_AGENT_DIR: settings, PI_OFFLINE: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (code !== 0) throw new Error(`pi ended with ${code}: ${new TextDecoder().decode(stderr)}`);
}
