import { CommandReader } from "../programs/launch/command_reader.ts";
import { join } from "@std/path";

import type { Model } from "../../schemas/agent/model.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import { findChromium } from "../browser/find_chromium.ts";
import type { Carrier } from "../calls/catalog/carrier.ts";
import type { Catalog } from "../calls/catalog/catalog.ts";
import { CallLine } from "../calls/call_line.ts";
import type { Machine } from "../calls/machine.ts";
import { makeJudge } from "../programs/launch/judge_command.ts";
import { GIT_VARIABLES, pickVariables, PROGRAM_VARIABLES } from "../programs/launch/environment.ts";
import { boxNetwork } from "../programs/network/box_network.ts";
import { START_VARIABLE } from "../desktop/find_desktop.ts";
import { programFiles } from "../programs/box/program_view.ts";
import { type FindToolchains, NO_TOOLCHAINS, type Toolchains } from "../programs/toolchains/toolchains.ts";
import type { ProgramNetwork } from "../programs/network/program_network.ts";
import { seenGateFolders } from "../net/seen_gate_folders.ts";
import { makePlaces, type Places } from "../rooms/places.ts";
import { findSelf, type Self } from "../self/find_self.ts";
import { type LazySources, lazySources, type ReadyOptions } from "../sources/open/lazy_sources.ts";
import type { SourceHost, SourceState } from "../sources/source.ts";
import { hiddenOwn } from "../state/state_folder.ts";
import { type BoxChoice, chooseBox, type SandboxMode } from "../walls/box/choose_box.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { SYSTEM_PATH, trustedPrograms } from "../walls/files/trusted_path.ts";
import type { LoadedConfig } from "./config/loaded_config.ts";
import { checkedCarrier } from "./checked_carrier.ts";
import { type TypedTool, typeTools } from "./config/response_types.ts";
import {
  checkLimitNames,
  type ConfiguredHost,
  configureHost,
  hasSources,
  ownFolders,
  runGrants,
} from "./configure_host.ts";
import { type ChangeKeeper, keepChanges } from "./keep_changes.ts";
import { DEFAULT_PARALLEL, type HostSettings } from "./host_settings.ts";
import { makeApartPages } from "./net/apart_pages.ts";
import { bypassesProxies } from "./net/gate_surroundings.ts";
import { keptState } from "./kept_state.ts";
import { type MachineParts, makeRoomMachine } from "./make_machine.ts";
import type { RunPrograms, UserVariables } from "./make_programs.ts";
import { makeProgramNetwork } from "./net/program_network.ts";
import { borrowGate, makeRunGate, type RunGate } from "./net/run_gate.ts";

/** A run that is set up: its tools, its walls, and what its calls share. Close it with `await using`. */
export interface Host extends Machine, AsyncDisposable {
  /** All tools of the run; those of its sources once it is ready. None of them goes or gets another name. */
  catalog: Catalog;
  /**
   * Loads the tools of the sources, all at once and each within its time, and adds them to the catalog; later calls add
   * what sources have added since. Does nothing for a run without sources, and costs next to nothing where none has
   * said that it has more.
   *
   * @returns How each source is doing
   * @throws {ToolError} `configuration` if two tools have one name, `cancelled` at the signal, and the failure of a
   * source that was named for this run. The failure of another one is a warning
   */
  ready(options?: ReadyOptions): Promise<readonly SourceState[]>;
  box: BoxChoice;
  places: Places;
  gate: RunGate;
  /** The way of boxed programs to the gate, also where they are granted nothing that it leads to. */
  network: ProgramNetwork;
  programs: RunPrograms;
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
  /** The gate of another host that is granted the same of the network; that one ends it. @default its own */
  gate?: RunGate;
  /** Files that calls leave are for this host alone, not for other runs in the workspace. @default false */
  alone?: boolean;
  /** The model of the run. @default there is none */
  model?: Model | undefined;
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
  const { manifest, model } = options;
  const configured = options.configured ?? configureHost(given, manifest.tools);
  const { settings, control } = configured;
  const { env, places: { mainUrl, sandbox = "auto" }, limits, programs, control: { telemetry } } = settings;
  const home = realHome(env.HOME ?? "");
  const self = programs.process?.self ?? findSelf(mainUrl, (name) => env[name]);
  const grants = runGrants(configured, self);
  // What is refused is refused before anything begins.
  const tools = builtInTools(configured, manifest);
  const searchPath = env.PATH ?? "/usr/bin:/bin";
  const box = boxOfRun(sandbox, { searchPath, grants, self });
  const { find } = trustedPrograms(`${SYSTEM_PATH}:${searchPath}`, grants);
  const places = makePlaces(self, { box, find, bypassed: bypassesProxies(env) });
  const gate = options.gate ? borrowGate(options.gate) : makeRunGate({ ...settings, ...programs });
  const { maxParallel = DEFAULT_PARALLEL, maxCallMs } = limits;
  const kept = keptState(settings, { ...options, home: env.HOME ?? "", workspace: grants.workspace });
  const network = makeProgramNetwork({ grants, box, gate, self, find });
  const line = new CallLine(maxParallel);
  const pages = makeApartPages({ box, self, grants, folder: kept.apart, isSingle: settings.places.isSingle });
  const { artifacts } = kept;
  const machine: Machine = { grants, home, artifacts, control, line, maxCallMs, model, telemetry };
  const reader = new CommandReader();
  const toolchains = toolchainsOf(configured, { grants, home, searchPath, state: kept.folder });
  const made = makeRoomMachine({
    ...{ machine, box, searchPath, gate },
    rooms: { openLink: places.openLink, maxIdle: maxParallel, warm: places.warm, telemetry },
    ...{ state: settings.places.state ?? kept.state, pages },
    judge: makeJudge(grants, reader.read, configured.policy.filter),
    expectCommands: () => reader.start(),
    ...screensOf(env, { find, isOwn: programs.display === true, userBrowser: programs.browserUrl }),
    variables: variablesOf(settings, manifest),
    ...{ network: boxNetwork(grants) === "gate" ? network : null, narrow: { network, env } },
    sight: {
      ...{ toolchains, ...memoryOf(grants, kept.folder) },
      gitSettings: gitSettingsOf(env, { home, grants }),
      hide: () => hiddenFrom(grants, { env, self, gate }),
    },
    ...{ limits: programs.limits, maxCallMs },
    process: { journal: kept.journal, warn: settings.warn, apart: kept.apart, ...programs.process },
  }, keeperOf(settings, { ...options, workspace: grants.workspace, folder: kept.folder }));
  const catalog = catalogOf(tools, manifest.default_toolset, made.carrier);
  const sources = sourcesOf(configured, catalog, {
    ...{ machine, env, cwd: settings.places.cwd, programs: made.programs, box },
    ...{ rooms: made.rooms, programsFor: made.programs.narrowed, gate },
    roomCarrier: (module) => made.moduleCarrier(module, pickVariables(env, programs.allowEnv ?? [])),
    ...{ trust: settings.tools?.trust, warn: settings.warn },
  });
  return {
    ...{ ...machine, catalog, ready: sources.ready, box, places, gate, network, toolchains },
    ...{ programs: made.programs, loaded: configured.loaded, tidied: made.tidied, plans: made.plans },
    async [Symbol.asyncDispose]() {
      await sources.end();
      await made[Symbol.asyncDispose]();
      await Promise.all([network.end(), pages.end(), kept.end()]);
      reader[Symbol.dispose]();
      if (!options.configured) configured[Symbol.dispose]();
    },
  };
}

function builtInTools({ settings, loaded }: ConfiguredHost, manifest: Manifest): TypedTool[] {
  const { builtIn = true, responseTypes } = settings.tools ?? {};
  return typeTools(builtIn ? manifest.tools : [], responseTypes, loaded);
}

function boxOfRun(
  mode: SandboxMode,
  { searchPath, grants, self }: { searchPath: string; grants: Grants; self: Self },
): BoxChoice {
  const programs = trustedPrograms(searchPath, grants);
  return chooseBox({ mode, searchPath, programs, launcher: self.launcher });
}

/** What shows pages and windows, found once a tool needs it. */
function screensOf(
  env: HostSettings["env"],
  { find, isOwn, userBrowser }: {
    find(name: string): string | null;
    isOwn: boolean;
    userBrowser: string | undefined;
  },
): Pick<MachineParts, "findBrowser" | "userBrowser" | "desktop"> {
  return {
    userBrowser,
    findBrowser: () => findChromium(env, find)?.path ?? null,
    desktop: { find, start: env[START_VARIABLE], ...isOwn && { userDisplay: env } },
  };
}

function sourcesOf({ sources, settings }: ConfiguredHost, catalog: Catalog, host: SourceHost): LazySources {
  return lazySources({
    ...{ sources: hasSources(sources) ? sources : null, catalog, host },
    onLoaded: () => checkLimitNames(settings.limits, catalog.entries.map(({ tool }) => tool)),
  });
}

/** What programs must not see: the state of other sessions, and the doors of tools and of other runs. */
function hiddenFrom(
  grants: Grants,
  { env, self, gate: { knownFolder } }: { env: HostSettings["env"]; self: Self; gate: RunGate },
): string[] {
  const doors = [...seenGateFolders(grants), ...knownFolder === null ? [] : [knownFolder]];
  return [...new Set([...hiddenOwn(grants, ownFolders(env, self)), ...doors])];
}

/** What a tool of the user's own type returns is checked against it. */
function catalogOf(tools: readonly TypedTool[], defaultToolset: string, carrier: Carrier): Catalog {
  return {
    entries: tools.map(({ tool, refine }) => ({
      tool,
      carrier: refine ? checkedCarrier(carrier, refine) : carrier,
    })),
    defaultToolset,
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
      network: boxNetwork(grants) !== "none",
      memory: state && join(state, "toolchains.json"),
    });
  };
  return () => found ??= find();
}

/** Known by the end of its path: where two workspaces share a file, each looks through all again. */
function memoryOf({ workspace }: Grants, state: string | null): { memory?: string } {
  return state === null
    ? {}
    : { memory: join(state, "seen", `${workspace.replace(/[^\w.-]/g, "_").slice(-200)}.json`) };
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

function variablesOf({ env, programs }: HostSettings, { tools }: Manifest): UserVariables {
  return {
    programs: pickVariables(env, [...PROGRAM_VARIABLES, ...programs.allowEnv ?? []]),
    tools: pickVariables(env, tools.flatMap((tool) => tool.settings)),
    git: pickVariables(env, GIT_VARIABLES),
  };
}
