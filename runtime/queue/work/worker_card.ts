import { missingGrant } from "../../rooms/missing_grant.ts";
import type { CallMachines } from "../../server/calls/call_machines.ts";
import { describeServer } from "../../server/calls/info_handlers.ts";
import type { Served } from "../../server/contract/served.ts";
import { VERSION } from "../../self/version.ts";
import type { WorkerCard } from "../orders/orders.ts";
import { digestOf } from "../orders/read_orders.ts";

/** What of a card stays as it is. */
export type CardFacts = Omit<WorkerCard, "busy" | "done" | "failed" | "isLeaving">;

/** How long a lane's name is, in characters. */
const LANE_LENGTH = 16;

/**
 * Says what a worker offers: the tools that its grants are enough for and that nobody must be asked about. Workers that offer
 * the same, with the same grants, share a lane. Needs `read`, and `sys` for the name of the machine.
 */
export async function cardFacts(
  served: Served,
  machines: CallMachines,
  { places, signal }: { places: number; signal: AbortSignal },
): Promise<CardFacts> {
  const { agents, models } = await describeServer(served, machines, signal);
  return await machines.use({}, signal, async (host, { entries }) => {
    const { control, grants } = host;
    const hasSandbox = await host.box.isUsed();
    const tools = entries.map(({ tool }) => tool).filter((tool) =>
      missingGrant(tool, host, hasSandbox) === null &&
      !control.permissions(tool).some((permission) => permission === "deny" || permission === "confirm")
    ).map(({ full_name: name, parallel }) => ({ name, parallel }));
    const offer = {
      ...{ version: VERSION, policy: grants.commands.name, hasSandbox, tools },
      agents: models.length === 0 ? [] : agents.map(({ name }) => name),
      models: [...models],
    };
    const machine = Deno.hostname();
    return {
      v: 1,
      worker: `${machine.replace(/[^\w-]/g, "-").slice(0, 40)}-${Deno.pid}-${
        crypto.randomUUID().slice(0, 8)
      }`,
      lane: (await digestOf([offer, served.host.grants])).slice(0, LANE_LENGTH),
      ...offer,
      host: machine,
      pid: Deno.pid,
      started: new Date().toISOString(),
      grants: grantWords(host.grants.allow),
      places,
    };
  });
}

/** The kinds of access that are granted, with how much. */
function grantWords(allow: Readonly<Record<string, true | readonly string[]>>): string[] {
  return Object.entries(allow).flatMap(([kind, scope]) => {
    if (scope === true) return [kind];
    return scope.length === 0 ? [] : [`${kind}=${scope.join(",")}`.slice(0, 1_000)];
  });
}
