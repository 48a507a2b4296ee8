import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { McpClient } from "./client.ts";

const ROUNDS = 10;
const CALLS_A_ROUND = 100;
/** Most that a wrapped server's call may take longer, in milliseconds. */
const BOUND_MS = 0.5;

/**
 * Measures what `mcp wrap` adds to a call of the field's server of files, by turns with the same server without it.
 *
 * @param file Absolute path of a small file in `folder`
 * @returns A line of the report
 */
export async function benchWrap(
  label: string,
  argv: readonly string[],
  { folder, file, searchPath }: { folder: string; file: string; searchPath: string },
): Promise<string> {
  const program = findProgram("mcp-server-filesystem", searchPath);
  if (program === null) return `${label} mcp wrap: skipped, mcp-server-filesystem is missing`;
  const bare = [program, folder];
  const state = ["/usr/bin/env", `XDG_STATE_HOME=${folder}/state`];
  const wrapped = [
    ...state,
    ...argv,
    "mcp",
    "wrap",
    "bench",
    `--allow-read=${folder}`,
    "--quiet",
    "--",
    ...bare,
  ];
  const clients = { wrapped: new McpClient(wrapped), bare: new McpClient(bare) };
  const times: Record<keyof typeof clients, number[]> = { wrapped: [], bare: [] };
  for (const client of Object.values(clients)) await client.connect();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const who of ["wrapped", "bare"] as const) {
      for (let n = 0; n < CALLS_A_ROUND; n++) {
        const ms = await clients[who].call("read_text_file", { path: file });
        // The first round warms up.
        if (round > 0) times[who].push(ms);
      }
    }
  }
  for (const client of Object.values(clients)) await client.close();
  const [own, peer] = [middle(times.wrapped), middle(times.bare)];
  const verdict = own - peer <= BOUND_MS ? "ok  " : "OVER";
  const figures = `${own.toFixed(2)} ms / ${peer.toFixed(2)} ms`;
  return `${verdict} +${
    (own - peer).toFixed(2)
  } ms (≤ ${BOUND_MS})  ${label} mcp wrap, a call: ${figures} without it`;
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
