import type { Connection, NetRules } from "../../../schemas/net.ts";
import type { Bridge } from "./open_bridge.ts";
import { type BridgeParts, Bridges } from "./bridges.ts";
import { ClosedNetworks } from "./closed_networks.ts";

/** Time between two looks at the bridge of a running program, in milliseconds. */
const LOOK_MS = 5_000;

/** A door of the gate for one program. */
export interface ProgramDoor {
  /** Path of its socket. */
  path: string;
  /** What the bridge says first. */
  token: string;
  /** False once the gate has ended: a new door is needed. */
  readonly isOpen: boolean;
  /** Returns the connections since the last time. */
  take(call: null): Promise<readonly Connection[]>;
  /** Closes the socket and all its connections, and returns those that nobody asked for yet. */
  close(): Promise<readonly Connection[]>;
}

/** What the bridges of programs are made of. */
export interface ProgramBridgeParts extends BridgeParts {
  /** Opens a door of the gate for a program of this name. */
  door(who: string, rules?: NetRules): Promise<ProgramDoor>;
}

/** Makes the bridges of a run, whose programs each get a door of their own. Nothing starts before it is asked for. */
export function makeProgramBridges(parts: ProgramBridgeParts) {
  const bridges = new Bridges(parts);
  const closed = new ClosedNetworks(parts);
  return {
    expect: () => bridges.expect(),
    async take(who: string, rules?: NetRules) {
      bridges.expect();
      let door = await parts.door(who, rules);
      const bridge = await takeLed(bridges, door).catch(async (error) => {
        await door.close();
        throw error;
      });
      // One that was stopped is ended, so that what goes through it fails instead of waiting.
      const looking = setInterval(() => {
        if (bridge.isAlive) bridge.lead(door).catch(() => {});
      }, LOOK_MS);
      Deno.unrefTimer(looking);
      return {
        pid: bridge.pid,
        get isWhole() {
          return bridge.isAlive && door.isOpen;
        },
        async connections(): Promise<readonly Connection[]> {
          const made = await door.take(null);
          // If the gate ended, there is a new one: a terminal goes on with that.
          if (!door.isOpen && bridge.isAlive) {
            door = await parts.door(who, rules);
            await bridge.lead(door);
          }
          return made;
        },
        async end({ clean }: { clean: boolean }) {
          clearInterval(looking);
          // A bridge that was just killed may not be seen to have ended yet.
          const isWhole = door.isOpen && await bridge.lead(door).then(() => true, () => false);
          const connections = await door.close();
          await bridges.give(bridge, { reuse: clean });
          return { connections, isWhole };
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
    await waiting.lead(door);
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
