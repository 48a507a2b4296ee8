import { exitCodeOf } from "../../../schemas/error.ts";
import type { CallId, RunEvent } from "../../../schemas/agent/events.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { type CallEvents, callEvents } from "../../calls/call_events.ts";
import { refusalEvent } from "../../calls/results/refusal_event.ts";
import type { Machine } from "../../calls/machine.ts";
import { SIGNAL_CODES } from "../io/signal_codes.ts";
import { EventStream } from "./event_stream.ts";
import type { Output } from "../io/output.ts";

/** What happens between the start and the end of a call. */
const WITHIN_CALLS: readonly string[] = ["tool.progress", "program.start", "program.input", "program.end"];

/** What is told of a run at its start. */
export interface ReportedRun {
  grants: Pick<Machine["grants"], "policy" | "workspace" | "allow" | "deny">;
  control: Pick<Machine["control"], "runId">;
}

/** Writes a run as events, one JSON line each, and keeps the count for the last one. */
export class EventReporter {
  readonly #stream: EventStream;
  #calls = 0;
  #failed = 0;

  constructor(output: Output) {
    this.#stream = new EventStream(output);
  }

  start(command: string, { grants, control }: ReportedRun): void {
    const { policy, workspace, allow, deny } = grants;
    // The audit names the run alike.
    const run_id = control.runId;
    this.#stream.emit({ type: "run.start", run_id, command, workspace, grants: { policy, allow, deny } });
  }

  toolStart(id: CallId, tool: string, input: unknown): void {
    this.#stream.emit({ type: "tool.start", id, tool, arguments: input });
  }

  /** Takes what a call tells while it runs. */
  ofCall(id: CallId): CallEvents {
    return callEvents(id, (event) => this.#stream.emit(event));
  }

  /** Takes what a call tells that runs elsewhere: what is none of the events within a call is left out. */
  toldElsewhere(id: CallId, event: RunEvent): void {
    if (WITHIN_CALLS.includes(event.type)) this.#stream.emit({ ...event, id } as RunEvent);
  }

  toolEnd(id: CallId, result: ToolResult): Promise<void> {
    this.#calls++;
    if (!result.ok) this.#failed++;
    const refused = refusalEvent(id, result.error);
    if (refused !== null) this.#stream.emit(refused);
    this.#stream.emit({ type: "tool.end", id, result });
    return this.#stream.written;
  }

  /** The last event of a run. */
  async end(exitCode: number, options: { interrupted: boolean }): Promise<void> {
    const termination_reason = options.interrupted
      ? "interrupted"
      : this.#failed > 0
      ? "call_failed"
      : "completed";
    const usage = { calls: this.#calls, failed: this.#failed };
    this.#stream.emit({ type: "run.end", exit_code: exitCode, termination_reason, usage });
    await this.#stream.written;
  }
}

/** Returns the exit code of one call. */
export function exitCodeOfResult(result: ToolResult): number {
  return result.error === null ? 0 : exitCodeOf(result.error.code);
}

/** Returns the exit code for an interrupted run, or `code` if nothing interrupted it. */
export function interruptedCode(interrupt: AbortSignal, code: number): number {
  if (!interrupt.aborted) return code;
  return SIGNAL_CODES[String(interrupt.reason)] ?? code;
}
