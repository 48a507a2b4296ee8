import { ToolError } from "../../../schemas/error.ts";
import { findProgram } from "../files/find_program.ts";
import type { TrustedPrograms } from "../files/trusted_path.ts";
import { type BoxState, probeBox } from "./probe_box.ts";

/** `auto` uses the box if it works, `require` fails without it, `off` does not try it. */
export type SandboxMode = "auto" | "require" | "off";

/** All modes, from the widest to the narrowest. */
export const SANDBOX_MODES: readonly SandboxMode[] = ["off", "auto", "require"];

/** Says whether a mode encloses less than another one. */
export function isWiderMode(mode: SandboxMode, than: SandboxMode): boolean {
  return SANDBOX_MODES.indexOf(mode) < SANDBOX_MODES.indexOf(than);
}

/** Whether this machine has a box, and whether it is used. It is tried once, at the first question. */
export interface BoxChoice {
  /** The result of trying the box. */
  state(): Promise<BoxState>;
  /** Whether the box is used. Throws `configuration` if it is required and does not work. */
  isUsed(): Promise<boolean>;
  /** Says whether rooms, and no programs, are enclosed by a profile of macOS. It is tried once. @default no */
  roomsUseSeatbelt?(): Promise<boolean>;
}

/**
 * Decides whether rooms and programs run in a box. Needs `run`.
 *
 * @param options `searchPath` says where to look for bubblewrap, as in `PATH`; of `programs` only what is trusted is taken
 */
export function chooseBox(
  { mode, searchPath, programs, os = Deno.build.os }: {
    mode: SandboxMode;
    os?: typeof Deno.build.os;
    searchPath: string;
    programs?: Pick<TrustedPrograms, "find" | "passedOver">;
  },
): BoxChoice {
  let tried: Promise<BoxState> | undefined;
  let seatbelt: Promise<boolean> | undefined;
  const state = () => tried ??= probe();
  const probe = async (): Promise<BoxState> => {
    const bwrap = programs ? programs.find("bwrap") : findProgram("bwrap", searchPath);
    const [passed] = bwrap === null && programs?.passedOver("bwrap") || [];
    if (passed === undefined) return await probeBox(bwrap);
    return { works: false, reason: `${passed.path} is not used to make one, because ${passed.why}` };
  };
  return {
    state,
    async isUsed() {
      if (mode === "off") return false;
      const found = await state();
      if (!found.works && mode === "require") throw noBox(found.reason);
      return found.works;
    },
    async roomsUseSeatbelt() {
      if (os !== "darwin" || mode === "off") return false;
      const { trySeatbelt } = await import("./seatbelt.ts");
      return await (seatbelt ??= trySeatbelt(Deno.realPathSync(Deno.execPath()), [
        Deno.build.standalone ? "version" : "--version",
      ]));
    },
  };
}

function noBox(reason: string): ToolError {
  return new ToolError(
    "configuration",
    `--sandbox require, but the sandbox does not work: ${reason}; install bubblewrap or use --sandbox auto`,
  );
}
