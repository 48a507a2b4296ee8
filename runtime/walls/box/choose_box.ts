import { ToolError } from "../../../schemas/error.ts";
import { findProgram } from "../files/find_program.ts";
import type { TrustedPrograms } from "../files/trusted_path.ts";
import { missingBox } from "./lack/lack_of_box.ts";
import type { Landlock, LandlockLauncher } from "./try_landlock.ts";
import { type BoxState, probeBox } from "./probe_box.ts";

/**
 * `auto` takes the sandbox of this system if it works, `require` fails without it; on Linux that is one of namespaces, as
 * `namespaces` says by name. `landlock` takes Landlock in its place, which holds less, and `off` tries none.
 */
export type SandboxMode = "auto" | "require" | "namespaces" | "landlock" | "off";

/** The modes that enclose at least as much as one, wherever they are used. */
const AT_LEAST: Readonly<Record<SandboxMode, readonly SandboxMode[]>> = {
  off: ["off", "landlock", "auto", "require", "namespaces"],
  landlock: ["landlock", "require", "namespaces"],
  auto: ["auto", "require", "namespaces"],
  require: ["require", "namespaces"],
  namespaces: ["namespaces"],
};

/** All modes. */
export const SANDBOX_MODES = Object.keys(AT_LEAST) as readonly SandboxMode[];

/** Says whether a mode may enclose less than another one. */
export function isWiderMode(mode: SandboxMode, than: SandboxMode): boolean {
  return !AT_LEAST[than].includes(mode);
}

/** What encloses programs here: bubblewrap, or, with `null` in its place, Landlock or a profile of macOS. */
export type WallState =
  | { works: true; bwrap: string | null; landlock?: Landlock }
  | Extract<BoxState, { works: false }>;

/** Whether this machine encloses programs, and whether that is used. It is tried once, at the first question. */
export interface BoxChoice {
  /** The result of trying it. */
  state(): Promise<WallState>;
  /** Whether it is used. Throws `configuration` if it is required and does not work. */
  isUsed(): Promise<boolean>;
  /**
   * Says whether rooms are enclosed by Landlock, or by a profile of macOS, which is tried once. Throws `configuration` if that
   * is required and does not work.
   *
   * @default no
   */
  roomsUseProfile?(): Promise<boolean>;
}

/** Tries the walls of the system's own. Each of macOS returns why its profile does not work, `null` if it does. */
export interface WallTrials {
  programs(): Promise<string | null>;
  rooms(): Promise<string | null>;
  /** Returns what of Landlock works, or why it does not. */
  landlock(launcher: LandlockLauncher): Promise<Landlock | string>;
}

/**
 * Decides whether rooms and programs are enclosed. Needs `run`.
 *
 * @param options `searchPath` says where to look for bubblewrap, as in `PATH`; of `programs` only what is trusted is taken;
 * `launcher` starts what Landlock encloses; `trials` are those of other walls
 */
export function chooseBox(
  { mode, searchPath, programs, launcher, os = Deno.build.os, trials = realTrials }: {
    mode: SandboxMode;
    launcher?: LandlockLauncher | undefined;
    os?: typeof Deno.build.os;
    searchPath: string;
    programs?: Pick<TrustedPrograms, "find" | "passedOver">;
    trials?: WallTrials;
  },
): BoxChoice {
  let tried: Promise<WallState> | undefined;
  let rooms: Promise<string | null> | undefined;
  const state = () => tried ??= os === "darwin" ? probeProfile(trials) : probeWalls();
  const probeWalls = async (): Promise<WallState> => {
    // What outlives its call there is not ended for sure, so nobody gets it who has not named it.
    if (mode !== "landlock") return await probe();
    const found = os === "linux" && launcher ? await trials.landlock(launcher) : "it is for Linux alone";
    return typeof found === "string"
      ? { works: false, reason: `Landlock does not work: ${found}`, advice: NO_LANDLOCK }
      : { works: true, bwrap: null, landlock: found };
  };
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
      if (!found.works && mode !== "auto") throw noBox(mode, found);
      return found.works;
    },
    async roomsUseProfile() {
      if (mode === "off") return false;
      if (os !== "darwin") return (await landlockOf({ state })) !== null;
      const reason = await (rooms ??= trials.rooms());
      if (reason !== null && mode !== "auto") throw noBox(mode, { reason, advice: NO_PROFILE });
      return reason === null;
    },
  };
}

/** Returns what Landlock is used with, `null` if another wall works, or none. */
export async function landlockOf(box: Pick<BoxChoice, "state">): Promise<Landlock | null> {
  const state = await box.state();
  return state.works ? state.landlock ?? null : null;
}

/** Returns the bubblewrap that is used; `null` if there is none, also where another wall takes its place. */
export async function usedBubblewrap(box: BoxChoice): Promise<string | null> {
  if (!await box.isUsed()) return null;
  const state = await box.state();
  return state.works ? state.bwrap : null;
}

/** Says whether rooms are in a box, behind Landlock or under a profile of macOS. Throws as {@linkcode BoxChoice} does. */
export async function enclosesRooms(box: BoxChoice): Promise<boolean> {
  return await usedBubblewrap(box) !== null || (await box.roomsUseProfile?.() ?? false);
}

/** Nothing of it is loaded on other systems. */
const realTrials: WallTrials = {
  async programs() {
    const { thisMac, tryProgramProfile } = await import("./try_seatbelt.ts");
    return await tryProgramProfile(thisMac);
  },
  async rooms() {
    const { thisMac, tryRoomProfile } = await import("./try_seatbelt.ts");
    return await tryRoomProfile(thisMac);
  },
  async landlock(launcher) {
    const { tryLandlock } = await import("./try_landlock.ts");
    return await tryLandlock(launcher);
  },
};

async function probeProfile(trials: WallTrials): Promise<WallState> {
  const reason = await trials.programs();
  return reason === null ? { works: true, bwrap: null } : { works: false, reason, advice: NO_PROFILE };
}

const NO_PROFILE = "see: bulkhead doctor";

const NO_LANDLOCK = "it needs Linux from 5.13 on, with landlock in /sys/kernel/security/lsm";

function noBox(
  mode: SandboxMode,
  { reason, advice }: Pick<Extract<BoxState, { works: false }>, "reason" | "advice">,
): ToolError {
  return new ToolError(
    "configuration",
    `--sandbox ${mode}, but the sandbox does not work: ${reason}; ${advice}; or do without it: --sandbox auto`,
  );
}
