import type { AuditedProgram } from "../../../../schemas/audit.ts";
import type { CommandAnalysis } from "../../../../schemas/command.ts";
import type { ToolError } from "../../../../schemas/error.ts";
import type { Connection } from "../../../../schemas/net.ts";
import type { Scope } from "../../../../schemas/grants.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { makeAuditRecord } from "../../../calls/audit_record.ts";
import { failedResult } from "../../../calls/failed_result.ts";
import type { Machine } from "../../../calls/machine.ts";
import { narrowToNeeds, type ProgramNeeds } from "../../../programs/narrow/program_needs.ts";
import { mapTexts } from "../../../text/map_texts.ts";
import { makeMasker } from "../../../text/secrets/redact.ts";
import type { McpServer } from "../config/mcp_server.ts";

/** A server's program from its start to its end. */
export interface ServerLife {
  argv: readonly string[];
  /** When it was started. */
  time: Date;
  analyses: readonly CommandAnalysis[];
  /** `null` if it did not start. */
  program: AuditedProgram | null;
  /** Why it did not start. */
  error: ToolError | null;
  /** Where it connected to beside its calls. */
  connections: readonly Connection[];
}

/**
 * Makes what adds the program of a server to the audit, each time that it has ended: with its words and what it was
 * granted in the place of arguments. What it did in calls stands with these.
 */
export function auditServer(
  { name, secrets }: Pick<McpServer, "name" | "secrets">,
  { machine, needs }: { machine: Machine; needs: ProgramNeeds },
): (life: ServerLife) => void {
  return (life) => {
    const { audit } = machine.control;
    if (audit === null) return;
    const mask = secrets.length === 0 ? null : makeMasker(secrets);
    const { argv, time, analyses, program, error, connections } = mask ? maskWords(life, mask) : life;
    const { allow: { read, write }, netNamed: net } = narrowToNeeds(machine.grants, needs);
    const entry = { full_name: `mcp/${name}`, error_lead: "" };
    const durationMs = program?.duration_ms ?? Date.now() - time.getTime();
    const result: ToolResult = error === null
      ? {
        ...{ tool_name: entry.full_name, ok: true, result: null, text: "", images: [], artifacts: [] },
        ...{ warnings: [], error: null },
        metadata: { duration_ms: durationMs, place: program?.boxed ? program.wall ?? "sandbox" : "process" },
      }
      : failedResult(entry, error.toInfo(), { durationMs });
    audit(makeAuditRecord({
      ...{ entry, result, time, confirmed: false },
      input: { argv, read, write, net, env: needs.env ?? [] },
      facts: {
        targets: [...pathsOf("read", read), ...pathsOf("write", write)],
        analyses: [...analyses],
        programs: program === null ? [] : [program],
        connections: [...connections],
      },
    }, machine));
  };
}

/** Its words may hold what its entry filled in. */
function maskWords(life: ServerLife, mask: (text: string) => string): ServerLife {
  const { argv, program } = life;
  return {
    ...life,
    argv: mapTexts(argv, mask),
    program: program && { ...program, argv: mapTexts(program.argv, mask) },
  };
}

function pathsOf(kind: "read" | "write", scope: Scope) {
  return scope === true ? [] : scope.map((value) => ({ kind, value }));
}
