import { probeBox } from "../../runtime/walls/box/probe_box.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";

const state = await probeBox(findProgram("bwrap", Deno.env.get("PATH") ?? ""));

/** Whether this machine can make boxes. */
export const boxWorks: boolean = state.works;

/** Registers a test that runs only where the box works; elsewhere it is reported as ignored, with the reason. */
export function boxTest(name: string, run: () => void | Promise<void>): void {
  const why = state.works ? "" : ` (needs bubblewrap: ${state.reason})`;
  Deno.test({ name: `${name}${why}`, ignore: !state.works, fn: run });
}
