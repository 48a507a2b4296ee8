import type { NeedScope } from "../../../schemas/access.ts";
import type { Grants, Scope } from "../../../schemas/grants.ts";
import type { NetRules } from "../../../schemas/net.ts";
import { type HostWord, readHostWord } from "./host_word.ts";
import { isInRange } from "./read_address.ts";

/** Returns what a tool may reach: what it needs of what is granted. */
export function toolRules(need: NeedScope, { allow, deny, privateNet }: Grants): NetRules {
  if (!Array.isArray(need)) return { allow: allow.net, deny: deny.net, private: privateNet };
  return {
    allow: commonHosts(need, allow.net),
    deny: deny.net,
    private: privateNet === true ? true : commonHosts(need, privateNet),
  };
}

/** Returns what programs in a sandbox may reach: what flags or the configuration name, but nothing of the policy alone. */
export function programRules({ netNamed, deny, privateNet }: Grants): NetRules {
  return { allow: netNamed, deny: deny.net, private: privateNet };
}

/** Adds a host to rules, also one with private addresses; what is denied stays denied. */
export function withHost(rules: NetRules, host: string | undefined): NetRules {
  return host === undefined || rules.private === true
    ? rules
    : { ...rules, private: [...rules.private, host] };
}

/** Says whether rules let nothing through, whatever is asked. */
export function reachesNothing({ allow, deny, private: open }: NetRules): boolean {
  const isEmpty = (scope: Scope) => scope !== true && scope.length === 0;
  return deny === true || (isEmpty(allow) && (open === true || isEmpty(open)));
}

/** Returns the words for what two lists have in common. */
function commonHosts(need: readonly string[], granted: Scope): string[] {
  if (granted === true) return [...need];
  const common = need.map(readHostWord).flatMap((one) =>
    granted.map(readHostWord).map((other) => commonWord(one, other))
  );
  return [...new Set(common)].filter((word) => word !== null);
}

function commonWord(one: HostWord, other: HostWord): string | null {
  const narrow = isWithin(one, other) ? one : isWithin(other, one) ? other : null;
  if (!narrow) return null;
  const ports = one.ports === null || other.ports === null
    ? one.ports ?? other.ports
    : one.ports.filter((port) => other.ports?.includes(port));
  if (ports === null || ports === narrow.ports) return narrow.text;
  const hosts = /^[^[]*:/.test(narrow.hosts) ? `[${narrow.hosts}]` : narrow.hosts;
  return ports.length > 0 ? `${hosts}:${ports.join(",")}` : null;
}

/** Says whether all hosts of a word are among those of another one, whatever their ports. */
function isWithin(one: HostWord, other: HostWord): boolean {
  if (other.kind === "public") return true;
  if (one.kind === "public") return false;
  if (one.kind === "range" || other.kind === "range") {
    return one.kind === "range" && other.kind === "range" &&
      one.range.length >= other.range.length && isInRange(one.range.base, other.range);
  }
  if (one.name === other.name) return one.kind === other.kind;
  return other.kind === "below" && one.name.endsWith(`.${other.name}`);
}
