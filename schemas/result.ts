import type { ErrorInfo } from "./error.ts";

/** A picture that belongs to a result. */
export interface ResultImage {
  /** Such as `image/png`. */
  mime_type: string;
  /** Base64 of the bytes. */
  data: string;
}

/** A file that a call left in the session's folder. */
export interface Artifact {
  /** Its name in the folder. */
  name: string;
  /** Absolute path. */
  path: string;
  /** Its size. */
  bytes: number;
}

/** Where a call ran. */
export type Place = "worker" | "process" | "sandbox" | "none";

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
