import { CommandReader } from "../programs/launch/command_reader.ts";
import { join, resolve } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import type { Catalog } from "../calls/catalog/catalog.ts";
import { CallLine } from "../calls/call_line.ts";
import type { Machine } from "../calls/machine.ts";
import { Journal } from "../programs/journal/journal.ts";
import { makeJudge } from "../programs/launch/judge_command.ts";
import { GIT_VARIABLES, PROGRAM_VARIABLES } from "../programs/launch/environment.ts";
import { programFiles } from "../programs/box/program_view.ts";
import { type FindToolchains, NO_TOOLCHAINS, type Toolchains } from "../programs/toolchains/toolchains.ts";
import type { UserPrograms } from "../programs/process/make_program_host.ts";
import { makePlaces, type Places } from "../rooms/places.ts";
import { findSelf } from "../self/find_self.ts";
import {
  type ArtifactFolder,
  KEPT_MS,
  makeArtifactFolder,
  removeOldRuns,
  runsOfWorkspace,
} from "../state/artifact_folder.ts";
import { checkSession } from "../state/sessions/check_session.ts";
import { hiddenOwn, stateFolder } from "../state/state_folder.ts";
import { diskSession, memorySession, sessionFolder } from "../state/tool_state.ts";
import { type BoxChoice, chooseBox } from "../walls/box/choose_box.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { SYSTEM_PATH, trustedPrograms } from "../walls/files/trusted_path.ts";
import { makeGrants } from "../walls/grants/make_grants.ts";
import type { LoadedConfig } from "./config/loaded_config.ts";
import { checkedCarrier } from "./checked_carrier.ts";
import { ownConfigFolder } from "./config/find_config.ts";
import { typeTools } from "./config/response_types.ts";
import { type ConfiguredHost, configureHost } from "./configure_host.ts";
import { type ChangeKeeper, keepChanges } from "./keep_changes.ts";
import { checkOverlay } from "./overlay/check_overlay.ts";
import { DEFAULT_PARALLEL, type HostSettings } from "./host_settings.ts";
import { makeRoomMachine } from "./make_machine.ts";
import type { UserVariables } from "./make_programs.ts";

/** A run that is set up: its tools, its walls, and what its calls share. Close it with `await using`. */
export interface Host extends Machine, AsyncDisposable {
  /** All tools of the run. */
  catalog: Catalog;
  box: BoxChoice;
  places: Places;
  programs: UserPrograms;
  /** The toolchains that boxed programs see; found at the first question. */
  toolchains: FindToolchains;
  /** What the configuration files say. */
  loaded: LoadedConfig;
  /** Settles when it was looked at what killed runs left; calls wait for it. `null` if they left nothing. */
  tidied: Promise<void> | null;
}

/** Options of {@linkcode openHost}. */
export interface OpenHostOptions {
  manifest: Manifest;
  /** What {@linkcode configureHost} made of the same settings, if it was asked before: then the caller closes it. */
  configured?: ConfiguredHost;
  /** Id of the session that keeps tools' state and files. @default that of the settings */
  session?: string | undefined;
  /** What the run changes can be undone, unless the settings say otherwise. @default false */
  undo?: boolean;
}

/**
 * Sets a run up: the one place where grants, rooms, programs, session, configuration and audit come together. Needs
 * `read`; `write` for the audit, and what the calls will need.
 *
 * @throws {ToolError} `configuration` if the workspace does not exist or a configuration file cannot be used
 */
export function openHost(given: HostSettings, options: OpenHostOptions): Host {
  const { manifest } = options;
  const configured = options.configured ?? configureHost(given, manifest.tools);
  const { settings } = configured;
  const { env, places: { mainUrl, sandbox = "auto" }, limits, programs } = settings;
  const home = realHome(env.HOME ?? "");
  const grants = grantsOf(configured);
  // What is refused is refused before anything begins.
  const tools = typeTools(manifest.tools, settings.responseTypes, configured.loaded);
  const searchPath = env.PATH ?? "/usr/bin:/bin";
  const box = chooseBox({ mode: sandbox, searchPath, programs: trustedPrograms(searchPath, grants) });
  const { find } = trustedPrograms(`${SYSTEM_PATH}:${searchPath}`, grants);
  const places = makePlaces(findSelf(mainUrl, (name) => env[name]), { box, find });
  const { maxParallel = DEFAULT_PARALLEL, maxCallMs } = limits;
  const kept = keptState(settings, { ...options, home: env.HOME ?? "", workspace: grants.workspace });
  const line = new CallLine(maxParallel);
  const machine: Machine = { grants, home, artifacts: kept.artifacts, control: configured.control, line };
  const reader = new CommandReader();
  const toolchains = toolchainsOf(configured, { grants, home, searchPath, state: kept.folder });
  const made = makeRoomMachine({
    machine,
    box,
    rooms: { openLink: places.openLink, maxIdle: maxParallel, warm: places.warm },
    state: settings.places.state ?? kept.state,
    searchPath,
    judge: makeJudge(grants, reader.read, configured.policy.filter),
    expectCommands: () => reader.start(),
    variables: variablesOf(settings, manifest),
    // Programs must not see the state of other sessions.
    sight: {
      toolchains,
      gitSettings: gitSettingsOf(env, { home, grants }),
      hide: () => hiddenOwn(grants, ownFolders(env)),
    },
    limits: programs.limits,
    maxCallMs,
    process: { journal: kept.journal, warn: settings.warn, ...programs.process },
  }, keeperOf(settings, { ...options, workspace: grants.workspace, folder: kept.folder }));
  return {
    ...machine,
    catalog: {
      entries: tools.map(({ tool, refine }) => ({
        tool,
        carrier: refine ? checkedCarrier(made.carrier, refine) : made.carrier,
      })),
      defaultToolset: manifest.default_toolset,
    },
    box,
    places,
    programs: made.programs,
    toolchains,
    loaded: configured.loaded,
    tidied: made.tidied,
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      reader[Symbol.dispose]();
      if (!options.configured) configured[Symbol.dispose]();
    },
  };
}

/** In an overlay, what is there already can be dropped as a whole. */
function keeperOf(
  { places: { undo, overlay }, warn }: HostSettings,
  { undo: usual = false, session, workspace, folder }: OpenHostOptions & {
    workspace: string;
    folder: string | null;
  },
): ChangeKeeper | undefined {
  if (!(undo ?? usual) || overlay || session === undefined || folder === null) return undefined;
  return keepChanges({ state: realOrNull(folder) ?? folder, session, workspace, warn });
}

/** They are looked for once, with the first program that runs in a sandbox. */
function toolchainsOf(
  { settings }: ConfiguredHost,
  { grants, home, searchPath, state }: {
    grants: Grants;
    home: string;
    searchPath: string;
    state: string | null;
  },
): FindToolchains {
  const { env, grants: { toolchains } } = settings;
  let found: Promise<Toolchains> | undefined;
  const find = async () => {
    if (toolchains === "off") return NO_TOOLCHAINS;
    const { findToolchains } = await import("../programs/toolchains/find_toolchains.ts");
    const files = programFiles(grants, home);
    return await findToolchains({
      files,
      home: env.HOME ?? "",
      searchPath,
      env,
      network: grants.shareNet,
      memory: state && join(state, "toolchains.json"),
    });
  };
  return () => found ??= find();
}

/** They are read once, with the first program that runs in a sandbox. */
function gitSettingsOf(
  env: HostSettings["env"],
  { home, grants: { workspace } }: { home: string; grants: Grants },
): () => Promise<string> {
  let read: Promise<string> | undefined;
  const settings = async () => {
    const { gitIdentity } = await import("../programs/git/git_identity.ts");
    return gitIdentity({ home, workspace, env });
  };
  return () => read ??= settings();
}

function realHome(home: string): string {
  return home === "" ? "" : realOrNull(home) ?? home;
}

/** bulkhead's own folders: the state, and the user's configuration. */
function ownFolders(env: HostSettings["env"]): (string | null)[] {
  return [stateFolder(env.XDG_STATE_HOME, env.HOME ?? ""), ownConfigFolder((name) => env[name])];
}

function grantsOf({ settings, policy, frozen, loaded }: ConfiguredHost): Grants {
  const { places, grants: { policy: _, kept: __, ...flags } } = settings;
  const { cwd, workspace } = places;
  const grants = makeGrants({
    ...flags,
    policy: policy.base,
    commands: policy.commands,
    frozen,
  }, {
    own: [...ownFolders(settings.env), loaded.userFile].filter((path) => path !== null),
    workspace: resolve(cwd, workspace),
    cwd,
    realPath: Deno.realPathSync,
  });
  if (places.overlay) checkOverlay(grants);
  // What stands in a copy is executed by programs of this run alone, and the sandbox holds those.
  const isCopy = places.overlay === true && places.sandbox !== "off";
  if (Deno.statSync(grants.workspace).isDirectory) return { ...grants, isCopy };
  throw new ToolError(
    "configuration",
    `Cannot use "${grants.workspace}" as the workspace: it is not a folder`,
  );
}

/** Where tools' state and the files that calls leave are kept: with the session, or for a while. */
function keptState(
  { env, places, runsCalls = true }: HostSettings,
  { session = places.session, home, workspace }: OpenHostOptions & { home: string; workspace: string },
) {
  const folder = stateFolder(env.XDG_STATE_HOME, home);
  // What is left in an overlay is no matter of runs outside, and theirs is none of a run in it.
  const keepsRecords = runsCalls && !places.overlay;
  const journal = new Journal(keepsRecords && folder !== null ? join(folder, "running") : null);
  if (session === undefined) {
    return { folder, journal, state: memorySession(), artifacts: passingArtifacts(folder, workspace) };
  }
  const own = sessionFolder(existing(folder), session);
  checkSession(existing(folder), session);
  const path = join(own, "artifacts");
  const artifacts = makeArtifactFolder(() => path, { made: realOrNull(path) });
  return { folder, journal, state: diskSession(own), artifacts };
}

/** What a run leaves, later runs in the same workspace may read. */
function passingArtifacts(folder: string | null, workspace: string): ArtifactFolder {
  const runs = () => join(existing(folder), "runs");
  const shared = folder === null ? null : runsOfWorkspace(runs(), workspace);
  const path = () => join(shared ?? runs(), crypto.randomUUID());
  const onMade = () => removeOldRuns(runs(), { olderThan: new Date(Date.now() - KEPT_MS) });
  return makeArtifactFolder(path, {
    onMade,
    ...(shared !== null && { shared: { found: realOrNull(shared) } }),
  });
}

function variablesOf({ env, programs }: HostSettings, { tools }: Manifest): UserVariables {
  return {
    programs: pick(env, [...PROGRAM_VARIABLES, ...programs.allowEnv ?? []]),
    tools: pick(env, tools.flatMap((tool) => tool.settings)),
    git: pick(env, GIT_VARIABLES),
  };
}

/** The variables of these names that are set. */
function pick(env: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => env[name] === undefined ? [] : [[name, env[name]]]));
}

function existing(folder: string | null): string {
  if (folder !== null) return folder;
  throw new ToolError(
    "configuration",
    "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path",
  );
}
