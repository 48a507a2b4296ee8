import { ToolError } from "../../../schemas/error.ts";
import { VERSION } from "../../self/version.ts";
import type { Telemetry } from "../telemetry.ts";
import { Counter, Durations, Gauge, Labelled, type Metric } from "./metrics.ts";
import { openMetricsText } from "./open_metrics.ts";

/** Most tools that are told apart; servers of tools may have any number. */
const MOST_TOOLS = 300;

/** Metrics of what a process does: calls, requests to models, runs and rooms. Nothing of their contents is kept. */
export class WorkMetrics implements Telemetry {
  readonly #calls = new Counter({
    name: "bulkhead_calls",
    help: "Calls of tools that have ended: ok, or the code of their error.",
    labels: ["tool", "outcome"],
  });
  readonly #callSeconds = new Durations({
    name: "bulkhead_call_seconds",
    help: "Time of calls from their turn to their end.",
    labels: ["tool"],
  });
  readonly #refusals = new Counter({
    name: "bulkhead_refusals",
    help: "Calls that were refused, by the code of their error.",
    labels: ["code"],
  });
  readonly #asks = new Counter({
    name: "bulkhead_model_requests",
    help: "Requests to models that have ended: ok, or the code of their error.",
    labels: ["outcome"],
  });
  readonly #askSeconds = new Durations({
    name: "bulkhead_model_request_seconds",
    help: "Time of requests to models with their replies.",
  });
  readonly #tokens = new Counter({
    name: "bulkhead_model_tokens",
    help: "Tokens as providers counted them; cached ones are a part of the input.",
    labels: ["type"],
  });
  readonly #runs = new Counter({
    name: "bulkhead_runs",
    help: "Runs of agents that have ended, by how they ended.",
    labels: ["outcome"],
  });
  readonly #tools = new Set<string>();
  readonly #more: Metric[] = [];
  #running = 0;
  #rooms = 0;

  /** Adds metrics that others keep, such as those of a server. */
  add(...metrics: readonly Metric[]): void {
    this.#more.push(...metrics);
  }

  /** All metrics in the form of OpenMetrics. */
  text(): string {
    return openMetricsText([
      new Labelled({ name: "bulkhead_build", help: "The program." }, { version: VERSION }),
      ...[this.#calls, this.#callSeconds, this.#refusals],
      ...[this.#asks, this.#askSeconds, this.#tokens, this.#runs],
      new Gauge({ name: "bulkhead_runs_running", help: "Runs of agents at work." }, () => this.#running),
      new Gauge({ name: "bulkhead_rooms", help: "Rooms that are open, idle ones too." }, () => this.#rooms),
      ...this.#more,
      new Gauge({
        ...{ name: "process_resident_memory_bytes", unit: "bytes" },
        help: "Memory of this process, without those that it started.",
      }, () => Deno.memoryUsage().rss),
      new Gauge({
        ...{ name: "process_start_time_seconds", unit: "seconds" },
        help: "When this process began, since 1970.",
      }, () => performance.timeOrigin / 1_000),
    ]);
  }

  call({ tool }: { tool: string }): ReturnType<Telemetry["call"]> {
    const begun = performance.now();
    return ({ error }) => {
      const label = this.#toolLabel(tool);
      this.#calls.add(1, label, error?.code ?? "ok");
      this.#callSeconds.add((performance.now() - begun) / 1_000, label);
      const isRefused = error?.code === "permission_denied" || error?.code === "denied_by_policy";
      if (isRefused) this.#refusals.add(1, error.code);
    };
  }

  ask(): ReturnType<Telemetry["ask"]> {
    const begun = performance.now();
    return (answered) => {
      this.#askSeconds.add((performance.now() - begun) / 1_000);
      if ("error" in answered) return this.#asks.add(1, codeOf(answered.error));
      this.#asks.add(1, "ok");
      const { usage } = answered.reply;
      if (usage === null) return;
      this.#tokens.add(usage.input_tokens, "input");
      this.#tokens.add(usage.cached_tokens, "cached");
      this.#tokens.add(usage.output_tokens, "output");
    };
  }

  run({ kind }: Pick<Parameters<Telemetry["run"]>[0], "kind">): ReturnType<Telemetry["run"]> {
    if (kind !== "agent") return { within: this, end() {} };
    this.#running++;
    const end: ReturnType<Telemetry["run"]>["end"] = ({ termination }) => {
      this.#running--;
      this.#runs.add(1, termination);
    };
    return { within: this, end };
  }

  room(): () => void {
    this.#rooms++;
    return () => void this.#rooms--;
  }

  under(): Telemetry {
    return this;
  }

  lost(): number {
    return 0;
  }

  #toolLabel(tool: string): string {
    if (this.#tools.size < MOST_TOOLS) this.#tools.add(tool);
    return this.#tools.has(tool) ? tool : "other";
  }
}

/** The code of what was thrown. */
function codeOf(error: unknown): string {
  return error instanceof ToolError ? error.code : "internal";
}
