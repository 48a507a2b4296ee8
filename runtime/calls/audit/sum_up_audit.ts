import { ACCESS_KINDS, type AccessKind, type Needs } from "../../../schemas/access.ts";
import type { AuditedConnection, AuditRecord } from "../../../schemas/audit.ts";
import { type Risk, RISKS } from "../../../schemas/command.ts";
import type { ErrorCode } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { isPolicyName } from "../../walls/grants/policies.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import { GrantTally, type NeededFlags, startedPrograms } from "./needed_flags.ts";

/** Something and how often it came. */
export interface Counted {
  value: string;
  count: number;
}

/** A program that calls started. */
export interface ProgramSummary {
  program: string;
  /** Calls that started it. */
  count: number;
  /** How many of them ran without a box. */
  unboxed: number;
  /** The highest risk of a call that started it; `null` without a known risk. */
  risk: Risk | null;
}

/** A tool's calls. */
export interface ToolSummary {
  tool: string;
  calls: number;
  refused: number;
  /** Without the refused ones. */
  failed: number;
}

/** Calls that were refused for the same reason. */
export interface RefusalSummary {
  tool: string;
  error: ErrorCode | null;
  rule: string | null;
  /** The flag that would have allowed it. */
  flag: string | null;
  count: number;
}

/** Connections of one tool or program to one host. */
export interface ConnectionSummary {
  who: string;
  /** With its port. */
  host: string;
  count: number;
  refused: number;
  failed: number;
  sent_bytes: number;
  received_bytes: number;
}

/** What an audit tells. */
export interface AuditSummary {
  /** Lines that are not records: broken ones, and those of an unknown version. */
  skipped: { broken: number; other_versions: number };
  calls: number;
  runs: number;
  refused: number;
  confirmed: number;
  /** Without the refused ones. */
  failed: number;
  tools: ToolSummary[];
  /** What calls said that they touch, by kind, and where they and their programs connected to. */
  touched: Record<Exclude<AccessKind, "run">, Counted[]> & { connections: ConnectionSummary[] };
  programs: ProgramSummary[];
  rules: Counted[];
  refusals: RefusalSummary[];
  /** The smallest grants that would have allowed all of it, for each workspace. */
  flags: NeededFlags[];
}

/** Most different things of a sort that are kept apart. */
const MAX_KEPT = 20_000;

/** Sums up the lines of an audit. Its memory grows with the different things in it, not with its length. */
export class AuditTally {
  readonly #skipped = { broken: 0, other_versions: 0 };
  readonly #totals = { calls: 0, refused: 0, confirmed: 0, failed: 0 };
  readonly #runs = new Set<string>();
  readonly #tools = new Map<string, ToolSummary>();
  readonly #touched = new Map<AccessKind, Map<string, Counted>>();
  readonly #programs = new Map<string, ProgramSummary>();
  readonly #connections = new Map<string, ConnectionSummary>();
  readonly #rules = new Map<string, Counted>();
  readonly #refusals = new Map<string, RefusalSummary>();
  readonly #grants: GrantTally;

  /** @param needsOf What a tool needs; empty for an unknown tool */
  constructor(needsOf: (tool: string) => Needs) {
    this.#grants = new GrantTally(needsOf);
  }

  /** Takes a line; `null` stands for one that was too long to be read. Empty lines are ignored. */
  addLine(line: string | null): void {
    if (line?.trim() === "") return;
    const record = line === null ? null : parseRecord(line);
    if (record === null) this.#skipped.broken++;
    else if (record.v !== 1) this.#skipped.other_versions++;
    else this.#add(record as AuditRecord);
  }

  sum(): AuditSummary {
    const touched = (kind: AccessKind) => byCount(this.#touched.get(kind) ?? new Map());
    return {
      skipped: { ...this.#skipped },
      runs: this.#runs.size,
      ...this.#totals,
      tools: [...this.#tools.values()].sort((a, b) => b.calls - a.calls || compare(a.tool, b.tool)),
      touched: {
        ...{ read: touched("read"), write: touched("write"), net: touched("net") },
        connections: [...this.#connections.values()].sort((a, b) =>
          b.count - a.count || compare(a.host, b.host) || compare(a.who, b.who)
        ),
      },
      programs: [...this.#programs.values()].sort((a, b) =>
        b.count - a.count || compare(a.program, b.program)
      ),
      rules: byCount(this.#rules),
      refusals: [...this.#refusals.values()].sort((a, b) => b.count - a.count || compare(a.tool, b.tool)),
      flags: this.#grants.flags(),
    };
  }

  #add(record: AuditRecord): void {
    const refused = record.decision === "refused";
    this.#totals.calls++;
    if (this.#runs.size < MAX_KEPT) this.#runs.add(record.run_id);
    if (record.decision === "confirmed") this.#totals.confirmed++;
    if (refused) this.#totals.refused++;
    else if (!record.ok) this.#totals.failed++;
    this.#addTool(record, refused);
    if (refused) this.#addRefusal(record);
    if (record.rule !== null) count(this.#rules, record.rule);
    this.#grants.add(record);
    for (const connection of record.connections ?? []) this.#addConnection(connection);
    if (refused) return;
    for (const { kind, value } of record.touched) count(mapOf(this.#touched, kind), value);
    if (record.programs.length === 0) return;
    const boxed = record.programs.every((program) => program.boxed);
    for (const program of startedPrograms(record)) this.#addProgram(program, { boxed, risk: record.risk });
  }

  #addTool({ tool, ok }: AuditRecord, refused: boolean): void {
    const entry = this.#tools.get(tool) ?? { tool, calls: 0, refused: 0, failed: 0 };
    entry.calls++;
    if (refused) entry.refused++;
    else if (!ok) entry.failed++;
    if (this.#tools.size < MAX_KEPT) this.#tools.set(tool, entry);
  }

  #addRefusal({ tool, error, rule, flag }: AuditRecord): void {
    const key = JSON.stringify([tool, error, rule, flag]);
    const entry = this.#refusals.get(key) ?? { tool, error, rule, flag, count: 0 };
    entry.count++;
    if (this.#refusals.size < MAX_KEPT) this.#refusals.set(key, entry);
  }

  #addConnection(connection: AuditedConnection): void {
    const { who, host, port, decision, sent_bytes, received_bytes, count: alike = 1 } = connection;
    const key = JSON.stringify([who, host, port]);
    const entry = this.#connections.get(key) ??
      {
        who,
        host: port === 0 ? host : hostAndPort(host, port),
        count: 0,
        refused: 0,
        failed: 0,
        sent_bytes: 0,
        received_bytes: 0,
      };
    entry.count += alike;
    if (decision !== "allowed") entry[decision] += alike;
    entry.sent_bytes += sent_bytes;
    entry.received_bytes += received_bytes;
    if (this.#connections.size < MAX_KEPT) this.#connections.set(key, entry);
  }

  #addProgram(program: string, { boxed, risk }: { boxed: boolean; risk: Risk | null }): void {
    const entry = this.#programs.get(program) ?? { program, count: 0, unboxed: 0, risk: null };
    entry.count++;
    if (!boxed) entry.unboxed++;
    entry.risk = RISKS.findLast((one) => one === risk || one === entry.risk) ?? null;
    if (this.#programs.size < MAX_KEPT) this.#programs.set(program, entry);
  }
}

/** Records of before there were connections have none. */
function hasConnections({ connections }: Record<string, unknown>): boolean {
  return connections === undefined || isListOf(connections, isConnection);
}

/** Another version may have any form. A record of this one has every field that is used here. */
function parseRecord(line: string): AuditRecord | { v: unknown } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isObject(value) || !("v" in value)) return null;
  if (value.v !== 1) return { v: value.v };
  return isRecord(value) ? value as unknown as AuditRecord : null;
}

function isRecord(value: Record<string, unknown>): boolean {
  const texts = ["run_id", "tool", "workspace", "policy", "decision"].every((name) =>
    typeof value[name] === "string"
  );
  const maybe = ["rule", "risk", "error", "flag"].every((name) =>
    value[name] === null || typeof value[name] === "string"
  );
  return texts && maybe && isPolicyName(String(value.base)) && typeof value.ok === "boolean" &&
    isListOf(value.touched, isTouched) &&
    isListOf(value.programs, isProgram) && hasConnections(value);
}

function isListOf(value: unknown, check: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && check(item));
}

function isTouched({ kind, value }: Record<string, unknown>): boolean {
  return ACCESS_KINDS.some((known) => known === kind) && typeof value === "string";
}

function isProgram({ argv, boxed }: Record<string, unknown>): boolean {
  return typeof boxed === "boolean" && Array.isArray(argv) && argv.every((word) => typeof word === "string");
}

function isConnection(value: Record<string, unknown>): boolean {
  const maybe = ["address", "flag"].every((name) => value[name] === null || typeof value[name] === "string");
  return maybe && ["who", "host", "rule"].every((name) => typeof value[name] === "string") &&
    ["allowed", "refused", "failed"].some((known) => known === value.decision) &&
    ["port", "sent_bytes", "received_bytes"].every((name) => typeof value[name] === "number") &&
    (value.count === undefined || typeof value.count === "number");
}

function count(counts: Map<string, Counted>, value: string): void {
  const entry = counts.get(value) ?? { value, count: 0 };
  entry.count++;
  if (counts.size < MAX_KEPT) counts.set(value, entry);
}

function mapOf(maps: Map<AccessKind, Map<string, Counted>>, kind: AccessKind): Map<string, Counted> {
  const found = maps.get(kind) ?? new Map<string, Counted>();
  maps.set(kind, found);
  return found;
}

function byCount(counts: ReadonlyMap<string, Counted>): Counted[] {
  return [...counts.values()].sort((a, b) => b.count - a.count || compare(a.value, b.value));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
