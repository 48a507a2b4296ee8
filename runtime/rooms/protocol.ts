import type { Target } from "../../schemas/access.ts";
import type { Progress } from "../../schemas/context.ts";
import type { ErrorInfo } from "../../schemas/error.ts";
import type { ResultImage } from "../../schemas/result.ts";
import type { Ask } from "./asks/ask.ts";
import type { RoomProfile } from "./profile.ts";

// What main and a room say to each other: plain objects, over a worker's port or as JSON lines over a process's pipes.

/** One call, as a room gets it. */
export interface CallMessage {
  t: "call";
  /** Counts up within the room. */
  id: number;
  /** Full name. */
  tool: string;
  input: unknown;
  /** Longest time of the call, in milliseconds. */
  timeoutMs: number;
  /** When the room shall stop the call itself, in milliseconds from the message on; a little before the limit. */
  stopAfterMs: number;
  /** `explain` stops after the check of the targets. */
  mode: "run" | "explain";
  /** What the user has set of the tool's settings. */
  settings: Readonly<Record<string, string>>;
  /** What a reader takes apart. @default nothing */
  bytes?: Uint8Array | null;
}

/** The room's own last word on a call. */
export interface Outcome {
  ok: boolean;
  result: unknown;
  text: string;
  images: ResultImage[];
  warnings: string[];
  error: ErrorInfo | null;
  /** What the call touches, as far as its tool tells. */
  targets: Target[];
}

/** Main's answer to a question: the value, or why there is none. */
export interface AnswerMessage {
  t: "answer";
  /** Number of the question. */
  n: number;
  value: unknown;
  error: ErrorInfo | null;
}

/** What main says. */
export type ToRoom =
  | { t: "open"; profile: RoomProfile; token: string }
  | CallMessage
  | { t: "cancel"; id: number }
  | AnswerMessage;

/** What a room says. */
export type FromRoom =
  | { t: "ready" }
  /** The walls do not hold: something that must be refused was not. */
  | { t: "breach"; what: string }
  | { t: "progress"; id: number; progress: Progress }
  | { t: "ask"; n: number; ask: Ask }
  | { t: "done"; id: number; outcome: Outcome };

/** A connection to a room, whatever it is made of. */
export interface RoomLink {
  send(message: ToRoom): void;
  /** Ends the room at once. A worker that spins may burn on until its process ends. */
  kill(): void;
  /** Settles when the room is gone. */
  closed: Promise<RoomEnd>;
}

/** What is known of why a room is gone. */
export interface RoomEnd {
  /** It looks as if the room used more memory than it may. */
  outOfMemory: boolean;
  /** Exit code or signal, and the last words on its stderr. */
  detail: string;
}

/** What {@linkcode RoomLink} makers tell of incoming messages. */
export type OnMessage = (message: FromRoom) => void;
