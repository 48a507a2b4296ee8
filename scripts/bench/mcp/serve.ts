import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { treeMemory } from "../measure.ts";
import type { Ratio } from "../report.ts";
import { McpClient } from "./client.ts";

const STARTS = 9;
const ROUNDS = 10;
const CALLS_A_ROUND = 100;
const MANY = 10_000;

/** What serving tools costs. */
export interface McpBench {
  ratios: Ratio[];
  /** Growth of memory over the last nine tenths of ten thousand calls, in MB. */
  grown: number;
}

/**
 * Measures `mcp serve` against the field's own server of files on Node, by turns, so that both meet the same machine:
 * the time until a client is answered, and one small file read. Returns the reason if that server cannot be measured.
 *
 * @param file Absolute path of a small file in `folder`
 */
export async function benchMcp(
  label: string,
  argv: readonly string[],
  { folder, file, searchPath }: { folder: string; file: string; searchPath: string },
): Promise<McpBench | string> {
  const program = findProgram("mcp-server-filesystem", searchPath);
  if (program === null) {
    return "mcp-server-filesystem is missing: npm install --global @modelcontextprotocol/server-filesystem";
  }
  const commands = { own: [...argv, "mcp", "serve", "-C", folder, "--quiet"], peer: [program, folder] };
  const starts: Record<keyof typeof commands, number[]> = { own: [], peer: [] };
  for (let run = 0; run < STARTS; run++) {
    for (const who of ["own", "peer"] as const) {
      const client = new McpClient(commands[who]);
      starts[who].push(await client.connect());
      await client.close();
    }
  }
  const own = new McpClient(commands.own);
  const peer = new McpClient(commands.peer);
  await own.connect();
  await peer.connect();
  const calls: typeof starts = { own: [], peer: [] };
  const read = {
    own: () => own.call("Read", { path: file }),
    peer: () => peer.call("read_text_file", { path: file }),
  };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const who of ["own", "peer"] as const) {
      for (let n = 0; n < CALLS_A_ROUND; n++) {
        const ms = await read[who]();
        // The first round warms up.
        if (round > 0) calls[who].push(ms);
      }
    }
  }
  await peer.close();
  for (let n = 0; n < MANY / 10; n++) await read.own();
  const before = await treeMemory(own.pid);
  for (let n = 0; n < MANY - MANY / 10; n++) await read.own();
  const grown = await treeMemory(own.pid) - before;
  await own.close();
  const against = (name: string, times: typeof starts, bound: number): Ratio => ({
    name: `${label} mcp serve, ${name}`,
    ms: middle(times.own),
    peer: "server-filesystem on Node",
    peerMs: middle(times.peer),
    bound,
  });
  return { ratios: [against("connect", starts, 0.3), against("call Read", calls, 1)], grown };
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
