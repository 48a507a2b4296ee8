import type { BoxChoice } from "../../walls/box/choose_box.ts";
import { placesIn } from "./make_scratch.ts";
import { scratchOf } from "./program_box.ts";
import type { ProgramView } from "./program_view.ts";

/** What encloses programs; with a profile of macOS, `bwrap` is `null`; without anything, `mac` is, too. */
export interface ProgramWalls {
  bwrap: string | null;
  mac: (typeof import("./seatbelt_program.ts") & { scratch: string }) | null;
  /** Why there is nothing, `null` if there is. */
  noBox: string | null;
}

/**
 * Says which bubblewrap encloses programs, or why nothing does and what mends that. With neither, a profile of macOS encloses them. Throws
 * `ToolError` if walls are required and do not work.
 */
export async function boxOf(
  box: BoxChoice,
): Promise<{ bwrap: string | null; noBox: string | null; advice: string | null }> {
  const used = await box.isUsed();
  const state = await box.state();
  if (!state.works) return { bwrap: null, noBox: state.reason, advice: state.advice };
  return used
    ? { bwrap: state.bwrap, noBox: null, advice: null }
    : { bwrap: null, noBox: "--sandbox off", advice: "leave that word out" };
}

/** Returns the walls of one program. Throws as {@linkcode boxOf} does. */
export async function wallsOf(box: BoxChoice): Promise<ProgramWalls> {
  const { bwrap, noBox } = await boxOf(box);
  if (bwrap !== null || noBox !== null) return { bwrap, noBox, mac: null };
  const mac = await import("./seatbelt_program.ts");
  return { bwrap, noBox, mac: { ...mac, scratch: mac.newScratch() } };
}

/** Where a program has its home and its temporary files. */
export function privatePlaces(view: ProgramView, { mac }: ProgramWalls): { home: string; tmp: string } {
  return mac === null ? scratchOf(view) : placesIn(mac.scratch);
}
