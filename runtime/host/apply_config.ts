import { resolve } from "@std/path";

import { ACCESS_KINDS, type AccessKind } from "../../schemas/access.ts";
import type { Config } from "../../schemas/config.ts";
import { expandHome } from "../walls/grants/expand_home.ts";
import type { GrantFlag } from "../walls/grants/make_grants.ts";
import type { NamedPolicy } from "../walls/grants/policies.ts";
import type { HostSettings } from "./host_settings.ts";
import type { LoadedConfig } from "./config/loaded_config.ts";
import { strictestLimits } from "./config/strictest_limits.ts";

type Lists = Partial<Record<AccessKind, GrantFlag>>;

/**
 * Returns the settings of a run together with what its configuration and its policy say. Lists add up, what is denied
 * stays denied, and a single value of the settings wins.
 *
 * @param places Where paths of the configuration start: the workspace, and the user's home for `~/`
 */
export function applyConfig(
  settings: HostSettings,
  { loaded, policy }: { loaded: LoadedConfig; policy: NamedPolicy },
  places: { workspace: string; home: string },
): HostSettings {
  const { grants, programs, places: given } = settings;
  const { programs: bounds = {} } = loaded.config;
  // A resumed session has what the configuration allowed when it began; it may only become stricter.
  const { permissions = {}, sandbox = {} } = grants.kept ? stricterPart(loaded.config) : loaded.config;
  const path = (text: string) => resolve(places.workspace, expandHome(text, places.home));
  const deny = addLists(grants.deny, pathsOf(permissions.deny, path));
  const shared = grants.shareNet ?? sandbox.share_net ?? policy.shareNet;
  return {
    ...settings,
    grants: {
      ...grants,
      allow: addLists(grants.allow, pathsOf(permissions.allow, path)),
      deny: { ...deny, ...Object.fromEntries(policy.without.map((kind) => [kind, true])) },
      allowSecrets: [...grants.allowSecrets ?? [], ...(permissions.secrets ?? []).map(path)],
      allowPrivateNet: add(grants.allowPrivateNet, permissions.private_net),
      shareNet: shared && !policy.without.includes("net"),
      toolchains: grants.toolchains ?? sandbox.toolchains,
      sandboxShow: [...grants.sandboxShow ?? [], ...(sandbox.show ?? []).map(path)],
    },
    programs: {
      ...programs,
      remote: programs.remote ?? loaded.config.sandbox?.remote,
      allowEnv: [...programs.allowEnv ?? [], ...permissions.env ?? []],
      limits: {
        ...strictestLimits({ ...bounds, ...policy.programs }, loaded.projectLimits),
        ...programs.limits,
      },
    },
    places: { ...given, sandbox: given.sandbox ?? sandbox.mode },
  };
}

function stricterPart({ permissions, sandbox }: Config): Pick<Config, "permissions" | "sandbox"> {
  const { mode, toolchains } = sandbox ?? {};
  return {
    permissions: permissions?.deny ? { deny: permissions.deny } : {},
    sandbox: {
      ...mode === "require" || mode === "namespaces" ? { mode } : {},
      ...toolchains === "off" ? { toolchains } : {},
    },
  };
}

function pathsOf(lists: Lists = {}, path: (text: string) => string): Lists {
  const real = (kind: AccessKind, list: GrantFlag) =>
    Array.isArray(list) && (kind === "read" || kind === "write") ? list.map(path) : list;
  return Object.fromEntries(ACCESS_KINDS.map((kind) => [kind, real(kind, lists[kind])]));
}

function addLists(first: Lists = {}, second: Lists = {}): Lists {
  return Object.fromEntries(ACCESS_KINDS.map((kind) => [kind, add(first[kind], second[kind])]));
}

function add(first: GrantFlag, second: GrantFlag): GrantFlag {
  if (first === undefined || second === undefined) return first ?? second;
  return first === true || second === true ? true : [...first, ...second];
}
