import type { Journal } from "./journal.ts";
import { makeScratch } from "../box/make_scratch.ts";
import { boxStart, type Launch, scratchFolder } from "../launch/launch.ts";
import { leaseNetwork, type NetworkLease, NO_LEASE } from "../network/network_lease.ts";
import type { ProgramNetwork } from "../network/program_network.ts";
import type { OrphanReaper } from "../watch/orphan_reaper.ts";
import type { RunningLooks } from "../watch/running_looks.ts";
import type { ProgramWatch, Watchdog } from "../watch/watchdog.ts";

/** What watches over programs. */
export interface Supervisors {
  watchdog: Watchdog;
  reaper: OrphanReaper;
  journal: Journal;
  looks: RunningLooks;
  /** `null` where programs in boxes reach no network. */
  network: ProgramNetwork | null;
}

/** The watch over one program, from before its start until it was looked at what it left. */
export interface Supervision {
  readonly watch: ProgramWatch;
  /** The network of its box. */
  readonly network: NetworkLease;
  /** Returns what was found since the last time, as lines for the user. */
  take(): string[];
  /** Looks at what the program left. Must be called once it has ended, or could not start. */
  finish(): Promise<string[]>;
}

/** Settles when a program may start. */
export async function supervise(launch: Launch, supervisors: Supervisors): Promise<Supervision> {
  const { watchdog, reaper, journal, looks } = supervisors;
  const box = boxStart(launch);
  const scratch = scratchFolder(launch);
  const way = box?.way ?? supervisors.network;
  const mark = reaper.mark();
  const record = journal.open(mark, launch.after);
  const who = (box ?? scratch)?.who;
  const leased = who !== undefined && way ? leaseNetwork(way, who) : Promise.resolve(NO_LEASE);
  const [watch] = await Promise.all([watchdog.ready(launch, mark), reaper.ready]).catch(async (error) => {
    record.close();
    await (await leased).end();
    throw error;
  });
  const network = await leased;
  const removeScratch = scratch &&
    await makeScratch(scratch, (path) => reaper.makeFolder(path)).catch(async (error) => {
      record.close();
      await Promise.all([watch.end(), network.end()]);
      throw error;
    });
  const running = launch.after === null ? null : looks.add(launch);
  const warnings = record.warning === null ? [] : [record.warning];
  const take = () => [...warnings.splice(0), ...running?.take() ?? []];
  return {
    watch,
    network,
    take,
    async finish() {
      await watch.end();
      const ended = network.end();
      const looked = [...await running?.stop() ?? [], ...await launch.inspect()];
      const left = await removeScratch?.() ?? null;
      const found = [
        ...warnings.splice(0),
        ...await ended,
        ...looked,
        ...watch.advice(),
        ...left === null ? [] : [left],
      ];
      // If the look failed, a later run tries again.
      record.close();
      return found;
    },
  };
}
