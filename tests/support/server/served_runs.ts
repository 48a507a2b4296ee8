import manifest from "../../../tools/manifest.json" with { type: "json" };

import type { Manifest } from "../../../schemas/manifest.ts";
import { openRuns } from "../../../runtime/server/runs/open_runs.ts";
import type { NumberedEvent, Runs } from "../../../runtime/server/runs/runs.ts";
import type { Served } from "../../../runtime/server/contract/served.ts";
import { agentEnv } from "../own_model.ts";
import type { Workspace } from "../run_tool.ts";

/** What a server of a test offers: a workspace of the test, without the box, with a model on this machine. */
export function servedIn(
  ws: Pick<Workspace, "path" | "at">,
  url: string,
  { host, ...rest }: Partial<Omit<Served, "host">> & { host?: Partial<Served["host"]> } = {},
): Served {
  return {
    host: {
      grants: {},
      programs: {},
      places: {
        workspace: ws.at("ws"),
        cwd: ws.at("ws"),
        mainUrl: new URL("../../../main.ts", import.meta.url).href,
        sandbox: "off",
      },
      limits: {},
      control: {},
      env: agentEnv(ws),
      config: false,
      warn() {},
      ...host,
    },
    manifest: manifest as unknown as Manifest,
    tools: {},
    model: { name: "m", baseUrl: url, apiKey: "secret-key-1" },
    limits: {},
    agent: {},
    roots: [Deno.realPathSync(ws.at("ws"))],
    maxRuns: 2,
    stopOnDisconnect: false,
    ...rest,
  };
}

export function servedRuns(...given: Parameters<typeof servedIn>): Runs {
  return openRuns(servedIn(...given));
}

/** Returns all events of a run behind a number, once it is over. */
export async function eventsOf(runs: Runs, id: string, after = 0): Promise<NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  for await (const some of await runs.follow(id, after) ?? []) events.push(...some);
  return events;
}
