import type { Outlook } from "../box/outlook.ts";
import type { Launcher } from "./launch.ts";

/** Hears of programs that can write, before they start and when they have written. */
export interface LaunchWatch {
  /**
   * @param writes Folders that it may write
   * @param shut What it cannot change there: another change of that is somebody else's
   * @returns A sentence for the user, or `null`
   */
  before(writes: readonly string[], shut?: ShutPaths): Promise<string | null>;
  after(options: { isEnd: boolean }): Promise<void>;
}

/** Paths that walls keep a program from changing, with all below them. */
export interface ShutPaths {
  paths: readonly string[];
  /** Paths below them that are open. */
  except: readonly string[];
}

function shutTo(outlook: Outlook | null): ShutPaths {
  const { hidden = [], frozen = [], except = [] } = outlook?.closed ?? {};
  return { paths: [...hidden, ...frozen], except };
}

/** Returns a launcher whose programs are told of; they wait for the watch before they start. */
export function watchedLauncher(launcher: Launcher, watch: LaunchWatch): Launcher {
  return {
    async prepare(spec, options) {
      const launch = await launcher.prepare(spec, options);
      if (launch.writes.length === 0) return launch;
      const note = await watch.before(launch.writes, shutTo(launch.outlook));
      let hasEnded = false;
      return {
        ...launch,
        warnings: [...launch.warnings, ...note === null ? [] : [note]],
        async inspect(options) {
          const lines = await launch.inspect(options);
          const isEnd = !hasEnded && !options?.running;
          hasEnded ||= isEnd;
          await watch.after({ isEnd });
          return lines;
        },
      };
    },
  };
}
