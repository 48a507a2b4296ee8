import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { CommandAnalysis } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Connection } from "../../../schemas/net.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { makeAuditRecord } from "../../calls/audit_record.ts";
import { failedResult, toToolError } from "../../calls/failed_result.ts";
import type { Host } from "../../host/open_host.ts";
import type { OwnProgram } from "../../programs/narrow/own_program.ts";
import type { PipedProgram } from "../../programs/narrow/piped_program.ts";
import type { ProgramNeeds } from "../../programs/narrow/program_needs.ts";
import { publicNames } from "../../sources/mcp/public_names.ts";
import type { MissedFiles } from "./missed_files.ts";
import { Relay, type RelayedCall, type RelayParts } from "./relay.ts";
import type { ServerPins } from "./server_pins.ts";

/** A server of other people, and what it is given. */
export interface WrappedServer {
  /** What the user calls it. */
  name: string;
  /** Its command, and what it consists of. */
  own: OwnProgram;
  /** What it may touch, beside what it consists of. */
  needs: ProgramNeeds;
  /** Finds out what it misses. @default nobody does */
  missed?: Pick<MissedFiles, "inWords" | "inText">;
}

/** What {@linkcode wrapServer} needs. */
export interface WrapOptions {
  host: Pick<Host, "grants" | "control" | "programs"> & Parameters<typeof makeAuditRecord>[1];
  server: WrappedServer;
  pins: ServerPins;
  client: RelayParts["client"];
  /** Takes what the server says on stderr. */
  onStderr(bytes: Uint8Array): Promise<void>;
  /** Words that watch what the server does, and who hears where it connected to. @default nothing */
  watch?: { tracer: readonly string[]; onConnections(connections: readonly Connection[]): void };
  /** Ends the server. */
  signal: AbortSignal;
  warn(message: string): void;
}

/** How a wrapped server ended. */
export interface WrappedEnd {
  /** The client had said no more, or the user ended it. */
  isAsked: boolean;
  exitCode: number;
  /** How many requests it has answered, and how many of them were calls of tools. */
  answered: { requests: number; calls: number };
}

/** What the audit calls the life of the server itself. */
const WRAP_NAME = "mcp/wrap";

/**
 * Starts a server of other people within the walls that its needs leave, and passes messages on between it and a client
 * until one of them ends. Each call of a tool is a record of the audit.
 *
 * @throws {ToolError} If the server may not start or cannot be started
 */
export async function wrapServer(options: WrapOptions): Promise<WrappedEnd> {
  const { host, server: { own, needs, name, missed }, signal, client, pins, warn } = options;
  for (const hint of missed?.inWords() ?? []) warn(`${name}: ${hint}`);
  const audit = new WrapAudit(options);
  let program: PipedProgram;
  try {
    program = await host.programs.narrowed({
      ...needs,
      show: [...needs.show ?? [], ...own.show],
      packages: own.packages,
    })
      .pipe({ argv: own.argv }, {
        signal,
        isNamed: true,
        ...options.watch && { tracer: options.watch.tracer },
        onAnalysis: (analysis) => audit.analyses.push(analysis),
        onStderr(bytes) {
          for (const hint of missed?.inText(new TextDecoder().decode(bytes)) ?? []) warn(`${name}: ${hint}`);
          return options.onStderr(bytes);
        },
      });
  } catch (error) {
    audit.failed(toToolError(error));
    throw error;
  }
  for (const warning of program.warnings) warn(warning);
  const relay = new Relay({
    ...{ client, pins, name, warn },
    server: { output: program.stdout, write: (bytes) => program.write(bytes) },
    onCall: (call) => audit.called(call, program),
    hintsFor: missed && ((text) => missed.inText(text)),
  });
  // What the server takes no more shows in its end.
  const said = relay.fromClient().then(() => true, () => false);
  const told = relay.fromServer().catch((error) => {
    warn(
      `${name}: its messages cannot be passed on any more: ${error instanceof Error ? error.message : error}`,
    );
  });
  const isAsked = await Promise.race([
    said.then((whole) => whole ? true : program.ended.then(() => false)),
    told.then(() => false),
  ]);
  const end = await program.close();
  await told;
  for (const warning of end.warnings) warn(warning);
  if (end.exitCode !== 0 && !signal.aborted && own.advice !== null) warn(own.advice);
  await audit.ended(program, end.exitCode);
  const { answered } = relay;
  return { isAsked: isAsked || signal.aborted, exitCode: end.exitCode, answered };
}

/** Keeps the audit of a server and of its calls. */
class WrapAudit {
  readonly analyses: CommandAnalysis[] = [];
  readonly #options: WrapOptions;
  readonly #started = new Date();
  #records: Promise<void> = Promise.resolve();

  constructor(options: WrapOptions) {
    this.#options = options;
  }

  called(call: RelayedCall, program: PipedProgram): void {
    if (this.#options.host.control.audit === null) return;
    const durationMs = Date.now() - call.time.getTime();
    // Where it connected to is asked for, and the next message does not wait for that.
    this.#records = this.#records.then(async () => {
      // A gate that has failed does not cost the record.
      const connections = call.refused === null ? await program.connections().catch(() => []) : [];
      const [name = ""] = publicNames([{ server: this.#options.server.name, tool: call.tool }]);
      const error = call.refused !== null
        ? new ToolError("denied_by_policy", call.refused, { details: { rule: "accepted-tools" } })
        : call.ok
        ? null
        : call.bytes === 0
        ? new ToolError("unavailable", "The server gave no answer while the client waited for one")
        : new ToolError("external_failure", "The server says that the call failed");
      this.#note({
        full_name: `mcp/${name}`,
        input: call.input ?? {},
        error,
        durationMs,
        connections,
        time: call.time,
      }, call.bytes);
    }).catch(() => {});
  }

  failed(error: ToolError): void {
    const { own } = this.#options.server;
    this.#note({
      full_name: WRAP_NAME,
      input: { argv: own.argv },
      error,
      durationMs: 0,
      connections: [],
      time: this.#started,
    }, 0);
  }

  /** The life of the server itself, with what belongs to no call. */
  async ended(program: PipedProgram, exitCode: number): Promise<void> {
    await this.#records;
    const { own } = this.#options.server;
    const connections = await program.connections().catch(() => []);
    const durationMs = Date.now() - this.#started.getTime();
    const programs = [program.audited()];
    const about = {
      full_name: WRAP_NAME,
      input: { argv: own.argv },
      error: null,
      durationMs,
      connections,
      time: this.#started,
    };
    this.#note({ ...about, programs, result: { exit_code: exitCode } }, 0);
  }

  #note(
    about: {
      full_name: string;
      input: unknown;
      error: ToolError | null;
      durationMs: number;
      connections: readonly Connection[];
      programs?: readonly AuditedProgram[];
      result?: unknown;
      time: Date;
    },
    bytes: number,
  ): void {
    const { host, watch } = this.#options;
    watch?.onConnections(about.connections);
    const { full_name, input, error, durationMs, connections, programs = [], result = null, time } = about;
    const failed = error === null
      ? null
      : failedResult({ full_name, error_lead: "" }, error.toInfo(), { durationMs });
    const ended: ToolResult = failed ?? {
      ...{
        tool_name: full_name,
        ok: true,
        result,
        text: "",
        images: [],
        artifacts: [],
        warnings: [],
        error: null,
      },
      metadata: { duration_ms: durationMs, place: "none" },
    };
    const facts = {
      targets: [],
      analyses: this.analyses,
      programs: [...programs],
      connections: [...connections],
    };
    const record = { entry: { full_name }, input, result: ended, facts, confirmed: false, time };
    host.control.audit?.({ ...makeAuditRecord(record, host), bytes });
  }
}
