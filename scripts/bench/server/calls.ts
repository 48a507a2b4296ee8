import manifestJson from "../../../tools/manifest.json" with { type: "json" };
import { callTool } from "../../../runtime/calls/call_tool.ts";
import { findTool } from "../../../runtime/calls/catalog/find_tool.ts";
import { openHost } from "../../../runtime/host/open_host.ts";
import { runnerSettings } from "../../../runtime/host/runner_settings.ts";
import { MAIN_URL } from "../../../runtime/self/entry_urls.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { readLines } from "../../../runtime/text/lines.ts";
import type { Ratio } from "../report.ts";

const ROUNDS = 6;
const CALLS_A_ROUND = 100;

/** A server that was started, and how a client asks it. */
interface Started {
  /** Its address, without a slash at the end. */
  address: string;
  token: string;
  child: Deno.ChildProcess;
}

/**
 * Measures one call of a tool over HTTP against the same call of a program that embeds this one, by turns, so that both
 * meet the same machine.
 *
 * @param file Absolute path of a small file in `folder`
 */
export async function benchServe(
  label: string,
  argv: readonly string[],
  { folder, file }: { folder: string; file: string },
): Promise<Ratio[]> {
  const { address, token, child } = await startServer([...argv, "serve", "--port", "0", "-C", folder]);
  const manifest = manifestJson as Manifest;
  await using host = openHost(runnerSettings({ workspace: folder }, manifest, MAIN_URL), { manifest });
  const read = findTool(host.catalog, "Read");
  const body = JSON.stringify({ arguments: { path: file } });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = {
    async served() {
      const response = await fetch(`${address}/tools/Read`, { method: "POST", headers, body });
      return ((await response.json()) as { ok: boolean }).ok;
    },
    embedded: async () => (await callTool(read, { path: file }, { machine: host })).ok,
  };
  const times = { served: [] as number[], embedded: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const who of ["served", "embedded"] as const) {
      for (let n = 0; n < CALLS_A_ROUND; n++) {
        const started = performance.now();
        if (!await call[who]()) throw new Error(`a call failed: ${who}`);
        // The first round warms up.
        if (round > 0) times[who].push(performance.now() - started);
      }
    }
  }
  child.kill("SIGTERM");
  await child.status;
  return [{
    name: `${label} serve, call Read`,
    ms: middle(times.served),
    peer: "the same call embedded",
    peerMs: middle(times.embedded),
    bound: 1.5,
  }];
}

async function startServer(argv: readonly string[]): Promise<Started> {
  const child = new Deno.Command(argv[0]!, {
    args: argv.slice(1),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  })
    .spawn();
  for await (const line of readLines(child.stderr)) {
    const [, address, token] = /serving on (\S+)\/\?token=(\S+)/.exec(line) ?? [];
    if (address !== undefined && token !== undefined) return { address, token, child };
  }
  throw new Error("the server did not start");
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
