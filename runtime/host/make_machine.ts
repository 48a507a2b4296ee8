import { PROGRAM_LIMITS, type ProgramLimits } from "../../schemas/config.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { ToolState } from "../state/tool_state.ts";
import type { ArtifactFolder } from "../state/artifact_folder.ts";
import type { CallControl } from "../calls/control.ts";
import type { Places } from "../rooms/places.ts";
import type { BoxChoice } from "../walls/box/choose_box.ts";
import { makeLauncher } from "../programs/launch/launcher.ts";
import { makeProgramHost } from "../programs/process/make_program_host.ts";
import { RoomPool } from "../rooms/room_pool.ts";
import type { Machine } from "../calls/machine.ts";
import { trustedPath } from "../walls/files/trusted_path.ts";

/** What a machine is made of. */
export interface MachineOptions {
  grants: Grants;
  /** The user's home folder, `""` if there is none. */
  home: string;
  box: BoxChoice;
  places: Places;
  session: ToolState;
  artifacts: ArtifactFolder;
  /** Folders of the user's programs, as in `PATH`. */
  searchPath: string;
  /** The part of the user's environment that programs see. */
  env: Readonly<Record<string, string>>;
  /** Variables of the user's environment; a tool is told those that it declares. */
  settings: Readonly<Record<string, string>>;
  /** Paths that no program sees. @default none */
  hide?: readonly string[] | undefined;
  /** @default PROGRAM_LIMITS */
  limits?: Partial<ProgramLimits> | undefined;
  /** Rooms of a kind that wait for their next call. */
  maxIdle: number;
  /** Longest time of any call in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
  /** @default each tool's own permission, and no audit */
  dispatch?: CallControl | undefined;
}

/** Makes what runs calls: rooms and the programs' host. Ends both when it is disposed of. */
export function makeMachine(options: MachineOptions): Machine & AsyncDisposable {
  const { grants, home, box, places, session, artifacts, searchPath, env, maxIdle, maxCallMs, dispatch } =
    options;
  const hide = options.hide ?? [];
  const limits = { ...PROGRAM_LIMITS, ...options.limits };
  const rooms = new RoomPool({ openLink: places.openLink, maxIdle });
  const asideFolder = () => artifacts.folder("aside");
  const launcher = makeLauncher({ grants, home, box, searchPath, env, limits, asideFolder, hide });
  const ownPath = trustedPath(searchPath, grants);
  const programs = makeProgramHost({ launcher, limits, searchPath: ownPath, keepFile: artifacts.open });
  return {
    grants,
    home,
    rooms,
    session,
    artifacts,
    programs,
    settings: options.settings,
    ...(maxCallMs !== undefined && { maxCallMs }),
    ...(dispatch && { dispatch }),
    async [Symbol.asyncDispose]() {
      rooms.close();
      await programs.end();
    },
  };
}
