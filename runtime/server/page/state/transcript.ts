import type { ChangedFile, RefusedCall } from "../../../../schemas/agent/ending.ts";
import type { CallId } from "../../../../schemas/agent/events.ts";
import type { Progress } from "../../../../schemas/context.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import type { Plan } from "../../../../schemas/step/plan.ts";
import type { AskKind } from "../../runs/runs.ts";

/** A program that a call started. */
export interface ShownProgram {
  program: number;
  words: string;
  sandboxed: boolean;
  /** What became of it; `null` while it runs. */
  end: string | null;
}

/** A refusal of a call, and the flag that would have allowed it; `null` if no flag does. */
export interface ShownRefusal {
  text: string;
  flag: string | null;
}

/** A call, as it is known up to now. */
export interface ShownCall {
  id: CallId;
  tool: string;
  input: unknown;
  /** ISO 8601. */
  started: string;
  progress: Progress | null;
  programs: readonly ShownProgram[];
  refusals: readonly ShownRefusal[];
  /** `null` while it runs, and for a call that never ended. */
  result: ToolResult | null;
  isRecorded: boolean;
}

/** How a part of a run ended. */
export interface ShownEnd {
  reason: string;
  answer: string | null;
  changed: readonly ChangedFile[];
  refused: readonly RefusedCall[];
}

/** What a line of a transcript shows. */
export type ItemBody =
  /** What the person asks for. */
  | { kind: "said"; text: string }
  | { kind: "text"; text: string; isOpen: boolean }
  | { kind: "call"; call: ShownCall }
  | { kind: "note"; tone: "info" | "warning"; text: string }
  | { kind: "end"; end: ShownEnd };

/** A line of a transcript; it is replaced when it changes. `key` is the number of the event that it began with. */
export type Item = ItemBody & { key: number };

/** What is known of a run from its events. */
export interface Transcript {
  /** Number of the last event. */
  last: number;
  items: readonly Item[];
  /** Where the calls stand that have not ended. */
  open: ReadonlyMap<CallId, number>;
  plan: Plan | null;
  /** Kinds of the questions that wait for an answer, by their ids. */
  asked: ReadonlyMap<string, AskKind>;
  /** How many runs are before it in the queue; `null` if it does not wait for its turn. */
  ahead: number | null;
  /** Round of the agent. */
  turn: number;
}

/** What is known before the first event. */
export const NO_EVENTS: Transcript = {
  last: 0,
  items: [],
  open: new Map(),
  plan: null,
  asked: new Map(),
  ahead: null,
  turn: 0,
};
