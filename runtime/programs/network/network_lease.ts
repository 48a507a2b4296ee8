import type { Connection } from "../../../schemas/net.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import type { ProgramNetwork, ProgramWay } from "./program_network.ts";

/** The network of one program, from before its start until its end. */
export interface NetworkLease {
  /** The process whose network the program's box joins; `null` if it has a network without any way out. */
  readonly joins: number | null;
  /** The port of this machine that leads a program under a profile of macOS to the gate; `null` if there is none. */
  readonly port: number | null;
  /** As {@linkcode ProgramWay.admit}. */
  admit: ProgramWay["admit"];
  /** Says that the box is ended by force: then it may still be dying when its end is told. */
  spoil(): void;
  /** Returns what was refused or not reached since the last time, as lines for the user, each once in a call. */
  look(): Promise<string[]>;
  /** Ends a call: returns the connections that were heard of since the last time, for the audit. */
  take(): readonly Connection[];
  /** Gives the network back. Must be called once the program has ended, or could not start. */
  end(): Promise<string[]>;
}

/** A program without a way to the network. */
export const NO_LEASE: NetworkLease = {
  joins: null,
  port: null,
  admit: () => Promise.resolve(),
  spoil: () => {},
  look: () => Promise.resolve([]),
  take: () => [],
  end: () => Promise.resolve([]),
};

/** Most lines about one program in one call. */
const MOST_LINES = 10;

/** Takes a way to the network for one program; a program without one is still started, with a warning. */
export async function leaseNetwork(
  network: Omit<ProgramNetwork, "takeClosed">,
  who: string,
): Promise<NetworkLease> {
  let way: ProgramWay;
  try {
    way = await network.take(who);
  } catch (error) {
    const lines = [`${who} has no network: ${messageOf(error)}`];
    const look = () => Promise.resolve(lines.splice(0));
    return { ...NO_LEASE, look, end: look };
  }
  const heard: Connection[] = [];
  const told = new Set<string>();
  let clean = true;
  const fresh = (connections: readonly Connection[]) => {
    const lines = connections.flatMap((one) => lineAbout(one) ?? []).filter((line) => !told.has(line));
    const room = Math.max(0, MOST_LINES - told.size);
    const all = [...new Set(lines)];
    for (const line of all) told.add(line);
    const more = all.length - room;
    return more > 0 ? [...all.slice(0, room), `network: ${more} more like these`] : all;
  };
  let isBroken = false;
  const broken = (isWhole: boolean) => {
    if (isWhole || isBroken) return [];
    isBroken = true;
    return [`network: the way of ${who} to the network broke off; the next program has a new one`];
  };
  const safely = async (asked: Promise<readonly Connection[]>) => {
    try {
      const connections = await asked;
      heard.push(...connections);
      return fresh(connections);
    } catch (error) {
      return [`network: what ${who} connected to is not known: ${messageOf(error)}`];
    }
  };
  return {
    joins: way.pid,
    port: way.port ?? null,
    admit: way.admit,
    spoil: () => void (clean = false),
    look: async () => [...broken(way.isWhole), ...await safely(way.connections())],
    take() {
      // The next call is told anew.
      told.clear();
      return heard.splice(0);
    },
    async end() {
      let isWhole = true;
      const ended = way.end({ clean }).then((end) => {
        ({ isWhole } = end);
        return end.connections;
      });
      const lines = await safely(ended);
      return [...broken(isWhole), ...lines];
    },
  };
}

/** What is told of a connection, `null` for nothing: one that carried something is the program's own matter. */
function lineAbout(connection: Connection): string | null {
  const { decision, host, port, rule, sentBytes, receivedBytes } = connection;
  if (decision === "refused") return refusalLine(connection);
  if (decision === "allowed" || sentBytes + receivedBytes > 0) return null;
  return `network: ${hostAndPort(host.replace(/^\[|\]$/g, ""), port)} was not reached: ${rule}`;
}

function refusalLine({ host, port, reason, rule, flag }: Connection): string {
  const why = reason === "denied" ? `it is denied by --deny-net or the configuration (${rule})` : rule;
  const help = flag === undefined ? "" : `, pass ${flag} to grant it`;
  return `network: ${hostAndPort(host.replace(/^\[|\]$/g, ""), port)} was refused: ${why}${help}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
