import type { ErrorInfo } from "../../../schemas/error.ts";
import type { EngineSettings, LinkState, QueueEngine } from "./engine.ts";

/** What is asked once and answered once. */
export const VERBS = [
  ...["openJob", "cancelJob", "removeJob", "submit", "recall", "announce", "leave"],
  ...["begin", "begun", "finish", "giveBack", "tell", "putBlob", "getBlob", "status"],
] as const satisfies readonly (keyof QueueEngine)[];

/** What gives one item after another. */
export const FEEDS = ["outcomes", "events", "cards", "take", "cancelled"] as const satisfies readonly (
  keyof QueueEngine
)[];

export type Verb = typeof VERBS[number];
export type EngineFeed = typeof FEEDS[number];

/** What main says to the worker of an engine. */
export type ToEngine =
  | { t: "open"; settings: EngineSettings }
  | { t: "ask"; id: number; verb: Verb; args: readonly unknown[] }
  | { t: "feed"; id: number; feed: EngineFeed; args: readonly unknown[] }
  /** One more item of a feed, please. */
  | { t: "next"; id: number }
  | { t: "close"; id: number }
  | { t: "end" };

/** What the worker of an engine says. */
export type FromEngine =
  | { t: "opened" }
  | { t: "refused"; error: ErrorInfo }
  | { t: "answer"; id: number; value: unknown }
  /** An answer, or the end of a feed. */
  | { t: "failed"; id: number; error: ErrorInfo }
  | { t: "item"; id: number; item: unknown }
  | { t: "done"; id: number }
  | { t: "link"; state: LinkState }
  | { t: "ended" };
