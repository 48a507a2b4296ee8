import { probeBox } from "../../runtime/walls/box/probe_box.ts";
import { MAIN_URL } from "../../runtime/self/entry_urls.ts";
import { findSelf } from "../../runtime/self/find_self.ts";
import { tryLandlock } from "../../runtime/walls/box/try_landlock.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { programTest } from "./needed_programs.ts";

const state = await probeBox(findProgram("bwrap", Deno.env.get("PATH") ?? ""));

const { launcher } = findSelf(MAIN_URL, (name) => Deno.env.get(name));
const landlock = await tryLandlock(launcher!);

/** Why Landlock does not work on this machine, `null` if it does. */
export const landlockLack: string | null = typeof landlock === "string" ? landlock : null;

/** Whether this machine can make boxes. */
export const boxWorks: boolean = state.works;

/**
 * The values of `--sandbox` that differ on this machine. Without bubblewrap "auto" does what "off" does, which is tried where
 * there is one.
 */
export const SANDBOXES: readonly string[] = boxWorks ? ["auto", "off"] : ["auto"];

/**
 * Registers a test that runs only where the box works, with `asRoot` only as root; elsewhere it is reported as ignored, with
 * the reason.
 */
export function boxTest(name: string, run: () => void | Promise<void>, { asRoot = false } = {}): void {
  const isOther = asRoot && Deno.uid() !== 0;
  const why = state.works ? isOther ? " (needs root)" : "" : ` (needs bubblewrap: ${state.reason})`;
  Deno.test({ name: `${name}${why}`, ignore: why !== "", fn: run });
}

/**
 * Registers a long test that walls do not change: where tests run with a box and once more without one, it runs with the
 * box alone. Elsewhere it is reported as ignored, with the reason.
 */
export function onceTest(name: string, programs: readonly string[], run: () => Promise<void>): void {
  if (state.works) return programTest(name, programs, run);
  Deno.test({
    name: `${name} (walls do not change it: it runs where bubblewrap works)`,
    ignore: true,
    fn: run,
  });
}
