import type { Journal } from "./journal.ts";
import type { Launch } from "../launch/launch.ts";
import type { OrphanReaper } from "../watch/orphan_reaper.ts";
import type { RunningLooks } from "../watch/running_looks.ts";
import type { ProgramWatch, Watchdog } from "../watch/watchdog.ts";

/** What watches over programs. */
export interface Supervisors {
  watchdog: Watchdog;
  reaper: OrphanReaper;
  journal: Journal;
  looks: RunningLooks;
}

/** The watch over one program, from before its start until it was looked at what it left. */
export interface Supervision {
  readonly watch: ProgramWatch;
  /** Returns what was found since the last time, as lines for the user. */
  take(): string[];
  /** Looks at what the program left. Must be called once it has ended, or could not start. */
  finish(): Promise<string[]>;
}

/** Settles when a program may start. */
export async function supervise(launch: Launch, supervisors: Supervisors): Promise<Supervision> {
  const { watchdog, reaper, journal, looks } = supervisors;
  const mark = reaper.mark();
  const record = journal.open(mark, launch.after);
  const [watch] = await Promise.all([watchdog.ready(launch, mark), reaper.ready]).catch((error) => {
    record.close();
    throw error;
  });
  const running = launch.after === null ? null : looks.add(launch);
  const warnings = record.warning === null ? [] : [record.warning];
  const take = () => [...warnings.splice(0), ...running?.take() ?? []];
  return {
    watch,
    take,
    async finish() {
      await watch.end();
      const found = [
        ...warnings.splice(0),
        ...await running?.stop() ?? [],
        ...await launch.inspect(),
        ...watch.advice(),
      ];
      // If the look failed, a later run tries again.
      record.close();
      return found;
    },
  };
}
