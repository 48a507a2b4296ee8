import { join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { Journal } from "../programs/journal/journal.ts";
import {
  type ArtifactFolder,
  KEPT_MS,
  makeArtifactFolder,
  runsOfWorkspace,
} from "../state/artifact_folder.ts";
import { OwnedRuns, removeOldRuns } from "../state/owned_runs.ts";
import { type ApartFolder, makeApartFolder } from "../state/apart_folder.ts";
import { checkSession } from "../state/sessions/check_session.ts";
import { stateFolder } from "../state/state_folder.ts";
import { diskSession, memorySession, sessionFolder, type ToolState } from "../state/tool_state.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import type { HostSettings } from "./host_settings.ts";

/** Name of the folder of programs that run apart, in that of the session or of the run. */
const APART = "apart";

/** What {@linkcode keptState} needs beside the settings. */
export interface KeptPlace {
  /** Id of the session. @default that of the settings */
  session?: string | undefined;
  home: string;
  workspace: string;
  /** The files are for this run alone. @default false */
  alone?: boolean;
}

/** What outlives a call. */
export interface KeptState {
  /** Where bulkhead keeps what outlives a run; `null` if there is no place. */
  folder: string | null;
  journal: Journal;
  state: ToolState;
  artifacts: ArtifactFolder;
  apart: ApartPlace;
  /** Other runs may tidy up what this one leaves, once it is old. */
  end(): void;
}

/** The place of programs that run apart from the user's files. */
export interface ApartPlace extends ApartFolder {
  /** The words of a command that reaches it on another machine, where this machine's folder is not used. */
  remote: readonly string[] | undefined;
}

/** Says where tools' state and the files that calls leave are kept: with the session, or for a while. Needs `read`. */
export function keptState(
  { env, places, programs: { remote }, runsCalls = true }: HostSettings,
  { session = places.session, home, workspace, alone = false }: KeptPlace,
): KeptState {
  const folder = stateFolder(env.XDG_STATE_HOME, home);
  // What is left in an overlay is no matter of runs outside, and theirs is none of a run in it.
  const keepsRecords = runsCalls && !places.overlay;
  const journal = new Journal(keepsRecords && folder !== null ? join(folder, "running") : null);
  if (session === undefined) {
    const owned = new OwnedRuns(() => join(existing(folder), "runs"));
    const own = () => join(owned.begin(), APART);
    return {
      folder,
      journal,
      state: memorySession(),
      artifacts: passingArtifacts(folder, { workspace: alone ? null : workspace, owned }),
      apart: { ...makeApartFolder(own, { keeps: false }), remote },
      end: () => owned.end(),
    };
  }
  const own = sessionFolder(existing(folder), session);
  checkSession(existing(folder), session);
  const path = join(own, "artifacts");
  const artifacts = makeArtifactFolder(() => path, { made: realOrNull(path) });
  const apart = { ...makeApartFolder(() => join(own, APART), { keeps: true }), remote };
  return { folder, journal, state: diskSession(own), artifacts, apart, end() {} };
}

/** What a run leaves, later runs in the same workspace may read; `null`: nobody else may. */
function passingArtifacts(
  folder: string | null,
  { workspace, owned }: { workspace: string | null; owned: OwnedRuns },
): ArtifactFolder {
  const runs = () => join(existing(folder), "runs");
  const shared = folder === null || workspace === null ? null : runsOfWorkspace(runs(), workspace);
  const path = () => owned.begin(shared ?? runs());
  const onMade = () => removeOldRuns(runs(), { olderThan: new Date(Date.now() - KEPT_MS) });
  return makeArtifactFolder(path, {
    onMade,
    ...(shared !== null && { shared: { found: realOrNull(shared) } }),
  });
}

function existing(folder: string | null): string {
  if (folder !== null) return folder;
  throw new ToolError(
    "configuration",
    "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path",
  );
}
