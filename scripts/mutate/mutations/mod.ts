import type { Mutation } from "../mutation.ts";
import { AGENT } from "./parts/agent.ts";
import { CALLS } from "./parts/calls.ts";
import { COMMAND_LINE } from "./parts/command_line.ts";
import { HOST } from "./parts/host.ts";
import { SCREENS } from "./parts/screens.ts";
import { SERVERS } from "./parts/servers.ts";
import { SOURCES } from "./parts/sources.ts";
import { STATE } from "./parts/state.ts";
import { TOOLS } from "./parts/tools.ts";
import { WORDS } from "./parts/words.ts";
import { COMMANDS } from "./programs/commands.ts";
import { ENDS } from "./programs/ends.ts";
import { LEFT } from "./programs/left.ts";
import { MASKS } from "./programs/masks.ts";
import { STARTS } from "./programs/starts.ts";
import { BOXES } from "./walls/boxes.ts";
import { DECISIONS } from "./walls/decisions.ts";
import { GATE } from "./walls/gate.ts";
import { GRANTS } from "./walls/grants.ts";
import { GUARD } from "./walls/guard.ts";
import { OUTPUTS } from "./walls/outputs.ts";
import { ROOMS } from "./walls/rooms.ts";

/** All mutations, part by part. */
export const MUTATIONS: readonly Mutation[] = [
  ...AGENT,
  ...CALLS,
  ...COMMAND_LINE,
  ...HOST,
  ...SCREENS,
  ...SERVERS,
  ...SOURCES,
  ...STATE,
  ...TOOLS,
  ...WORDS,
  ...COMMANDS,
  ...ENDS,
  ...LEFT,
  ...MASKS,
  ...STARTS,
  ...BOXES,
  ...DECISIONS,
  ...GATE,
  ...GRANTS,
  ...GUARD,
  ...OUTPUTS,
  ...ROOMS,
];
