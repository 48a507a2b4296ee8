import { ToolError } from "../../../schemas/error.ts";
import type { NetRules } from "../../../schemas/net.ts";
import type { GateDoor } from "../../net/open_gate.ts";
import type { ProgramWay } from "../../programs/network/program_network.ts";

/** Opens a door of the gate on a port of this machine, for a program of this name. */
export type OpenPort = (
  who: string,
  rules: NetRules,
) => Promise<Omit<GateDoor, "path" | "token" | "greeting">>;

/**
 * Returns the way of one program whose walls can lead it to a single port of this machine.
 *
 * @throws {ToolError} `internal` if the door has no port; what `open` throws
 */
export async function takePort(open: OpenPort, who: string, rules: NetRules): Promise<ProgramWay> {
  const door = await open(who, rules);
  const { loopback: port } = door;
  if (port === undefined) {
    await door.close();
    throw new ToolError("internal", "The gate has no port on this machine");
  }
  return {
    ...{ pid: null, port },
    get isWhole() {
      return door.isOpen;
    },
    connections: () => door.take(null),
    admit: () => Promise.reject(noOther()),
    async end() {
      const isWhole = door.isOpen;
      return { connections: await door.close(), isWhole };
    },
  };
}

/** A network of the machine itself cannot be shared by some of its programs alone. */
export function noOther(): ToolError {
  return new ToolError(
    "unavailable",
    "A program behind these walls has no network of its own: that takes bubblewrap",
  );
}
