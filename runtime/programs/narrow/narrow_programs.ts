import type { ProgramEnd, ProgramRun, ProgramSpec } from "../../../schemas/program.ts";
import type { Launcher } from "../launch/launch.ts";
import type { ProgramNetwork } from "../network/program_network.ts";
import type { ProgramBase } from "../process/make_program_host.ts";
import type { ProgramCall } from "../process/program_host.ts";
import { runToEnd, type RunTools } from "../process/run_to_end.ts";
import { type PipedCall, type PipedProgram, startPiped } from "./piped_program.ts";

/** Programs of other people: they may touch less than those of tools, and are judged, bounded and ended as these are. */
export interface NarrowPrograms {
  /** Throws what starting the command would throw, but starts nothing. */
  check(command: { argv: readonly string[] }, call: ProgramCall): Promise<void>;
  /** Runs a program to its end. Throws `ToolError`, as {@linkcode NarrowPrograms.pipe} does. */
  run(run: ProgramRun, call: ProgramCall): Promise<ProgramEnd>;
  /**
   * Starts a program that stays, with pipes.
   *
   * @throws {ToolError} `permission_denied` if it may not start: without a sandbox only what `--allow-run` names does;
   * `denied_by_policy` if a rule forbids it; `not_found` if there is no such program; `unavailable` if the system does not
   * start it
   */
  pipe(spec: ProgramSpec, call?: PipedCall): Promise<PipedProgram>;
}

/**
 * Makes programs under grants of their own, which the launcher and the network hold.
 *
 * @param options `network` is `null` if they reach none
 */
export function makeNarrowPrograms(
  base: ProgramBase,
  { launcher, network }: { launcher: Launcher; network: ProgramNetwork | null },
): NarrowPrograms {
  const { follow, ending, beside } = base;
  // No flag gives them more than they need.
  const tools: RunTools = { ...base.tools, launcher: base.judged(launcher), network, hints: false };
  return {
    check: async (command, call) => void await tools.launcher.launch(command, call),
    run: (run, call) => follow(runToEnd(run, call, { tools, ending })),
    async pipe(spec, call = {}) {
      const program = await follow(startPiped(spec, call, { tools, ending }));
      beside.add(program);
      void follow(program.ended.finally(() => beside.delete(program)));
      return program;
    },
  };
}
