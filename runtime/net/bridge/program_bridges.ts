import type { NetRules } from "../../../schemas/net.ts";
import type { Bridge } from "./open_bridge.ts";
import { type BridgeParts, Bridges } from "./bridges.ts";
import { ChangingDoor, type ProgramDoor } from "./changing_door.ts";
import { ClosedNetworks } from "./closed_networks.ts";

/** Time between two looks at the bridge of a running program, in milliseconds. */
const LOOK_MS = 5_000;
/** Longest time until a bridge that waited answers, in milliseconds: if it was stopped, another one starts sooner. */
const WAITING_MS = 2_000;

/** What the bridges of programs are made of. */
export interface ProgramBridgeParts extends BridgeParts {
  /** Opens a door of the gate for a program of this name, which may reach the host `also`, such as `127.0.0.1:80`. */
  door(who: string, rules?: NetRules, also?: string): Promise<ProgramDoor>;
}

/** Makes the bridges of a run, whose programs each get a door of their own. Nothing starts before it is asked for. */
export function makeProgramBridges(parts: ProgramBridgeParts) {
  const bridges = new Bridges(parts);
  const closed = new ClosedNetworks(parts);
  return {
    expect: () => bridges.expect(),
    async take(who: string, rules?: NetRules) {
      bridges.expect();
      const first = await parts.door(who, rules);
      const bridge = await takeLed(bridges, first).catch(async (error) => {
        await first.close();
        throw error;
      });
      const door = new ChangingDoor(bridge, first, (also) => parts.door(who, rules, also));
      // One that was stopped is ended, so that what goes through it fails instead of waiting.
      const looking = setInterval(() => door.look(), LOOK_MS);
      Deno.unrefTimer(looking);
      return {
        pid: bridge.pid,
        get isWhole() {
          return door.isWhole;
        },
        connections: () => door.connections(),
        admit: (host: string, options: { until: Promise<unknown> }) => door.admit(host, options),
        async end({ clean }: { clean: boolean }) {
          clearInterval(looking);
          const end = await door.end();
          await bridges.give(bridge, { reuse: clean });
          return end;
        },
      };
    },
    takeClosed: () => closed.take(),
    end: async () => void await Promise.all([bridges.end(), closed.end()]),
  };
}

/** Takes a bridge to a door. One that does not answer any more is replaced: somebody may have ended or stopped it. */
async function takeLed(bridges: Bridges, door: ProgramDoor): Promise<Bridge> {
  const waiting = await bridges.take();
  try {
    await waiting.lead(door, WAITING_MS);
    return waiting;
  } catch {
    await bridges.give(waiting, { reuse: false });
  }
  const fresh = await bridges.start();
  try {
    await fresh.lead(door);
    return fresh;
  } catch (error) {
    await bridges.give(fresh, { reuse: false });
    throw error;
  }
}
