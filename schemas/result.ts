import type { ErrorInfo } from "./error.ts";

/** A picture that belongs to a result. */
export interface ResultImage {
  /** Such as `image/png`. */
  mime_type: string;
  /** Base64 of the bytes. */
  data: string;
}

/** A sound that belongs to a result. */
export interface ResultAudio {
  /** Such as `audio/wav`. */
  mime_type: string;
  /** Base64 of the bytes. */
  data: string;
}

/** A document that came with a result, in full: a text, or bytes. */
export type ResultResource =
  & {
    /** What its server calls it. Nothing says that it can be opened there. */
    uri: string;
    /** @default unknown */
    mime_type?: string;
  }
  & (
    | { text: string }
    /** Base64 of the bytes. */
    | { data: string }
  );

/** A file that a call left in the session's folder. */
export interface Artifact {
  /** Its name in the folder. */
  name: string;
  /** Absolute path. */
  path: string;
  /** Its size. */
  bytes: number;
}

/** Where a call ran; `here` is the embedding program's own process, without any wall. */
export type Place = "worker" | "process" | "landlock" | "sandbox" | "here" | "none";

/** The result of every call, for every caller and every place where it ran. */
export interface ToolResult {
  /** Full name, `toolset/name`. */
  tool_name: string;
  /** Whether the call succeeded. */
  ok: boolean;
  /** The validated output; `null` if the call failed by itself. */
  result: unknown;
  /** What a model sees. */
  text: string;
  /** Pictures for the model to see. */
  images: ResultImage[];
  /** Sounds. @default none */
  audio?: ResultAudio[];
  /** Documents that came with it. What a model shall see of them stands in `text` as well. @default none */
  resources?: ResultResource[];
  /** Files that the call left. */
  artifacts: Artifact[];
  /** What was repaired, left out or guessed. */
  warnings: string[];
  /** Why the call failed; `null` if it succeeded. */
  error: ErrorInfo | null;
  /**
   * How long the call took, in milliseconds, and where it ran. `summary` says in one line for a person what came out, if
   * the tool has words of its own for it.
   */
  metadata: { duration_ms: number; place: Place; summary?: string };
  /** A remark of the system about the call, beside its output. */
  system?: string;
}
