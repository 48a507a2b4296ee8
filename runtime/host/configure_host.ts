import { isAbsolute, join, resolve } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import type { FileGrants, Grants } from "../../schemas/grants.ts";
import { didYouMean, nearest } from "../../schemas/nearest.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import { openAuditLog } from "../calls/audit/audit_log.ts";
import type { CallControl } from "../calls/control.ts";
import { programFiles } from "../programs/box/program_view.ts";
import { findSelf, type Self } from "../self/find_self.ts";
import { stateFolder } from "../state/state_folder.ts";
import { expandHome } from "../walls/grants/expand_home.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { type OutputRules, type PlacedOutput, placeOutput } from "../walls/files/place_output.ts";
import { makeGrants } from "../walls/grants/make_grants.ts";
import { filesOfCommand } from "../walls/files/trusted_path.ts";
import { checkHostWords } from "../walls/net/check_host_words.ts";
import { matchesPattern } from "../walls/grants/permission.ts";
import { type NamedPolicy, namedPolicy } from "../walls/grants/policies.ts";
import { applyConfig } from "./apply_config.ts";
import { choosePolicy, keepPolicy } from "./config/choose_policy.ts";
import { withLimitNames } from "./config/full_names.ts";
import { ownConfigFolder } from "./config/find_config.ts";
import { frozenFiles } from "./config/frozen_files.ts";
import { loadConfig } from "./config/load_config.ts";
import type { LoadedConfig } from "./config/loaded_config.ts";
import type { SourceSettings } from "../sources/source.ts";
import { checkOverlay } from "./overlay/check_overlay.ts";
import type { HostSettings, LimitSettings } from "./host_settings.ts";
import { makeControl } from "./make_control.ts";
import { missingGrants } from "./options/missing_grants.ts";

/** Settings together with what the configuration files say. Close it with `using`. */
export interface ConfiguredHost extends Disposable {
  /** The settings, with the permissions, the sandbox and the bounds of the configuration and the policy. */
  settings: HostSettings;
  /** Real path of the workspace; `null` if there is no such folder. */
  workspace: string | null;
  loaded: LoadedConfig;
  policy: NamedPolicy;
  control: CallControl;
  /** Where tools come from besides the built-in ones. */
  sources: SourceSettings;
  /** Files that no tool of the run may write: the audit, the user's configuration, and the user's other outputs. */
  frozen: readonly string[];
}

/**
 * Reads the configuration files of a run, and tells what is odd about them. Needs `read`.
 *
 * @param tools All tools, so that a misspelt name is noticed
 * @throws {ToolError} `configuration`
 */
export function readHostConfig(
  { places: { cwd, workspace }, env, warn, config }: HostSettings,
  tools: readonly ManifestEntry[],
): LoadedConfig {
  const real = realOrNull(resolve(cwd, workspace));
  const loaded = config === false
    ? NO_CONFIG
    : loadConfig({ file: config.file, cwd, workspace: real, env: (name) => env[name] }, tools);
  loaded.warnings.forEach(warn);
  return loaded;
}

/**
 * Makes what stands between callers and tools. Must be called before the
 * process gives up permissions: needs `read`, and `write` for the audit.
 *
 * @param tools All tools, so that a misspelt name is noticed
 * @param loaded The configuration. @default the one of the files
 * @throws {ToolError} `configuration`, or `invalid_input` for an unknown policy
 */
export function configureHost(
  given: HostSettings,
  tools: readonly ManifestEntry[],
  loaded: LoadedConfig = readHostConfig(given, tools),
): ConfiguredHost {
  const settings = { ...given, limits: withLimitNames(given.limits, tools) };
  const { places: { cwd, workspace: spelled }, env, warn, control } = settings;
  missingGrants(given.grants, cwd, (path) => realOrNull(path) !== null).forEach(warn);
  const workspace = realOrNull(resolve(cwd, spelled));
  const policy = policyOf(settings, loaded);
  const sources = sourcesOf(settings, loaded);
  // The tools of sources are not known yet.
  if (!hasSources(sources)) checkLimitNames(settings.limits, tools);
  const places = { workspace: workspace ?? resolve(cwd, spelled), home: env.HOME ?? "/" };
  const applied = applyConfig(settings, { loaded, policy }, places);
  const rules = outputRules(applied, policy, workspace);
  const outputs = (control.outputs ?? []).map(({ path }) => placeOutput(path, rules()));
  const path = settings.runsCalls === false ? null : auditPath(settings, loaded);
  const audit = path === null ? null : placeOutput(path, rules());
  checkApart([...outputs, ...audit ? [audit] : []], control.inputs ?? []);
  control.outputs?.forEach((output, at) => output.open(outputs[at]!));
  const log = audit && openAuditLog(audit, { warn });
  return {
    settings: applied,
    workspace,
    loaded,
    policy,
    sources,
    control: makeControl(settings, { loaded, workspace, callsWrite: () => rules().calls, log }),
    frozen: [
      ...loaded.userFile === null ? [] : [loaded.userFile],
      ...frozenFiles(sources, { workspace, home: env.HOME ?? "" }),
      ...[...outputs, ...audit ? [audit] : []].map(({ real }) => real),
      // They run without a sandbox.
      ...Object.values(loaded.config.hooks ?? {}).flat().flatMap(filesOfCommand),
    ],
    [Symbol.dispose]: () => log?.[Symbol.dispose](),
  };
}

/**
 * Returns what a run may touch: the one place where policy, flags and configuration become grants. Needs `read`.
 *
 * @throws {ToolError} `configuration` if the workspace is no folder
 */
export function runGrants({ settings, policy, frozen, loaded }: ConfiguredHost, self: Self): Grants {
  const { places, grants: { policy: _, kept: __, ...flags } } = settings;
  const { cwd, workspace } = places;
  checkHostWords(flags);
  const grants = makeGrants({
    ...flags,
    policy: policy.base,
    commands: policy.commands,
    frozen,
  }, {
    own: [...ownFolders(settings.env, self), loaded.userFile].filter((path) => path !== null),
    workspace: resolve(cwd, workspace),
    cwd,
    realPath: Deno.realPathSync,
    within: places.within,
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

/** bulkhead's own folders: the state, the user's configuration, and code that rooms run. */
export function ownFolders(env: HostSettings["env"], { compiled }: Self): (string | null)[] {
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  return [state, ownConfigFolder((name) => env[name]), compiled?.own ?? null];
}

/**
 * Returns which files tools of a run of these settings might touch, without that anything of it is opened. Needs `read`.
 *
 * @param tools All tools, so that a misspelt name is noticed
 * @throws {ToolError} As {@linkcode configureHost} and {@linkcode runGrants} do
 */
export function filesGranted(given: HostSettings, tools: readonly ManifestEntry[]): FileGrants {
  using configured = configureHost({ ...given, runsCalls: false, control: {}, warn() {} }, tools);
  const { env, places, programs } = configured.settings;
  const grants = runGrants(
    configured,
    programs.process?.self ?? findSelf(places.mainUrl, (name) => env[name]),
  );
  const write = grants.deny.write === true ? [] : grants.allow.write;
  return { ...programFiles(grants, env.HOME ?? ""), write };
}

/** Each would overwrite the other, or what the run is about to read. */
function checkApart(outputs: readonly PlacedOutput[], inputs: readonly string[]): void {
  const files = outputs.filter(({ kind }) => kind !== "stream");
  const read = inputs.map(realOrNull);
  const input = files.find(({ real }) => read.includes(real));
  if (input) {
    throw new ToolError("invalid_input", `Cannot write "${input.asked}": it is read here, name another file`);
  }
  const twice = files.find(({ real }, at) => files.findIndex((other) => other.real === real) !== at);
  if (!twice) return;
  throw new ToolError(
    "invalid_input",
    `Cannot write "${twice.asked}": two outputs name it, name a file for each`,
  );
}

/** Most runs have no outputs but stdout. */
function outputRules(
  settings: HostSettings,
  { base }: NamedPolicy,
  workspace: string | null,
): () => OutputRules {
  const { grants: { policy: _, kept: __, ...flags }, places: { cwd } } = settings;
  let rules: OutputRules | undefined;
  return () =>
    rules ??= workspace === null ? { calls: true, workspace } : {
      calls:
        makeGrants({ ...flags, policy: base }, { workspace, cwd, realPath: Deno.realPathSync }).allow.write,
      workspace,
    };
}

const CODER = namedPolicy("coder", { base: "coder" });
const NO_CONFIG: LoadedConfig = {
  config: {},
  policies: {},
  policy: CODER,
  projectTools: {},
  projectLimits: {},
  projectAgents: {},
  userFile: null,
  projectFile: null,
  projectAdds: [],
  warnings: [],
};

function policyOf({ grants: { policy, kept } }: HostSettings, loaded: LoadedConfig): NamedPolicy {
  if (policy === undefined && kept) return keepPolicy(kept, loaded.policy);
  return typeof policy === "object"
    ? namedPolicy(policy.name ?? "custom", policy)
    : choosePolicy(policy, loaded);
}

/** Says whether a run has tools besides the built-in ones. */
export function hasSources(sources: SourceSettings): boolean {
  // Who looks for one server is told that there is none.
  return sources.only !== undefined ||
    Object.values(sources).some((some) => Array.isArray(some) && some.length > 0);
}

/** What the user named for this run, and what the configuration names for every run. */
function sourcesOf(
  { tools: { sources = {} } = {}, env }: HostSettings,
  { config, projectAdds: project, userFile }: LoadedConfig,
): SourceSettings {
  const { tool_files = [], script_tools = [], mcpServers = {}, mcp_context_limit } = config;
  const { files = [], scripts = [], mcp = [], mcpContextLimit = mcp_context_limit } = sources;
  const configured = tool_files
    .map((path) => expandHome(path, env.HOME))
    .filter((path) => !files.some((one) => one.path === path));
  return {
    ...sources,
    // The user named it for this run.
    project: project.filter(({ folder, name }) =>
      !mcp.some((place) => "file" in place && realOrNull(place.file) === join(folder, name))
    ),
    files: [...files, ...configured.map((path) => ({ path, isRequired: false }))],
    mcp: [
      ...mcp,
      ...Object.keys(mcpServers).length === 0
        ? []
        : [{ servers: mcpServers, from: userFile ?? "the configuration" }],
    ],
    mcpContextLimit,
    scripts: [
      ...scripts,
      ...script_tools.map((said, at) => ({
        ...{ said, at: `script_tools[${at}] of ${userFile}`, folder: "/", isRequired: false },
      })),
    ],
  };
}

/**
 * Checks the names of limits: a misspelt one would leave its tool as it is.
 *
 * @throws {ToolError} `invalid_input`
 */
export function checkLimitNames(
  { tools: limits = {} }: LimitSettings,
  tools: readonly ManifestEntry[],
): void {
  const patterns = Object.keys(limits);
  const names = tools.map((tool) => tool.full_name);
  for (const pattern of patterns) {
    if (names.some((name) => matchesPattern(pattern, name))) continue;
    const bare = pattern.replace(/^\*\//, "");
    const hint = didYouMean(nearest(bare, bare === pattern ? names : names.map(bareName), { max: 1 }));
    throw new ToolError(
      "invalid_input",
      `Cannot limit ${JSON.stringify(bare)}: no tool has this name${hint}`,
    );
  }
}

function bareName(fullName: string): string {
  return fullName.slice(fullName.indexOf("/") + 1);
}

/** A given path starts at the user's folder. The configuration's is absolute or begins with `~/`. */
function auditPath(
  { places, control: { audit }, env }: HostSettings,
  { config }: LoadedConfig,
): string | null {
  if (typeof audit === "function") return null;
  if (audit !== undefined) return resolve(places.cwd, audit);
  if (config.audit === undefined) return null;
  const path = expandHome(config.audit, env.HOME);
  if (isAbsolute(path)) return path;
  throw new ToolError(
    "configuration",
    `Cannot use "${config.audit}" for the audit: in the configuration it must be absolute or begin with ~/`,
  );
}
