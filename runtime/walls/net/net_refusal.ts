import type { Target } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { NetRules } from "../../../schemas/net.ts";
import { showFlags } from "../grants/flag_word.ts";
import { checkUrl } from "./check_url.ts";
import { decideName, type NetDecision, type NetTarget } from "./decide_net.ts";
import { hostAndPort, shownHost } from "./read_host.ts";

/** A decision against a connection. */
export type RefusedConnection = Extract<NetDecision, { allowed: false }>;

/** Returns the error for a refused connection. It names the host, the reason, and the flag that changes the answer. */
export function netRefusal({ reason, rule, flag }: RefusedConnection, { host, port }: NetTarget): ToolError {
  const target = hostAndPort(shownHost(host), port);
  if (reason === "host" || reason === "scheme") {
    return new ToolError("invalid_input", `Cannot reach ${JSON.stringify(target)}: ${rule}`, {
      details: { kind: "net", target, reason },
    });
  }
  const facts = { kind: "net", target, reason };
  const pass = flag === null ? "" : showFlags([flag]);
  const isDenied = reason === "denied";
  const why = isDenied
    ? `it is denied by --deny-net or the configuration (${rule})`
    : flag === null
    ? rule
    : `${rule}, pass ${pass} to grant it`;
  const details = isDenied
    ? { ...facts, rule, flag: "--deny-net", flags: [] }
    : flag === null
    ? { ...facts, flags: [] }
    : { ...facts, flag, flags: [flag], pass };
  return new ToolError("permission_denied", `Cannot reach ${target}: ${why}`, { details });
}

/**
 * Checks the hosts that a call will reach, before it starts. Each is a URL, or a host with its port. Of hosts that are only
 * reached if needed, the gate checks each then: here it is enough that one of them may be reached.
 *
 * @throws {ToolError} `permission_denied` for a host that is not granted; `invalid_input` for what is no host
 */
export function checkHosts(
  targets: readonly Pick<Target, "kind" | "value" | "ifNeeded">[],
  rules: NetRules,
): void {
  const hosts = targets.filter(({ kind }) => kind === "net");
  const needed = hosts.filter(({ ifNeeded = false }) => !ifNeeded);
  for (const { value } of needed) {
    const refusal = refusalOf(value, rules);
    if (refusal !== null) throw refusal;
  }
  if (needed.length > 0) return;
  const refusals = hosts.map(({ value }) => refusalOf(value, rules));
  const [first = null] = refusals;
  if (first !== null && !refusals.includes(null)) throw first;
}

function refusalOf(value: string, rules: NetRules): ToolError | null {
  const target = readNetTarget(value);
  const decision = decideName(rules, target);
  if (decision.allowed) return null;
  // What is no host at all is told as a URL that is wrong.
  if (decision.reason === "host") checkUrl(value);
  return netRefusal(decision, target);
}

/** Reads a target of a call: a URL, or a host with its port; 443 is the usual one. */
export function readNetTarget(value: string): NetTarget {
  if (value.includes("://")) {
    const { name, port } = checkUrl(value);
    return { host: name, port };
  }
  const [, host = value, port = "443"] = /^([^:]+|\[[^\]]+\]):(\d{1,5})$/.exec(value) ?? [];
  return { host, port: Number(port) };
}

/** Returns a target of a call as host and port, without the rest of a URL. */
export function netTargetWord(value: string): string {
  try {
    const { host, port } = readNetTarget(value);
    return hostAndPort(shownHost(host), port);
  } catch {
    // What cannot be asked is not asked, and may hold a password.
    return "?";
  }
}
