import { fromFileUrl } from "@std/path";

import { OUTER_PERMISSIONS } from "../../../runtime/self/find_self.ts";
import { readLines } from "../../../runtime/text/lines.ts";
import type { Ratio } from "../report.ts";
import { embeddedRead } from "./bare_server.ts";
import { startServer } from "./started_server.ts";

const ROUNDS = 6;
const CALLS_A_ROUND = 100;

/**
 * Measures one call of a tool over HTTP against the same call of a program that embeds this one, and of one that does so
 * behind a bare server; by turns, so that all meet the same machine.
 *
 * @param file Absolute path of a small file in `folder`
 */
export async function benchServe(
  label: string,
  argv: readonly string[],
  { folder, file }: { folder: string; file: string },
): Promise<Ratio[]> {
  await using server = await startServer(argv, folder);
  await using bare = await startBare(folder);
  await using embedded = embeddedRead(folder);
  const input = { path: file };
  const ask = async (url: string, token: string) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ arguments: input });
    const response = await fetch(url, { method: "POST", headers, body });
    return await response.json() as { ok: boolean };
  };
  const [served, called, barely] = await byTurns([
    () => ask(`${server.address}/tools/Read`, server.token),
    () => embedded.read(input),
    () => ask(bare.address, ""),
  ]);
  const name = `${label} serve, call Read`;
  return [
    { name, ms: served!, peer: "the same call embedded", peerMs: called!, bound: 1.5 },
    { name, ms: served!, peer: "the same call behind a bare server", peerMs: barely!, bound: 1.5 },
  ];
}

/** Returns the middle time of each kind of call, in milliseconds. */
async function byTurns(kinds: readonly (() => Promise<{ ok: boolean }>)[]): Promise<number[]> {
  const times = kinds.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, call] of kinds.entries()) {
      for (let n = 0; n < CALLS_A_ROUND; n++) {
        const started = performance.now();
        if (!(await call()).ok) throw new Error(`call ${at} failed`);
        // The first round warms up.
        if (round > 0) times[at]!.push(performance.now() - started);
      }
    }
  }
  return times.map((some) => some.toSorted((a, b) => a - b)[some.length >> 1]!);
}

async function startBare(folder: string): Promise<{ address: string } & AsyncDisposable> {
  const script = fromFileUrl(new URL("bare_server.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...OUTER_PERMISSIONS, "--unstable-worker-options", script, folder],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const end = async () => {
    child.kill("SIGTERM");
    await child.status;
  };
  for await (const port of readLines(child.stdout)) {
    return { address: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: end };
  }
  throw new Error("the bare server did not start");
}
