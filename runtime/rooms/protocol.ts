import type { Target } from "../../schemas/access.ts";
import type { FileChange, Progress } from "../../schemas/context.ts";
import type { ErrorInfo } from "../../schemas/error.ts";
import type { ChosenType, JsonSchema } from "../../schemas/manifest.ts";
import type { ResultImage } from "../../schemas/result.ts";
import type { Ask } from "./asks/ask.ts";
import type { RoomProfile } from "./profile.ts";

// The messages between main and a room: plain objects, over a worker's port or as JSON lines over a process's
// pipes.

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
  /** What the tool is told about the user's settings and choices. */
  told: ToldTool;
  /** Names the call in its requests to the gate. @default it makes none */
  name?: string;
  /** The type that the user chose for the result, with the schemas that follow from it. @default the tool's own */
  typed?: ChosenType & { input: JsonSchema; output: JsonSchema };
  /** Real paths that the call was allowed for; nothing else may be touched. @default what the room may touch */
  judged?: readonly string[];
  /** The bytes for a reader. @default no bytes */
  bytes?: Uint8Array | null;
}

/** What a tool is told beside its arguments. */
export interface ToldTool {
  /** What the user has set of the tool's settings. */
  settings: Readonly<Record<string, string>>;
  /** Names under which tools of the same set are offered, by their own names. @default all can be called */
  names?: Readonly<Record<string, string>>;
  /** Name of the model that calls it. @default no model calls it */
  model?: string;
  /** Names of the keys of services that the gate adds for the tool. @default none */
  keys?: readonly string[];
}

/** The room's last message about a call. */
export interface Outcome {
  ok: boolean;
  result: unknown;
  text: string;
  /** The tool's own words for a person. */
  summary?: string;
  /** The change that an explained call would make. */
  preview?: string;
  images: ResultImage[];
  warnings: string[];
  error: ErrorInfo | null;
  /** What the call touches, as far as its tool tells. */
  targets: Target[];
}

/** Main's answer to a question: the value, or the reason for the refusal. */
export interface AnswerMessage {
  t: "answer";
  /** Number of the question. */
  n: number;
  value: unknown;
  error: ErrorInfo | null;
}

/** What main says. */
export type ToRoom =
  /** With `writes`, the room writes what it says after `ready` to its process's stdout itself. */
  | { t: "open"; profile: RoomProfile; token: string; writes?: boolean }
  | CallMessage
  | { t: "cancel"; id: number }
  | AnswerMessage;

/** What a room says. */
export type FromRoom =
  | { t: "ready" }
  /** The walls do not hold: the room could do something that must be refused. */
  | { t: "breach"; what: string }
  | { t: "progress"; id: number; progress: Progress }
  /** The call is about to change a file. */
  | { t: "change"; id: number; change: FileChange }
  | { t: "ask"; n: number; ask: Ask }
  | { t: "done"; id: number; outcome: Outcome }
  /** An error that no call hears of: the room cannot be trusted to go on. */
  | { t: "died"; what: string };

/** A connection to a room, in a worker or in a process. */
export interface RoomLink {
  send(message: ToRoom): void;
  /** Ends the room at once. A worker that spins may burn on until its process ends. */
  kill(): void;
  /** Settles when the room is gone. */
  closed: Promise<RoomEnd>;
}

/** What is known about the reason why a room is gone. */
export interface RoomEnd {
  /** It looks as if the room used more memory than it may. */
  outOfMemory: boolean;
  /** Exit code or signal, and the last words on its stderr. */
  detail: string;
}

/** The receiver of a {@linkcode RoomLink}'s messages. */
export type OnMessage = (message: FromRoom) => void;
