import { ACCESS_KINDS } from "../../../../schemas/access.ts";
import type { SessionPolicy, SessionSettings } from "../../../../schemas/agent/session_settings.ts";
import type { CommandRule } from "../../../../schemas/command.ts";
import type { OwnPolicy } from "../../../../schemas/config.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import type { AgentSettings } from "../../../agent/agent_settings.ts";
import { choosePolicy } from "../../../host/config/choose_policy.ts";
import { strictestLimits } from "../../../host/config/strictest_limits.ts";
import { readHostConfig } from "../../../host/configure_host.ts";
import type { HostSettings } from "../../../host/host_settings.ts";
import { readFlagWord } from "../../../walls/grants/flag_word.ts";
import type { GrantFlag } from "../../../walls/grants/make_grants.ts";
import { readRule, stricterPolicy } from "../../../walls/grants/policies.ts";
import { ownPolicy } from "../../contract/narrow.ts";

/**
 * Takes from the settings of a run what the session that it goes on with was denied. What the session was allowed adds
 * nothing: the user of the command line allowed it, and not whoever asks a server. Needs `read`.
 *
 * @throws {ToolError} `permission_denied` if what was denied cannot be kept
 */
export function keepDenials(
  host: HostSettings,
  { flags, policy: kept }: Pick<SessionSettings, "flags" | "policy">,
  manifest: Manifest,
): HostSettings {
  const { policy, deny = {} } = host.grants;
  const now = typeof policy === "object"
    ? policy
    : ownPolicy(choosePolicy(policy, readHostConfig({ ...host, warn() {} }, manifest.tools)));
  const denied = new Map(flags.map(readFlagWord).map(({ flag, values }) => [flag, values]));
  const kinds = Object.fromEntries(
    ACCESS_KINDS.map((kind) => [kind, joined(deny[kind], denied.get(`--deny-${kind}`))]),
  );
  return { ...host, grants: { ...host.grants, policy: stricterOf(now, kept), deny: kinds } };
}

/** The tools of a run that goes on with a session: those of the server that the session had as well. */
export function keepFewerTools(
  given: AgentSettings["tools"],
  kept: SessionSettings["tools"],
): AgentSettings["tools"] {
  if (given === "none" || kept === null) return "none";
  const { toolsets, tools, extra_tools: extra } = kept;
  if (toolsets.length + tools.length === 0) return given;
  const had = [...toolsets, ...[...tools, ...extra].map((word) => word.split("=", 1)[0]!)];
  return { ...given, within: given.within?.filter((word) => had.includes(word)) ?? had };
}

function joined(given: GrantFlag, kept: true | readonly string[] | undefined): GrantFlag {
  if (given === true || kept === true) return true;
  return given === undefined && kept === undefined ? undefined : [
    ...new Set([...given ?? [], ...kept ?? []]),
  ];
}

function stricterOf(now: OwnPolicy, kept: SessionPolicy): OwnPolicy {
  const { without = [], share_net: sharesNet = false, programs = {} } = kept;
  if (kept.filter && !now.filter) {
    throw new ToolError(
      "permission_denied",
      `Cannot go on with this session here: its policy ${
        JSON.stringify(kept.name)
      } has a function that judges commands, which only the program has that began it`,
    );
  }
  const { write: _, net, ...rest } = now;
  const isOffline = net === false || without.includes("net");
  return {
    ...rest,
    base: stricterPolicy(now.base, kept.base),
    allow: both((now.allow ?? []).map(readRule), kept.allow),
    deny: union((now.deny ?? []).map(readRule), kept.deny),
    programs: strictestLimits(now.programs ?? {}, programs),
    ...((now.write === false || without.includes("write")) && { write: false }),
    ...(isOffline ? { net: false } : net && sharesNet && { net: true }),
  };
}

/** A list of allowed commands forbids all others; an empty one forbids none. */
function both(now: readonly CommandRule[], kept: readonly CommandRule[]): readonly CommandRule[] {
  if (now.length === 0 || kept.length === 0) return [...now, ...kept];
  const had = kept.map((rule) => JSON.stringify(rule));
  const rest = now.filter((rule) => had.includes(JSON.stringify(rule)));
  if (rest.length > 0) return rest;
  throw new ToolError(
    "permission_denied",
    "Cannot go on with this session here: no command is allowed both by its policy and by that of this server",
  );
}

function union(now: readonly CommandRule[], kept: readonly CommandRule[]): readonly CommandRule[] {
  const all = new Map([...now, ...kept].map((rule) => [JSON.stringify(rule), rule]));
  return [...all.values()];
}
