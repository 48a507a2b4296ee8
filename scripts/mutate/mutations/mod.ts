import type { Mutation } from "../mutation.ts";
import { AGENT } from "./agent.ts";
import { BOXES } from "./boxes.ts";
import { NETWORK } from "./network.ts";
import { PROGRAMS } from "./programs.ts";
import { SCREENS } from "./screens.ts";
import { STATE } from "./state.ts";
import { WALLS_FILES } from "./walls_files.ts";
import { WALLS_GRANTS } from "./walls_grants.ts";
import { WORDS } from "./words.ts";

/** All mutations, part by part. */
export const MUTATIONS: readonly Mutation[] = [
  ...AGENT,
  ...BOXES,
  ...NETWORK,
  ...PROGRAMS,
  ...SCREENS,
  ...STATE,
  ...WALLS_FILES,
  ...WALLS_GRANTS,
  ...WORDS,
];
