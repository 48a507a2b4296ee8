import { ToolError } from "../../../schemas/error.ts";
import { findProgram } from "../files/find_program.ts";
import type { TrustedPrograms } from "../files/trusted_path.ts";
import { missingBox } from "./lack/lack_of_box.ts";
import { type BoxState, probeBox } from "./probe_box.ts";

/** `auto` uses the box if it works, `require` fails without it, `off` does not try it. */
export type SandboxMode = "auto" | "require" | "off";

/** All modes, from the widest to the narrowest. */
export const SANDBOX_MODES: readonly SandboxMode[] = ["off", "auto", "require"];

/** Says whether a mode encloses less than another one. */
export function isWiderMode(mode: SandboxMode, than: SandboxMode): boolean {
  return SANDBOX_MODES.indexOf(mode) < SANDBOX_MODES.indexOf(than);
}

/** What encloses programs here: bubblewrap, or, with `null` in its place, a profile of macOS. */
export type WallState = { works: true; bwrap: string | null } | Extract<BoxState, { works: false }>;

/** Whether this machine encloses programs, and whether that is used. It is tried once, at the first question. */
export interface BoxChoice {
  /** The result of trying it. */
  state(): Promise<WallState>;
  /** Whether it is used. Throws `configuration` if it is required and does not work. */
  isUsed(): Promise<boolean>;
  /**
   * Says whether rooms are enclosed by a profile of macOS. It is tried once. Throws `configuration` if that is required and
   * does not work.
   *
   * @default no
   */
  roomsUseSeatbelt?(): Promise<boolean>;
}

/** Tries the profiles of macOS. Each returns why its profile does not work, `null` if it does. */
export interface SeatbeltTrials {
  programs(): Promise<string | null>;
  rooms(): Promise<string | null>;
}

/**
 * Decides whether rooms and programs are enclosed. Needs `run`.
 *
 * @param options `searchPath` says where to look for bubblewrap, as in `PATH`; of `programs` only what is trusted is taken;
 * `trials` are those of macOS
 */
export function chooseBox(
  { mode, searchPath, programs, os = Deno.build.os, trials = realTrials }: {
    mode: SandboxMode;
    os?: typeof Deno.build.os;
    searchPath: string;
    programs?: Pick<TrustedPrograms, "find" | "passedOver">;
    trials?: SeatbeltTrials;
  },
): BoxChoice {
  let tried: Promise<WallState> | undefined;
  let rooms: Promise<string | null> | undefined;
  const state = () => tried ??= os === "darwin" ? probeProfile(trials) : probe();
  const probe = async (): Promise<BoxState> => {
    const bwrap = programs ? programs.find("bwrap") : findProgram("bwrap", searchPath);
    const [passed] = bwrap === null && programs?.passedOver("bwrap") || [];
    if (passed === undefined) return await probeBox(bwrap);
    const reason = `${passed.path} is not used to make one, because ${passed.why}`;
    return { works: false, reason, advice: missingBox().advice };
  };
  return {
    state,
    async isUsed() {
      if (mode === "off") return false;
      const found = await state();
      if (!found.works && mode === "require") throw noBox(found);
      return found.works;
    },
    async roomsUseSeatbelt() {
      if (os !== "darwin" || mode === "off") return false;
      const reason = await (rooms ??= trials.rooms());
      if (reason !== null && mode === "require") throw noBox({ reason, advice: NO_PROFILE });
      return reason === null;
    },
  };
}

/** Returns the bubblewrap that is used; `null` if there is none, also where a profile of macOS takes its place. */
export async function usedBubblewrap(box: BoxChoice): Promise<string | null> {
  if (!await box.isUsed()) return null;
  const state = await box.state();
  return state.works ? state.bwrap : null;
}

/** Says whether rooms are in a box, or under a profile of macOS. Throws as {@linkcode BoxChoice} does. */
export async function enclosesRooms(box: BoxChoice): Promise<boolean> {
  return await usedBubblewrap(box) !== null || (await box.roomsUseSeatbelt?.() ?? false);
}

/** Nothing of it is loaded on other systems. */
const realTrials: SeatbeltTrials = {
  async programs() {
    const { thisMac, tryProgramProfile } = await import("./try_seatbelt.ts");
    return await tryProgramProfile(thisMac);
  },
  async rooms() {
    const { thisMac, tryRoomProfile } = await import("./try_seatbelt.ts");
    return await tryRoomProfile(thisMac);
  },
};

async function probeProfile(trials: SeatbeltTrials): Promise<WallState> {
  const reason = await trials.programs();
  return reason === null ? { works: true, bwrap: null } : { works: false, reason, advice: NO_PROFILE };
}

const NO_PROFILE = "see: bulkhead doctor";

function noBox(
  { reason, advice }: Pick<Extract<BoxState, { works: false }>, "reason" | "advice">,
): ToolError {
  return new ToolError(
    "configuration",
    `--sandbox require, but the sandbox does not work: ${reason}; ${advice}; or do without it: --sandbox auto`,
  );
}
