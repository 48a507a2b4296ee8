import { basename, dirname } from "@std/path";

import type { AccessKind, Needs } from "../../../schemas/access.ts";
import type { AuditedConnection, AuditRecord } from "../../../schemas/audit.ts";
import { POLICY_NAMES, type PolicyName } from "../../../schemas/grants.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { flagWord, readFlagWord } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isPolicyName, PUBLIC_HOSTS } from "../../walls/grants/policies.ts";
import { decideAddress, decideName } from "../../walls/net/decide_net.ts";
import { netTargetWord, readNetTarget } from "../../walls/net/net_refusal.ts";
import { hostAndPort, readHost } from "../../walls/net/read_host.ts";

/** The grants that calls in one workspace needed. */
export interface NeededFlags {
  workspace: string;
  /** For the command line, not quoted. */
  flags: string[];
}

/** Most different things of a kind that are kept. */
const MAX_KEPT = 20_000;
/** From how many paths of one folder on the folder is granted instead. */
const MANY_SIBLINGS = 4;

/** What calls in one workspace needed. */
interface Needed {
  /** Policies under which programs ran or would have run, and the built-in policy behind each. */
  policies: Map<string, PolicyName>;
  /** Values of flags, by the name of the flag; a flag without a value has `true` among them. */
  flags: Map<string, Set<string | true>>;
  /** Hosts that programs connected to: no policy grants them. */
  programHosts: Set<string>;
}

/** Collects what calls touched, and what refused ones lacked, to find the smallest grants for all of it. */
export class GrantTally {
  readonly #workspaces = new Map<string, Needed>();
  readonly #needsOf: (tool: string) => Needs;

  /** @param needsOf What a tool needs; empty for an unknown tool */
  constructor(needsOf: (tool: string) => Needs) {
    this.#needsOf = needsOf;
  }

  add(record: AuditRecord): void {
    const { workspace, decision, error, flag } = record;
    // A grant cannot lift the refusal of a rule or a deny.
    const lacking = error === "permission_denied" && flag !== null && !flag.startsWith("--deny-");
    if (decision === "refused" && !lacking) return;
    const needed = this.#workspaces.get(workspace) ??
      { policies: new Map(), flags: new Map(), programHosts: new Set() };
    if (this.#workspaces.size < MAX_KEPT) this.#workspaces.set(workspace, needed);
    for (const { kind, value } of record.touched) addTouched(needed, { kind, value, workspace });
    for (const connection of record.connections ?? []) addConnection(needed, connection, record.tool);
    if (flag !== null && lacking) addFlag(needed, flag);
    else this.#addNeeds(needed, record);
    // Without a sandbox a program needs the policy "coder", and its name.
    const unboxed = record.programs.some(({ boxed }) => !boxed) || /^--(allow-run|policy)=/.test(flag ?? "");
    const isRefused = flag?.startsWith("--policy=") && lacking;
    if (record.programs.length > 0 || (unboxed && !isRefused)) {
      needed.policies.set(record.policy, record.base);
    }
    if (!unboxed) return;
    for (const name of startedPrograms(record)) put(needed, "--allow-run", name);
  }

  flags(): NeededFlags[] {
    return [...this.#workspaces].map(([workspace, needed]) => ({
      workspace,
      flags: flagsOf(needed, workspace),
    }));
  }

  /** A tool that needs a kind gets its room only with a grant of it, even if the call touches nothing. */
  #addNeeds(needed: Needed, { tool, touched, connections = [], workspace }: AuditRecord): void {
    const needs = this.#needsOf(tool);
    const reached = connections.length > 0;
    const lacks = (kind: AccessKind) =>
      needs[kind] !== undefined && !touched.some((one) => one.kind === kind) && !(kind === "net" && reached);
    if (lacks("write")) put(needed, "--allow-write", workspace);
    if (lacks("net")) put(needed, "--allow-net", PUBLIC_HOSTS);
  }
}

/** Returns the programs of a call: those of its commands, or the one that was started. */
export function startedPrograms({ touched, programs }: AuditRecord): string[] {
  const told = touched.filter(({ kind }) => kind === "run").map(({ value }) => value);
  const started = programs.map(({ argv }) => basename(argv[0] ?? ""));
  return [...new Set(told.length > 0 ? told : started)].filter((name) => name !== "");
}

function addTouched(
  needed: Needed,
  { kind, value, workspace }: { kind: AccessKind; value: string; workspace: string },
): void {
  if (kind === "net") {
    const word = value.includes("://") ? netTargetWord(value) : value;
    addHost(needed, { value: word, ...readNetTarget(word), address: null });
  }
  if (kind !== "read" && kind !== "write") return;
  if (isSecret(value, workspace)) put(needed, "--allow-secrets", value);
  if (kind === "write" || !isInside(workspace, value)) put(needed, `--allow-${kind}`, value);
}

function addConnection(needed: Needed, connection: AuditedConnection, tool: string): void {
  const { who, host, port, address, decision, flag } = connection;
  if ((decision === "refused" && flag === null) || readHost(host) === null) return;
  const value = hostAndPort(host, port);
  // A policy grants public hosts to tools, and to no program.
  const isOpen = addHost(needed, { value, host, port, address });
  if (!isOpen && who !== tool && needed.programHosts.size < MAX_KEPT) needed.programHosts.add(value);
}

/** Grants a host by the flag that its kind of address needs; says whether that is one for private ones. */
function addHost(
  needed: Needed,
  { value, host, port, address }: { value: string; host: string; port: number; address: string | null },
): boolean {
  const target = { host, port };
  const rules = { allow: [PUBLIC_HOSTS], deny: [], private: [] };
  const decision = address === null
    ? decideName(rules, target)
    : decideAddress(rules, { ...target, address });
  if (!decision.allowed && decision.reason === "host") return false;
  const isPrivate = !decision.allowed && decision.reason === "private";
  put(needed, isPrivate ? "--allow-private-net" : "--allow-net", value);
  return isPrivate;
}

function addFlag(needed: Needed, word: string): void {
  const { flag, values } = readFlagWord(word);
  for (const value of values === true ? [true as const] : values) {
    if (flag !== "--policy" || value === true) put(needed, flag, value);
    else needed.policies.set(value, isPolicyName(value) ? value : "coder");
  }
}

function put(needed: Needed, flag: string, value: string | true): void {
  const values = needed.flags.get(flag) ?? new Set();
  if (values.size < MAX_KEPT) values.add(value);
  needed.flags.set(flag, values);
}

/** In the order in which help lists flags. */
const ORDER = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-run",
  "--allow-private-net",
  "--allow-secrets",
];

function flagsOf({ policies, flags, programHosts }: Needed, workspace: string): string[] {
  const { policy, base } = policyOf(policies);
  const names = [...ORDER, ...[...flags.keys()].filter((flag) => !ORDER.includes(flag)).sort()];
  const words = names.flatMap((flag) => {
    const values = flag === "--allow-net" ? hostsOf({ flags, programHosts }, base) : flags.get(flag);
    if (!values) return [];
    const listed = valuesOf(flag, { values, base, workspace });
    if (listed === true) return [flag];
    return listed.length > 0 ? [flagWord(flag, listed)] : [];
  });
  return [`--policy=${policy}`, ...words];
}

/** Hosts of programs are named under every policy, those of tools where the policy grants none. */
function hostsOf(
  { flags, programHosts }: Pick<Needed, "flags" | "programHosts">,
  base: PolicyName,
): ReadonlySet<string | true> {
  const named = base === "read-only-no-net"
    ? flags.get("--allow-net") ?? new Set()
    : new Set<string | true>();
  // A private host that is granted as such need not be granted twice.
  return named.union(programHosts).difference(flags.get("--allow-private-net") ?? new Set());
}

/** The policy must allow the programs, so it is one that did. Without programs it is the narrowest. */
function policyOf(policies: ReadonlyMap<string, PolicyName>): { policy: string; base: PolicyName } {
  const [only] = policies;
  if (only === undefined) return { policy: "read-only-no-net", base: "read-only-no-net" };
  if (policies.size === 1) return { policy: only[0], base: only[1] };
  const bases = new Set(policies.values());
  const widest = POLICY_NAMES.find((name) => bases.has(name)) ?? "coder";
  return { policy: widest, base: widest };
}

function valuesOf(
  flag: string,
  { values, base, workspace }: { values: ReadonlySet<string | true>; base: PolicyName; workspace: string },
): true | string[] {
  if (values.has(true)) return true;
  const all = [...values].filter((value) => value !== true).sort();
  if (flag === "--allow-read") return collapse(all);
  if (flag === "--allow-secrets") return all;
  if (flag !== "--allow-write") return all;
  const isNamed = (path: string) => isProtected(path);
  // A flag adds to what the policy grants.
  const isLacking = (path: string) => !isNamed(path) && (base !== "coder" || !isInside(workspace, path));
  return [...collapse(all.filter(isLacking)), ...all.filter(isNamed)];
}

/** Leaves out paths inside other ones, and names the folder if many of its entries are listed. */
function collapse(paths: readonly string[]): string[] {
  const listed = new Set(paths);
  const outer = paths.filter((path) => !foldersOf(path).some((folder) => listed.has(folder)));
  const siblings = Map.groupBy(outer, dirname);
  const folders = [...siblings].filter(([folder, own]) => folder !== "/" && own.length >= MANY_SIBLINGS);
  if (folders.length === 0) return outer;
  const many = folders.map(([folder]) => folder);
  return collapse([...new Set([...outer.filter((path) => !many.includes(dirname(path))), ...many])].sort());
}

/** The folders above a path, the nearest first. */
function foldersOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersOf(above)];
}
