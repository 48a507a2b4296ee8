import { type BoxChoice, landlockOf } from "../../walls/box/choose_box.ts";
import { placesIn } from "./make_scratch.ts";
import type { ProfileWall } from "./profile_wall.ts";
import { scratchOf } from "./program_box.ts";
import type { ProgramView } from "./program_view.ts";

/** What encloses programs; with Landlock or a profile of macOS, `bwrap` is `null`; without anything, `profile` is, too. */
export interface ProgramWalls {
  bwrap: string | null;
  profile: ProfileWall | null;
  /** Why there is nothing, `null` if there is. */
  noBox: string | null;
}

/**
 * Says which bubblewrap encloses programs, or why nothing does and what mends that. With neither, Landlock or a profile of macOS
 * encloses them. Throws
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
  if (bwrap !== null || noBox !== null) return { bwrap, noBox, profile: null };
  const landlock = await landlockOf(box);
  if (landlock === null) {
    const { seatbeltWall } = await import("./seatbelt_program.ts");
    return { bwrap, noBox, profile: seatbeltWall() };
  }
  const { landlockWall } = await import("./landlock_program.ts");
  return { bwrap, noBox, profile: landlockWall(landlock) };
}

/** Where a program has its home and its temporary files. */
export function privatePlaces(view: ProgramView, { profile }: ProgramWalls): { home: string; tmp: string } {
  return profile === null ? scratchOf(view) : placesIn(profile.scratch);
}
