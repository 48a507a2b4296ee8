import { makeAnswers } from "../calls/answers/make_answers.ts";
import type { Judge } from "../programs/launch/judge_command.ts";
import { PROGRAM_LIMITS, type ProgramLimits } from "../../schemas/config.ts";
import type { Carrier } from "../calls/catalog/carrier.ts";
import type { Machine } from "../calls/machine.ts";
import { makeRoomCarrier } from "../calls/room_carrier.ts";
import { makeLauncher } from "../programs/launch/launcher.ts";
import { makeProgramHost } from "../programs/process/make_program_host.ts";
import type { Sight } from "../programs/launch/sight.ts";
import type { UserPrograms } from "../programs/process/make_program_host.ts";
import { RoomPool, type RoomPoolOptions } from "../rooms/room_pool.ts";
import type { ToolState } from "../state/tool_state.ts";
import type { BoxChoice } from "../walls/box/choose_box.ts";
import { trustedPath } from "../walls/files/trusted_path.ts";

/** What a machine is made of. */
export interface MachineParts {
  machine: Machine;
  box: BoxChoice;
  rooms: RoomPoolOptions;
  state: ToolState;
  /** Folders of the user's programs, as in `PATH`. */
  searchPath: string;
  /** The part of the user's environment that programs see. */
  env: Readonly<Record<string, string>>;
  /** Variables of the user's environment; a tool is told those that it declares. */
  settings: Readonly<Record<string, string>>;
  judge: Judge;
  /** Called when a call begins that may start programs, so that what reads commands is ready. */
  expectCommands?(): void;
  /** What programs see beside the grants. @default nothing */
  sight?: Sight;
  /** @default PROGRAM_LIMITS */
  limits?: Partial<ProgramLimits> | undefined;
  /** Longest time of any call in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
}

/** What runs calls of built-in tools. Ends its rooms and programs when it is disposed of. */
export interface RoomMachine extends AsyncDisposable {
  carrier: Carrier;
  programs: UserPrograms;
}

/** Makes rooms, the host of programs, and the carrier that uses both. */
export function makeRoomMachine(parts: MachineParts): RoomMachine {
  const { machine: { grants, home, artifacts, control }, settings, maxCallMs } = parts;
  const rooms = new RoomPool(parts.rooms);
  const programs = makePrograms(parts);
  const answers = makeAnswers({ rooms, programs, state: parts.state, control });
  return {
    carrier: makeRoomCarrier({
      ...{ grants, home, rooms, artifacts, answers, settings, maxCallMs },
      onCall: (tool) => tool.needs.run !== undefined && parts.expectCommands?.(),
    }),
    programs,
    async [Symbol.asyncDispose]() {
      rooms.close();
      await programs.end();
    },
  };
}

function makePrograms(parts: MachineParts): UserPrograms {
  const { machine: { grants, home, artifacts }, box, searchPath, env, sight } = parts;
  const limits = { ...PROGRAM_LIMITS, ...parts.limits };
  const asideFolder = () => artifacts.folder("aside");
  const options = { grants, home, box, searchPath, env, limits, asideFolder };
  const launcher = makeLauncher({ ...options, ...(sight && { sight }) });
  const ownPath = trustedPath(searchPath, grants);
  return makeProgramHost({
    launcher,
    judge: parts.judge,
    limits,
    searchPath: ownPath,
    keepFile: artifacts.open,
  });
}
