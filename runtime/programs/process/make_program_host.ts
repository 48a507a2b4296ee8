import type { ProgramLimits } from "../../../schemas/config.ts";
import type { ClosedPaths } from "../../walls/box/bubblewrap.ts";
import type { LookAtDisk } from "../watch/disk_watch.ts";
import type { ProgramCall, ProgramHost } from "./program_host.ts";
import type { AttachedEnd, AttachedRun } from "./run_attached.ts";
import { Journal } from "../journal/journal.ts";
import type { Judge } from "../launch/judge_command.ts";
import { type JudgedLauncher, makeJudgedLauncher } from "../launch/judged_launch.ts";
import type { Launcher } from "../launch/launch.ts";
import type { KeepFile } from "../output/kept_output.ts";
import { runToEnd, type RunTools } from "./run_to_end.ts";
import { OpenPrograms, type SessionLimits } from "./open_programs.ts";
import { findSystemPrograms } from "./system_programs.ts";
import type { ProgramNetwork } from "../network/program_network.ts";
import { OrphanReaper } from "../watch/orphan_reaper.ts";
import { afterLooks, RunningLooks } from "../watch/running_looks.ts";
import { Watchdog } from "../watch/watchdog.ts";

/** What a program host is made of. */
export interface ProgramHostOptions {
  launcher: Launcher;
  /** Judges each command before it starts. */
  judge: Judge;
  limits: Pick<ProgramLimits, "processes" | "free_disk_mb"> & Partial<Pick<ProgramLimits, "memory_mb">>;
  /** Folders of programs, as in `PATH`: where helpers of the system are found. */
  searchPath: string;
  /** Opens a file for output that must be kept. @default no output is kept */
  keepFile?: KeepFile;
  /** Notes running programs for a later run. @default nothing is noted */
  journal?: Journal | undefined;
  /** Called with the first program, if SIGHUP is not to be ignored. */
  hearHangup?: (() => void) | undefined;
  /** @default 32 sessions, 30 minutes */
  sessions?: Partial<SessionLimits>;
  /** Holds programs in control groups of the system where that is possible. @default true */
  groups?: boolean;
  /** What a disk still takes. @default what the system says */
  lookAtDisk?: LookAtDisk;
}

/** What programs under other grants share with those of tools: the watch over them, and the end. */
export interface ProgramBase {
  tools: RunTools;
  /** Aborts when all programs are ended. */
  ending: AbortSignal;
  /** Makes the end of the host wait for an end. */
  follow<End>(end: Promise<End>): Promise<End>;
  /** Programs that run beside others, and what their boxes close to them. */
  beside: Set<{ readonly closed: ClosedPaths }>;
  /** Joins the judge of the host and another launcher. */
  judged(launcher: Launcher): JudgedLauncher;
}

/** Programs of tools, and those that the user runs by hand. */
export interface UserPrograms extends ProgramHost {
  /** Runs a program on the streams of main, for the user. */
  attach(run: AttachedRun, call: ProgramCall): Promise<AttachedEnd>;
  /** What the programs that are open now must not reach, by way of others neither. */
  closed(): ClosedPaths;
  /** Starts what ends programs if this process is killed; also finds out whether SIGHUP is to be ignored. */
  stand(): void;
  /** Gets ready what every program needs, so that the first one starts sooner. */
  warm(): void;
}

/**
 * Makes the host of a run's programs. Nothing is started before the first program. Needs global `run`, `read` of the
 * search path, and `sys` for the watch over disks.
 *
 * @param network The way of boxed programs to the network
 */
export function makeProgramHost(
  options: ProgramHostOptions,
  network: ProgramNetwork | null = null,
): UserPrograms & { base: ProgramBase } {
  const { judge, limits, keepFile = null, groups, lookAtDisk, hearHangup } = options;
  const { journal = new Journal(null) } = options;
  const programs = findSystemPrograms(options.searchPath);
  const reaper = new OrphanReaper({ sh: programs.sh, records: journal.folder, hearHangup });
  const watchdog = new Watchdog({ limits, bash: programs.bash, groups, lookAtDisk });
  const looks = new RunningLooks();
  const judged = (launcher: Launcher) => makeJudgedLauncher({ judge, launcher: afterLooks(launcher, looks) });
  const launcher = judged(options.launcher);
  let started = 0;
  const watches = { watchdog, reaper, journal, looks, network };
  const tools: RunTools = { ...watches, launcher, programs, keepFile, nextNumber: () => ++started };
  const sessions = new OpenPrograms(tools, options.sessions);
  const ending = new AbortController();
  const { follow, running } = makeFollower();
  const beside: ProgramBase["beside"] = new Set();
  return {
    base: { tools, ending: ending.signal, follow, beside, judged },
    async check(command, call, { apart = false } = {}) {
      if (!("argv" in command) && command.typed) return void await launcher.judgeInput(command, call);
      const { analysis, outlook } = "argv" in command
        ? await launcher.launch({ ...command, apart }, call, { stays: call.interprets })
        : await launcher.launch({ argv: [command.shell], script: command.script, apart }, call);
      if (analysis === null || outlook === null) return;
      const { foreseenHints } = await import("../hints/hints.ts");
      for (const hint of foreseenHints(analysis, outlook)) call.warn(hint);
    },
    run: (run, call) => follow(runToEnd(run, call, { tools, ending: ending.signal })),
    async attach(run, call) {
      // Agents and batches never need it.
      const { runAttached } = await import("./run_attached.ts");
      return await follow(runAttached(run, call, { tools, ending: ending.signal }));
    },
    closed: () => joinClosed([sessions.closed(), ...Array.from(beside, ({ closed }) => closed)]),
    open: (spec, call) => sessions.open(spec, call),
    command: (id, script, call) => sessions.use(id, call, (session) => session.command(script, call)),
    write: (id, data, call) => sessions.use(id, call, (session) => session.type(data, call)),
    read: (id, read, call) => sessions.use(id, call, (session) => session.read(read, call.signal)),
    signal: (id, signal, call) => sessions.use(id, call, (session) => session.signal(signal)),
    close: (id, { graceMs }, call) => sessions.close(id, call, { graceMs }),
    screen: (id, call) => sessions.use(id, call, (session) => session.screen()),
    keepScreen: (id, { state, mark }, call) =>
      sessions.use(id, call, (session) => session.keepScreen({ state, mark })),
    stand: () => void reaper.mark(),
    warm() {
      watchdog.warm();
      options.launcher.warm?.();
      network?.expect();
    },
    async end() {
      ending.abort();
      await Promise.allSettled([...running, sessions.end()]);
      await Promise.all([watchdog.end(), reaper.end(), network?.end()]);
    },
  };
}

function joinClosed(all: readonly ClosedPaths[]): ClosedPaths {
  const of = (kind: keyof ClosedPaths) => [...new Set(all.flatMap((one) => one[kind]))].sort();
  return { hidden: of("hidden"), frozen: of("frozen") };
}

/** Keeps what runs at the moment, so that the end of the host can wait for it. */
function makeFollower() {
  const running = new Set<Promise<unknown>>();
  const follow = async <End>(end: Promise<End>) => {
    running.add(end);
    try {
      return await end;
    } finally {
      running.delete(end);
    }
  };
  return { follow, running };
}
