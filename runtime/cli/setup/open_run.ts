import { dirname, join, resolve } from "node:path";

import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import {
  type ArtifactFolder,
  KEPT_MS,
  makeArtifactFolder,
  removeOldRuns,
} from "../../state/artifact_folder.ts";
import { makeGrants } from "../../walls/grants/make_grants.ts";
import { makeMachine } from "../../host/make_machine.ts";
import { makePlaces, type Places } from "../../rooms/places.ts";
import { type BoxChoice, chooseBox } from "../../walls/box/choose_box.ts";
import { PROGRAM_VARIABLES } from "../../programs/launch/environment.ts";
import type { Machine } from "../../calls/machine.ts";
import { findSelf } from "../../self/find_self.ts";
import { diskSession, memorySession, sessionFolder } from "../../state/tool_state.ts";
import { hiddenState, stateFolder } from "../../state/state_folder.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { trustedPath } from "../../walls/files/trusted_path.ts";
import { type ConfiguredRun, configureRun } from "./configure_run.ts";
import { type Io, userFolder } from "../io/io.ts";
import type { Options } from "../args/option_table.ts";

/** Calls at once unless `--max-parallel` says otherwise. */
export const DEFAULT_PARALLEL = 3;

/** A run that is set up: grants, rooms, programs, session. Close it with `await using`. */
export interface Run extends AsyncDisposable {
  grants: Grants;
  box: BoxChoice;
  places: Places;
  machine: Machine;
  maxParallel: number;
  /** The configuration files that hold for it. */
  configFiles: readonly string[];
}

/** What a run is for. */
export interface RunPlan {
  /** All tools there are. */
  tools: readonly ManifestEntry[];
  /** Those that it may call. */
  called: readonly ManifestEntry[];
  /** Calls will really run: there is an audit to keep. @default false */
  runsCalls?: boolean;
  /** Stdin is read for something else, so that nobody can answer there. @default false */
  stdinTaken?: boolean;
  /** Main itself goes on to write: a trace, a recording. @default false */
  keepsFiles?: boolean;
  /** What {@linkcode configureRun} made of the same options, if it was asked before: then whoever asked closes it. */
  configured?: ConfiguredRun;
}

/**
 * Sets a run up from configuration and the command line's options, and gives up what none of its tools can need.
 *
 * @throws {ToolError} `configuration` if the workspace does not exist or a configuration file cannot be used
 */
export function startRun(options: Options, io: Io, plan: RunPlan): Run {
  const configured = plan.configured ?? configureRun(options, io, plan);
  const grants = readGrants(options, io, configured);
  const home = io.env("HOME") ?? "";
  const maxParallel = options.maxParallel ?? DEFAULT_PARALLEL;
  const searchPath = io.env("PATH") ?? "/usr/bin:/bin";
  const ownPath = trustedPath(searchPath, grants);
  const box = chooseBox({ mode: options.sandbox ?? "auto", searchPath: ownPath });
  const places = makePlaces(findSelf(io.mainUrl, io.env), { box, searchPath: ownPath });
  const state = stateFolder(io.env("XDG_STATE_HOME"), home);
  const machine = makeMachine({
    grants,
    home: home === "" ? "" : realOrNull(home) ?? home,
    box,
    places,
    session: options.session === undefined
      ? memorySession()
      : diskSession(sessionFolder(existing(state), options.session)),
    artifacts: runArtifacts(state, options.session),
    searchPath,
    env: readNames([...PROGRAM_VARIABLES, ...options.allowEnv ?? []], io.env),
    settings: readNames(plan.called.flatMap(({ settings }) => settings), io.env),
    // Programs have no business with the state of other sessions.
    hide: plan.runsCalls && plan.called.some(({ needs }) => needs.run) ? hiddenState(state, grants) : [],
    limits: configured.config.programs,
    dispatch: configured.dispatch,
    maxIdle: maxParallel,
    maxCallMs: options.timeout === undefined ? undefined : options.timeout * 1000,
  });
  giveUp(grants, options, plan);
  return {
    grants,
    box,
    places,
    machine,
    maxParallel,
    configFiles: configured.files,
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]();
      if (!plan.configured) configured[Symbol.dispose]();
    },
  };
}

function readGrants(options: Options, io: Io, { policy, frozen }: ConfiguredRun): Grants {
  const cwd = userFolder(io);
  const denyWrite = options.denyWrite === true ? true : [...options.denyWrite ?? [], ...frozen];
  const grants = makeGrants({
    policy: policy.base,
    commands: policy.commands,
    allowAll: options.allowAll ?? false,
    allow: {
      read: options.allowRead,
      write: options.allowWrite,
      net: options.allowNet,
      run: options.allowRun,
    },
    deny: {
      read: options.denyRead,
      write: denyWrite,
      net: options.denyNet,
      run: options.denyRun,
    },
    allowSecrets: options.allowSecrets ?? [],
    allowPrivateNet: options.allowPrivateNet,
    shareNet: options.shareNet ?? false,
    sandboxShow: options.sandboxShow ?? [],
  }, { workspace: resolve(cwd, options.workspace ?? "."), cwd, realPath: Deno.realPathSync });
  if (Deno.statSync(grants.workspace).isDirectory) return grants;
  throw new ToolError(
    "configuration",
    `Cannot use "${grants.workspace}" as the workspace: it is not a folder`,
  );
}

/** Main keeps no permission that nothing of this run can need; there is no way back. */
function giveUp(grants: Grants, options: Options, { called: tools, keepsFiles }: RunPlan): void {
  // No tool of this version reaches the network.
  for (const name of ["net", "ffi", "env"] as const) Deno.permissions.revokeSync({ name });
  // While programs run, the free space of disks is watched, and all their output may have to be kept.
  if (tools.some(({ needs }) => needs.run !== undefined)) return;
  Deno.permissions.revokeSync({ name: "sys" });
  if (keepsFiles || tools.some(({ leaves_files }) => leaves_files)) return;
  const writes = grants.allow.write === true || grants.allow.write.length > 0;
  if (!writes && options.session === undefined && options.output === undefined) {
    Deno.permissions.revokeSync({ name: "write" });
  }
}

/** Where the files are kept that calls leave: with the session, or for a while in a folder of the run alone. */
function runArtifacts(state: string | null, session: string | undefined): ArtifactFolder {
  if (session !== undefined) {
    const path = join(sessionFolder(existing(state), session), "artifacts");
    return makeArtifactFolder(() => path, { made: realOrNull(path) });
  }
  const path = () => join(existing(state), "runs", crypto.randomUUID());
  const onMade = (made: string) =>
    removeOldRuns(dirname(made), { olderThan: new Date(Date.now() - KEPT_MS) });
  return makeArtifactFolder(path, { onMade });
}

/** The variables of the user's environment that are set, of these names. */
function readNames(
  names: readonly string[],
  getEnv: (name: string) => string | undefined,
): Record<string, string> {
  const values = names.map((name) => [name, getEnv(name)] as const);
  return Object.fromEntries(values.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function existing(folder: string | null): string {
  if (folder !== null) return folder;
  throw new ToolError(
    "configuration",
    "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path",
  );
}
