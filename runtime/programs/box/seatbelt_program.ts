import { ToolError } from "../../../schemas/error.ts";
import { MAC_PROGRAM_FOLDERS, MAC_PROGRAMS } from "../../walls/box/mac_system.ts";
import { programProfile } from "../../walls/box/program_profile.ts";
import { underSeatbelt } from "../../walls/box/seatbelt_rules.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { isOdd, showPath } from "../bytes/odd_names.ts";
import type { Masks } from "./box_masks.ts";
import { placesIn } from "./make_scratch.ts";
import { newScratch, type ProfileLaunch, type ProfileWall } from "./profile_wall.ts";

/** Returns the wall of one program under a profile of macOS. */
export function seatbeltWall(): ProfileWall {
  const scratch = newScratch(realOrNull("/tmp") ?? "/private/tmp");
  return {
    name: "seatbelt",
    scratch,
    system: { folders: MAC_PROGRAM_FOLDERS, bins: MAC_PROGRAMS },
    variables: scratchVariables(scratch),
    holdsPorts: true,
    enclose: (launch) => ({ argv: seatbeltProgram({ ...launch, scratch }), env: { ...launch.env } }),
    warnings: seatbeltWarnings,
  };
}

/** Returns the variables that say where the private places are, beside those that every program has. */
function scratchVariables(scratch: string): Record<string, string> {
  const { home, tmp } = placesIn(scratch);
  // The libraries of macOS do not ask HOME where the home is.
  return { TMP: tmp, TEMP: tmp, CFFIXED_USER_HOME: home };
}

/** How a program is put under a profile. */
type SeatbeltLaunch = Pick<ProfileLaunch, "words" | "view" | "masks" | "network"> & { scratch: string };

/**
 * Makes the command line of a program under a profile of macOS: it opens what the view shows, and closes what a box masks.
 *
 * @throws {ToolError} `unavailable` for a path that no profile can name
 */
export function seatbeltProgram({ words, view, masks, scratch, network }: SeatbeltLaunch): string[] {
  const { opened, frozen, thawed, pinned, only = null } = masks;
  // A profile shows a file as it is, or not at all.
  const hidden = [...masks.hidden, ...masks.replaced.map(({ path }) => path)];
  const unnamed = [...hidden, ...frozen, ...pinned].find(isOdd);
  if (unnamed !== undefined) {
    throw new ToolError(
      "unavailable",
      `Cannot guard "${showPath(unnamed)}", whose name is not UTF-8: rename it`,
    );
  }
  const profile = programProfile({
    read: view.shown,
    write: view.writable,
    links: view.links.map(({ at }) => at),
    scratch,
    closed: { hidden, frozen, opened, thawed, pinned },
    only,
    network,
  });
  return underSeatbelt(profile, words);
}

/** Says what a profile does otherwise than a box would. */
function seatbeltWarnings({ replaced }: Masks): string[] {
  return replaced.map(({ path }) =>
    `Programs do not see "${path}": it holds a password or a token, and the sandbox of macOS cannot show it without; ` +
    "leave the login to a credential helper"
  );
}
