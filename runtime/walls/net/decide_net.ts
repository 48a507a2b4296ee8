import type { Scope } from "../../../schemas/grants.ts";
import type { NetRefusal, NetRules } from "../../../schemas/net.ts";
import { flagWord } from "../grants/flag_word.ts";
import { type HostWord, meansAddress, meansHost, meansPort, readHostWord } from "./host_word.ts";
import { kindOfAddress, reachedAddresses } from "./kind_of_address.ts";
import { type Address, isInRange, readAddress, writeAddress } from "./read_address.ts";
import { hostAndPort, isLocalName, type NetHost, readHost } from "./read_host.ts";

/** What decides where a list holds everything. */
const EVERYTHING = "all";

/** Where a connection is to go. */
export interface NetTarget {
  /** As a URL or a program spells it. */
  host: string;
  port: number;
}

/** What the rules say about a connection. */
export type NetDecision =
  | {
    allowed: true;
    /** The word that allows it. */
    rule: string;
  }
  | {
    allowed: false;
    reason: NetRefusal;
    /** The word that refuses it, or why none allows it. */
    rule: string;
    /** The smallest flag that would allow it, `null` if no flag can. */
    flag: string | null;
  };

/** Rules whose words are read; `null` stands for everything. */
type ReadRules = Readonly<Record<keyof NetRules, readonly HostWord[] | null>>;

/**
 * Decides a connection before any lookup. An address is decided for good; a name that passes is decided again with each
 * of its addresses, by {@linkcode decideAddress}.
 *
 * @throws {ToolError} `invalid_input` for rules with a word that is none
 */
export function decideName(rules: NetRules, { host: text, port }: NetTarget): NetDecision {
  const host = readHost(text);
  if (!host) return refuse("host", "it is not the name of a host");
  const read = readRules(rules);
  return host.address
    ? decideBoth(read, { host, port, address: host.address })
    : decideHost(read, { host, port });
}

/**
 * Decides a connection whose address nobody here will see, as a proxy looks it up: `public` among the denied words means
 * every name.
 *
 * @throws {ToolError} `invalid_input` for rules with a word that is none
 */
export function decideUnseen(rules: NetRules, target: NetTarget): NetDecision {
  const decision = decideName(rules, target);
  const host = readHost(target.host);
  if (!decision.allowed || host?.address !== null) return decision;
  const read = readRules(rules);
  const denied = read.deny?.find((word) => word.kind === "public" && meansPort(word, target.port));
  // A name that may be private is not known to be public.
  const isOpen = read.private?.some((word) => meansHost(word, host, target.port)) ?? false;
  return denied === undefined || isOpen ? decision : refuse("denied", denied.text);
}

/**
 * Decides a connection before its address is dialled. Of a name with several addresses all must pass.
 *
 * @param target `address` is what the lookup found
 * @throws {ToolError} `invalid_input` for rules with a word that is none
 */
export function decideAddress(rules: NetRules, target: NetTarget & { address: string }): NetDecision {
  const host = readHost(target.host);
  const address = readAddress(target.address);
  // An address is its own and only answer.
  const isOther = host?.address && address && writeAddress(host.address) !== writeAddress(address);
  if (!host || !address || isOther) return refuse("host", "its address cannot be read");
  return decideBoth(readRules(rules), { host, port: target.port, address });
}

/** Rules are asked about again and again. */
const known = new WeakMap<NetRules, ReadRules>();

/** Reads the words of rules, which do not change. `public` opens no private address. */
function readRules(rules: NetRules): ReadRules {
  const read = known.get(rules) ?? readAnew(rules);
  known.set(rules, read);
  return read;
}

function readAnew(rules: NetRules): ReadRules {
  const words = (scope: Scope) => scope === true ? null : scope.map(readHostWord);
  const open = words(rules.private)?.filter(({ kind }) => kind !== "public") ?? null;
  return { allow: words(rules.allow), deny: words(rules.deny), private: open };
}

/** Decides by what the host is called. */
function decideHost(rules: ReadRules, target: { host: NetHost; port: number }): NetDecision {
  const { host, port } = target;
  const denied = find(rules.deny, (word) => word.kind !== "public" && meansHost(word, host, port));
  if (denied !== null) return refuse("denied", denied);
  // A word about addresses leaves the answer to the lookup.
  const isOpen = find(
    rules.private,
    (word) => word.kind === "range" ? meansPort(word, port) : meansHost(word, host, port),
  ) !== null;
  if (host.address === null && isLocalName(host.name) && !isOpen) {
    return refuse(
      "private",
      "it is a name of this machine or its network",
      flagFor("--allow-private-net", target),
    );
  }
  const allowed = find(rules.allow, (word) => meansHost(word, host, port)) ??
    rules.private?.find((word) => meansHost(word, host, port))?.text ?? null;
  if (allowed !== null) return { allowed: true, rule: allowed };
  return refuse("outside", "it is not granted", flagFor("--allow-net", target));
}

/** Decides by what the host is called, and by an address of it. */
function decideBoth(
  rules: ReadRules,
  target: { host: NetHost; port: number; address: Address },
): NetDecision {
  const { host, port, address } = target;
  const kind = kindOfAddress(address);
  const denied = find(rules.deny, (word) => meansPort(word, port) && coversAddress(word, address));
  if (denied !== null) return refuse("denied", denied);
  const byName = decideHost(rules, target);
  if (kind === null || (!byName.allowed && byName.reason !== "outside")) return byName;
  const open = find(
    rules.private,
    (word) => meansHost(word, host, port) || meansAddress(word, address, port),
  );
  if (open !== null) return byName.allowed ? { allowed: true, rule: open } : byName;
  const shown = writeAddress(address);
  return refuse(
    "private",
    host.address ? `it is not public (${kind})` : `it leads to ${shown}, which is not public (${kind})`,
    flagFor("--allow-private-net", target),
  );
}

/** Says whether a word of `deny` means an address, or one that packets to it reach. */
function coversAddress(word: HostWord, address: Address): boolean {
  if (word.kind === "public") return kindOfAddress(address) === null;
  const reached = reachedAddresses(address);
  if (word.kind === "range") return reached.some((one) => isInRange(one, word.range));
  return word.kind === "name" && word.name === "localhost" &&
    reached.some((one) => kindOfAddress(one) === "loopback");
}

/** Returns the word that decides; `null` if none does. */
function find(words: readonly HostWord[] | null, test: (word: HostWord) => boolean): string | null {
  return words === null ? EVERYTHING : words.find(test)?.text ?? null;
}

function refuse(reason: NetRefusal, rule: string, flag: string | null = null): NetDecision {
  return { allowed: false, reason, rule, flag };
}

function flagFor(flag: string, { host, port }: { host: NetHost; port: number }): string {
  return flagWord(flag, [hostAndPort(host.name, port)]);
}
