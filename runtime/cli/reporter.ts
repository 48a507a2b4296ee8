import type { AccessKind } from "../../schemas/access.ts";
import { exitCodeOf } from "../../schemas/error.ts";
import type { CallId, RunEvent } from "../../schemas/events.ts";
import type { Progress } from "../../schemas/context.ts";
import type { ToolResult } from "../../schemas/result.ts";
import type { Machine } from "../run_call.ts";
import { jsonLine } from "./json_line.ts";
import type { Output } from "./output.ts";

/** Writes a run as events, one JSON line each, and keeps the count for the last one. */
export class EventReporter {
  readonly #output: Output;
  #written: Promise<void> = Promise.resolve();
  #calls = 0;
  #failed = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  start(command: string, { grants, dispatch }: Machine): void {
    const { policy, workspace, allow, deny } = grants;
    // The audit names the run alike.
    const run_id = dispatch?.runId ?? crypto.randomUUID();
    this.#emit({ type: "run.start", run_id, command, workspace, grants: { policy, allow, deny } });
  }

  toolStart(id: CallId, tool: string, input: unknown): void {
    this.#emit({ type: "tool.start", id, tool, arguments: input });
  }

  progress(id: CallId, progress: Progress): void {
    this.#emit({ type: "tool.progress", id, ...progress });
  }

  confirmed(id: CallId): void {
    this.#emit({ type: "permission", id, decision: "confirmed" });
  }

  toolEnd(id: CallId, result: ToolResult): Promise<void> {
    this.#calls++;
    if (!result.ok) this.#failed++;
    const { kind, target, flag, rule } = result.error?.details ?? {};
    if (result.error?.code === "permission_denied" && typeof flag === "string") {
      const refusal = { kind: kind as AccessKind, target: String(target), flag };
      this.#emit({ type: "permission", id, decision: "refused", ...refusal });
    } else if (result.error?.code === "denied_by_policy") {
      this.#emit({ type: "permission", id, decision: "refused", rule: String(rule ?? "policy") });
    }
    this.#emit({ type: "tool.end", id, result });
    return this.#written;
  }

  /** The last event of a run. */
  async end(exitCode: number, options: { interrupted: boolean }): Promise<void> {
    const termination_reason = options.interrupted
      ? "interrupted"
      : this.#failed > 0
      ? "call_failed"
      : "completed";
    const usage = { calls: this.#calls, failed: this.#failed };
    this.#emit({ type: "run.end", exit_code: exitCode, termination_reason, usage });
    await this.#written;
  }

  #emit(event: RunEvent): void {
    const line = jsonLine({ v: 1, ...event });
    this.#written = this.#written.then(() => this.#output.write(line));
    // Whoever waits for the last write hears of a closed pipe; until then it is nobody's failure.
    this.#written.catch(() => {});
  }
}

/** Returns the exit code of one call. */
export function exitCodeOfResult(result: ToolResult): number {
  return result.error === null ? 0 : exitCodeOf(result.error.code);
}

/** Returns the exit code for an interrupted run, or `code` if nothing interrupted it. */
export function interruptedCode(interrupt: AbortSignal, code: number): number {
  if (!interrupt.aborted) return code;
  return interrupt.reason === "SIGTERM" ? 143 : 130;
}
