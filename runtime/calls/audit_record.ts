import type { Target } from "../../schemas/access.ts";
import type { AuditedConnection, AuditedProgram, AuditRecord } from "../../schemas/audit.ts";
import { RISKS } from "../../schemas/command.ts";
import type { ErrorInfo } from "../../schemas/error.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Connection } from "../../schemas/net.ts";
import type { ToolResult } from "../../schemas/result.ts";
import { programsOf } from "../programs/shell/programs_of.ts";
import { redactArgv } from "../text/secrets/command_secrets.ts";
import { redactValue } from "../text/secrets/redact.ts";
import { realTarget } from "../walls/files/real_target.ts";
import { foldConnections } from "../walls/net/fold_connections.ts";
import { netTargetWord } from "../walls/net/net_refusal.ts";
import type { CallFacts } from "./catalog/carrier.ts";
import type { Machine } from "./machine.ts";

/** How many connections of a call are kept apart. */
const MOST_CONNECTIONS = 500;

/** A call that has ended, as the audit gets it. */
export interface EndedCall {
  entry: Pick<ManifestEntry, "full_name">;
  /** The input, as the tool got it. */
  input: unknown;
  result: ToolResult;
  facts: CallFacts;
  /** A person agreed to it. */
  confirmed: boolean;
  /** When it began. */
  time: Date;
}

/** Makes the audit's record of a call, with its secrets masked. Needs `read` to find real paths. */
export function makeAuditRecord(call: EndedCall, { grants, control }: Machine): AuditRecord {
  const { entry, input, result, facts, confirmed, time } = call;
  const { redact } = control;
  const programs = facts.programs.map((program) => redactProgram(program, redact));
  const [first] = programs;
  const refused = isRefusal(result.error) && programs.length === 0;
  const { flag, rule } = result.error?.details ?? {};
  return {
    v: 1,
    time: time.toISOString(),
    run_id: control.runId,
    tool: entry.full_name,
    arguments: redactValue(input, redact),
    workspace: grants.workspace,
    policy: grants.commands.name,
    base: grants.policy,
    decision: refused ? "refused" : confirmed ? "confirmed" : "allowed",
    rule: typeof rule === "string" ? rule : null,
    risk: highestRisk(facts),
    touched: touchedBy(facts, grants).map(({ kind, value }) => ({ kind, value: redact(value) })),
    programs,
    connections: foldConnections(facts.connections, MOST_CONNECTIONS)
      .map((connection) => auditConnection(connection, redact)),
    argv: first?.argv ?? null,
    cwd: first?.cwd ?? null,
    exit_code: first?.exit_code ?? null,
    ok: result.ok,
    error: result.error?.code ?? null,
    flag: typeof flag === "string" ? redactFlag(flag, redact) : null,
    place: result.metadata.place,
    duration_ms: result.metadata.duration_ms,
    bytes: new TextEncoder().encode(result.text).length,
  };
}

/** Masks the value only: the name of a flag such as `--allow-secrets` must stay. */
function redactFlag(flag: string, redact: (text: string) => string): string {
  const at = flag.indexOf("=") + 1;
  return flag.slice(0, at) + redact(flag.slice(at));
}

function redactProgram(program: AuditedProgram, redact: (text: string) => string): AuditedProgram {
  return { ...program, argv: redactArgv(program.argv, redact), cwd: redact(program.cwd) };
}

function auditConnection(connection: Connection, redact: (text: string) => string): AuditedConnection {
  const { who, host, port, address, decision, rule, flag, sentBytes, receivedBytes, count } = connection;
  return {
    ...{ who, host: redact(host), port, address, decision, rule: redact(rule) },
    flag: flag === undefined ? null : redactFlag(flag, redact),
    sent_bytes: sentBytes,
    received_bytes: receivedBytes,
    ...(count !== undefined && { count }),
  };
}

function isRefusal(error: ErrorInfo | null): boolean {
  return error?.code === "permission_denied" || error?.code === "denied_by_policy";
}

function highestRisk({ analyses }: CallFacts): AuditRecord["risk"] {
  return RISKS.findLast((risk) => analyses.some((analysis) => analysis.risk === risk)) ?? null;
}

/** What the call said itself, and the programs that its commands start. */
function touchedBy({ targets, analyses }: CallFacts, grants: Grants): AuditRecord["touched"][number][] {
  // The connections tell which of the other hosts were reached.
  const touched = targets.filter(({ ifNeeded = false }) => !ifNeeded)
    .map((target) => ({ kind: target.kind, value: realValue(target, grants) }));
  const known = touched.filter(({ kind }) => kind === "run").map(({ value }) => value);
  const programs = new Set(analyses.flatMap(programsOf));
  return [
    ...touched,
    ...[...programs].filter((name) => !known.includes(name)).map((value) => ({
      kind: "run" as const,
      value,
    })),
  ];
}

/** Gives what was touched its real path, as the path guard finds it. Refused targets count too. */
function realValue({ kind, value }: Target, grants: Grants): string {
  if (kind === "net") return netTargetWord(value);
  if (kind === "run" || value.includes("\0")) return value;
  return realTarget(value, grants) ?? value;
}
