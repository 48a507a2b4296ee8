import { findProgram } from "../../runtime/walls/files/find_program.ts";
import type { Ratio } from "./report.ts";

const RUNS = 15;

/**
 * Measures `exec -- true` against `srt -- true`, the sandbox runner of `npm:@anthropic-ai/sandbox-runtime`, by turns, so
 * that both meet the same machine. Returns the reason if that runner cannot be measured.
 */
export async function benchExec(
  label: string,
  argv: readonly string[],
  { folder, searchPath }: { folder: string; searchPath: string },
): Promise<Ratio[] | string> {
  const srt = findProgram("srt", searchPath);
  if (srt === null) return "srt is not installed: npm install --global @anthropic-ai/sandbox-runtime";
  const own = [...argv, "exec", "--sandbox", "require", "-C", folder, "--", "true"];
  const peer = [srt, "--", "true"];
  const failure = await failureOf(peer, folder);
  if (failure !== null) return `srt does not work here: ${failure}`;
  const times: { own: number[]; peer: number[] } = { own: [], peer: [] };
  for (let run = 0; run < RUNS; run++) {
    times.own.push(await timeOf(own, folder));
    times.peer.push(await timeOf(peer, folder));
  }
  const [ms, peerMs] = [middle(times.own), middle(times.peer)];
  return [{ name: `${label} exec true, box`, ms, peer: "srt true", peerMs, bound: 1 }];
}

async function timeOf(argv: readonly string[], cwd: string): Promise<number> {
  const started = performance.now();
  const failure = await failureOf(argv, cwd);
  if (failure !== null) throw new Error(`${argv.join(" ")} failed: ${failure}`);
  return performance.now() - started;
}

/** Runs a command to its end; `null` if it succeeded. */
async function failureOf([program, ...args]: readonly string[], cwd: string): Promise<string | null> {
  const { success, code, stderr } = await new Deno.Command(program!, {
    args,
    cwd,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return null;
  return new TextDecoder().decode(stderr).trim().split("\n")[0] || `it ended with ${code}`;
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
