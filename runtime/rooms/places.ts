import { ToolError } from "../../schemas/error.ts";
import type { Place } from "../../schemas/result.ts";
import { boxedCommand, unboxedCommand } from "../walls/box/bubblewrap.ts";
import { type BoxState, probeBox } from "../walls/box/probe_box.ts";
import { findProgram } from "../walls/files/find_program.ts";
import { openProcessLink } from "./process_link.ts";
import type { RoomProfile } from "./profile.ts";
import type { OpenLink } from "./room.ts";
import type { Self } from "../self/find_self.ts";
import { systemEyes } from "../walls/box/disk_view.ts";
import { openWorkerLink } from "./worker_link.ts";

/** `auto` takes the box where it works, `require` fails without it, `off` does not try. */
export type SandboxMode = "auto" | "require" | "off";

/** Where this machine's rooms can stand; the box is tried once, at the first question. */
export interface Ground {
  box(): Promise<BoxState>;
  /** Whether the box is used. Throws `configuration` if it is required and does not work. */
  boxed(): Promise<boolean>;
  place(profile: RoomProfile): Promise<Place>;
  openLink: OpenLink;
}

/**
 * Decides where rooms stand: in the box if it works, else in a process of their own if their tool must be killable,
 * else in a worker of this process.
 */
export function makeGround(self: Self, options: { mode: SandboxMode; searchPath: string }): Ground {
  const { mode, searchPath } = options;
  let tried: Promise<BoxState> | undefined;
  const box = () => tried ??= probeBox(findProgram("bwrap", searchPath));
  const boxed = async (): Promise<boolean> => {
    if (mode === "off") return false;
    const state = await box();
    if (!state.works && mode === "require") throw noBox(state.reason);
    return state.works;
  };
  const place = async (profile: RoomProfile): Promise<Place> =>
    await boxed() ? "box" : profile.killable ? "process" : "worker";
  return {
    box,
    boxed,
    place,
    async openLink(profile, token, onMessage) {
      const where = await place(profile);
      if (where === "worker") return { link: openWorkerLink(profile, token, { onMessage }), place: where };
      const prlimit = findProgram("prlimit", searchPath);
      const state = await (where === "box" ? box() : null);
      const command = state?.works
        ? boxedCommand(profile, self, { bwrap: state.bwrap, prlimit, eyes: systemEyes })
        : unboxedCommand(profile, self, prlimit);
      return { link: openProcessLink(profile, token, { command, onMessage }), place: where };
    },
  };
}

function noBox(reason: string): ToolError {
  return new ToolError(
    "configuration",
    `--sandbox require, but the box does not work: ${reason}; install bubblewrap or use --sandbox auto`,
  );
}
