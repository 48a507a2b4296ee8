import type { ProgramLimits } from "../../../schemas/config.ts";
import type { FreeBytes } from "../watch/disk_watch.ts";
import type { ProgramHost } from "./program_host.ts";
import type { Launcher } from "../launch/launch.ts";
import type { KeepFile } from "../output/kept_output.ts";
import { runToEnd, type RunTools } from "./run_to_end.ts";
import { OpenPrograms, type SessionLimits } from "./open_programs.ts";
import { findSystemPrograms } from "./system_programs.ts";
import { Warden } from "../watch/orphan_reaper.ts";
import { Watchdog } from "../watch/watchdog.ts";

/** What a program host is made of. */
export interface ProgramHostOptions {
  launcher: Launcher;
  limits: Pick<ProgramLimits, "processes" | "free_disk_mb">;
  /** Folders of programs, as in `PATH`: where helpers of the system are found. */
  searchPath: string;
  /** Opens a file for output that is to be kept. @default none is kept */
  keepFile?: KeepFile;
  /** @default 32 sessions, 30 minutes */
  sessions?: Partial<SessionLimits>;
  /** Holds programs in control groups of the system where that is possible. @default true */
  groups?: boolean;
  /** Free space below a folder. @default what the system says */
  freeBytes?: FreeBytes;
}

/**
 * Makes the host of a run's programs. Nothing is started before the first program. Needs global `run`, `read` of the
 * search path, and `sys` for the watch over disks.
 */
export function makeProgramHost(options: ProgramHostOptions): ProgramHost {
  const { launcher, limits, keepFile = null, groups, freeBytes } = options;
  const programs = findSystemPrograms(options.searchPath);
  const warden = new Warden({ sh: programs.sh });
  const watchdog = new Watchdog({ limits, bash: programs.bash, groups, freeBytes });
  const tools: RunTools = { launcher, programs, watchdog, warden, keepFile };
  const sessions = new OpenPrograms(tools, options.sessions);
  const ending = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    async check(spec, call) {
      await launcher.prepare(spec, { terminal: false, vouched: call.vouched ?? false });
    },
    async run(run, call) {
      const end = runToEnd(run, call, { tools, ending: ending.signal });
      running.add(end);
      try {
        return await end;
      } finally {
        running.delete(end);
      }
    },
    open: (spec, call) => sessions.open(spec, call),
    write: (id, data, call) => sessions.use(id, call, (session) => session.write(data)),
    read: (id, read, call) => sessions.use(id, call, (session) => session.read(read, call.signal)),
    signal: (id, signal, call) => sessions.use(id, call, (session) => session.signal(signal)),
    close: (id, { graceMs }, call) => sessions.close(id, call, { graceMs }),
    screen: (id, call) => sessions.use(id, call, (session) => session.screen()),
    keepScreen: (id, { state, mark }, call) =>
      sessions.use(id, call, (session) => session.keepScreen({ state, mark })),
    async end() {
      ending.abort();
      await Promise.allSettled([...running, sessions.end()]);
      await Promise.all([watchdog.end(), warden.end()]);
    },
  };
}
