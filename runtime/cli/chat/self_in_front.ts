import { restoreTerminal, saveTerminal } from "../../programs/process/saved_terminal.ts";
import { ROOM_COMMAND } from "../../self/find_self.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { type Io, selfOf } from "../io/io.ts";

/** How a program ended. */
export interface SelfEnded {
  code: number;
  /** What killed it, `null` if it ended by itself. */
  signal: Deno.Signal | null;
}

/** This program, as it is started again and again on the person's terminal. */
export interface SelfInFront {
  /** Runs it with these words of a command line, and waits for its end; the terminal is as before then. */
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<SelfEnded>;
}

/**
 * Finds this program, to start it in front of this process, on the same terminal: Ctrl-C is for it alone. What ends this process
 * ends it too. Needs `read` and `run`.
 */
export async function findSelfInFront(io: Io): Promise<SelfInFront> {
  const { argv, env } = selfOf(io);
  const [command = "", ...first] = argv.filter((word) => word !== ROOM_COMMAND);
  const stty = findProgram("stty", `/usr/bin:/bin:${io.env("PATH") ?? ""}`);
  const modes = await saveTerminal(stty);
  io.keyboard.lend();
  io.process.hearHangup();
  const { interrupt } = io;
  return {
    async run(words, added = {}) {
      const child = new Deno.Command(command, {
        args: [...first, ...words],
        env: { ...added, ...env.DENO_DIR !== undefined && { DENO_DIR: env.DENO_DIR } },
        stdin: "inherit",
        stdout: "inherit",
        stderr: "inherit",
      }).spawn();
      const passOn = () => {
        try {
          child.kill(interrupt.reason);
        } catch (error) {
          // It has ended.
          if (!(error instanceof TypeError)) throw error;
        }
      };
      if (interrupt.aborted) passOn();
      interrupt.addEventListener("abort", passOn);
      const { code, success, signal } = await child.status;
      interrupt.removeEventListener("abort", passOn);
      if (!success) await restoreTerminal(stty, modes);
      return { code, signal };
    },
  };
}
