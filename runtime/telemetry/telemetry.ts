import type { ModelReply, ModelRequest } from "../../schemas/agent/model.ts";
import type { AgentTermination, AgentUsage } from "../../schemas/agent/agent.ts";
import type { ToolResult } from "../../schemas/result.ts";

/** A call of a tool that begins. */
export interface CallBegun {
  /** Full name of a tool that the run has. */
  tool: string;
  /** The id that the caller gave it. @default none */
  id?: string | undefined;
  input: unknown;
  /** Masks the secrets of a text. */
  redact(text: string): string;
}

/** A request to a model that begins; each try is one. */
export interface ModelAsked {
  /** The name that the model's server knows it by. */
  model: string;
  /** Whose server it is, such as `openai`. */
  provider: string;
  request: ModelRequest;
  /** Masks the secrets of a text. */
  redact(text: string): string;
}

/** How a request to a model ended: its reply, or what was thrown. */
export type ModelAnswered = { reply: ModelReply } | { error: unknown };

/** A run of an agent that begins, or a batch of calls. */
export interface RunBegun {
  kind: "agent" | "batch";
  /** Id of its session, `null` if it keeps none. */
  session: string | null;
  /** Name of the agent. @default none is known */
  agent?: string | undefined;
  /** The model, as {@linkcode ModelAsked} has it. @default there is none */
  model?: Pick<ModelAsked, "model" | "provider"> | undefined;
}

/** How a run ended. */
export interface RunEnded {
  /** `failed` if it broke down, or for a batch with a failed call. */
  termination: AgentTermination | "failed";
  usage?: AgentUsage | undefined;
}

/** A run that goes on. */
export interface RunTold {
  /** Hears of what happens within the run. */
  within: Telemetry;
  end(how: RunEnded): void;
}

/**
 * Hears of the work of a process, for metrics and traces. Each method takes what begins and returns what takes its end. None
 * of them fails or waits.
 */
export interface Telemetry {
  call(begun: CallBegun): (result: ToolResult) => void;
  ask(asked: ModelAsked): (answered: ModelAnswered) => void;
  run(begun: RunBegun): RunTold;
  /** Hears of a room that has opened; what it returns is called when the room is gone. */
  room(): () => void;
  /** Returns what hears of the same as a part of the caller's trace; anything but a `traceparent` changes nothing. */
  under(traceparent: string | undefined): Telemetry;
  /** How much of what it heard of was lost on its way. */
  lost(): number;
}

/** Makes one that tells all of these. */
export function tellAll(all: readonly Telemetry[]): Telemetry {
  const each = <End>(begin: (one: Telemetry) => (end: End) => void) => {
    const ends = all.map(begin);
    return (end: End) => ends.forEach((tell) => tell(end));
  };
  return {
    call: (begun) => each((one) => one.call(begun)),
    ask: (asked) => each((one) => one.ask(asked)),
    run(begun) {
      const runs = all.map((one) => one.run(begun));
      return {
        within: tellAll(runs.map(({ within }) => within)),
        end: (how) => runs.forEach((run) => run.end(how)),
      };
    },
    room: () => each<void>((one) => one.room()),
    under: (traceparent) => tellAll(all.map((one) => one.under(traceparent))),
    lost: () => all.reduce((sum, one) => sum + one.lost(), 0),
  };
}
