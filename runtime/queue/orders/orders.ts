import type { CallId, RunEvent } from "../../../schemas/agent/events.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import type { NarrowRequest } from "../../server/contract/narrow.ts";

/** What orders of all kinds say. */
export interface OrderTerms extends NarrowRequest {
  /** After this many beginnings without an end it is given up. */
  tries: number;
  /** It may begin again though it may have changed something. */
  retriesUnsafe: boolean;
  /** Others may be there to take it: whoever would refuse it leaves it to them. */
  mayDecline: boolean;
  /** It has been in no lane before: who takes it first knows that nobody has begun it. */
  isNew: boolean;
  /** Somebody watches what happens. */
  isWatched: boolean;
  /** Longest time of a call, in milliseconds. @default the worker's and the tool's */
  maxCallMs?: number | undefined;
  /** Where it stands in a trace. @default nowhere */
  traceparent?: string | undefined;
}

/** A call of a tool, or a task for an agent. */
export type OrderWork =
  /** The tool's name as the line spells it. */
  | { kind: "call"; tool: string; arguments: unknown }
  /** The fields of its line but for the id. */
  | { kind: "task"; wish: Record<string, unknown> };

/** What is ordered. */
export interface Order {
  v: 1;
  /** The id that the line gave itself, or its number. */
  id: CallId;
  /** Of its work: an outcome belongs to the line that has the same. */
  digest: string;
  work: OrderWork;
  terms: OrderTerms;
}

/** A file that an order left, kept as a blob of the same name. */
export interface LeftFile {
  name: string;
  /** Where the worker has it: the path that texts of the result name. */
  path: string;
  bytes: number;
}

/** How an order came out. */
export interface OrderAnswer {
  v: 1;
  digest: string;
  /** Id of the worker. */
  worker: string;
  /** Of a call, else `null`. */
  result: ToolResult | null;
  /** Of a task, else `null`: a line of its answers but for the id. */
  task: Record<string, unknown> | null;
  /** The files that it left, as far as they were kept. */
  files: LeftFile[];
}

/** What happens while an order is at work. */
export type OrderTold =
  | { t: "begun"; worker: string }
  | { t: "event"; event: RunEvent };

/** A tool that a worker offers. */
export interface WorkerTool {
  /** Full name. */
  name: string;
  /** It may run beside its neighbours. */
  parallel: boolean;
}

/** What a worker says of itself. */
export interface WorkerCard {
  v: 1;
  worker: string;
  lane: string;
  version: string;
  /** Name of its machine. */
  host: string;
  pid: number;
  /** ISO 8601. */
  started: string;
  /** Name of its policy. */
  policy: string;
  /** The kinds of access that it has. */
  grants: readonly string[];
  hasSandbox: boolean;
  tools: readonly WorkerTool[];
  /** Names of agents that do tasks, the usual one first; empty without a model. */
  agents: readonly string[];
  models: readonly string[];
  /** Most orders at once. */
  places: number;
  /** Orders that are at work. */
  busy: number;
  /** Orders that came out well since its start. */
  done: number;
  failed: number;
  /** It takes no more. */
  isLeaving: boolean;
}
