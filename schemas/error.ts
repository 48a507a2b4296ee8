/** Every error code of a call, and the exit code of the program for it. */
export const EXIT_CODES = {
  not_found: 1,
  conflict: 1,
  unavailable: 1,
  internal: 1,
  invalid_input: 2,
  permission_denied: 3,
  denied_by_policy: 3,
  unauthenticated: 4,
  external_failure: 5,
  rate_limited: 5,
  configuration: 6,
  limit_exceeded: 7,
  output_invalid: 8,
  timeout: 124,
  cancelled: 130,
} as const;

/** A code of the closed list that callers branch on. */
export type ErrorCode = keyof typeof EXIT_CODES;

const RETRYABLE: ReadonlySet<ErrorCode> = new Set(["external_failure", "rate_limited", "timeout"]);

/** The plain form of an error, in results and in messages between a room and main. */
export interface ErrorInfo {
  /** What went wrong. */
  code: ErrorCode;
  /** Names the value, the reason and the next step. */
  message: string;
  /** True if the same call may succeed later without a change. */
  retryable: boolean;
  /** Facts for programs: the kind and target of a refusal, candidates, line numbers. */
  details: Record<string, unknown>;
}

/** Optional parts of a {@linkcode ToolError}. */
export interface ToolErrorOptions {
  /** Says that the same call may succeed later. @default true for external_failure, rate_limited and timeout */
  retryable?: boolean;
  /** Facts for programs. @default {} */
  details?: Record<string, unknown>;
  /** What it came from. */
  cause?: unknown;
}

/** An expected failure of a call. Anything else that a tool throws is a bug and becomes `internal`. */
export class ToolError extends Error {
  /** Always `ToolError`. */
  override readonly name = "ToolError";
  /** What went wrong. */
  readonly code: ErrorCode;
  /** True if the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** Facts for programs: the kind and target of a refusal, candidates, line numbers. */
  readonly details: Record<string, unknown>;

  /**
   * Makes an error with a code.
   *
   * @param code What went wrong, from the closed list
   * @param message Names the value, the reason and the next step; no full stop needed
   */
  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
    this.details = options.details ?? {};
  }

  /** Returns the plain form. */
  toInfo(): ErrorInfo {
    return { code: this.code, message: this.message, retryable: this.retryable, details: this.details };
  }
}

/** Returns the exit code of the program for an error code. */
export function exitCodeOf(code: ErrorCode): number {
  return EXIT_CODES[code];
}
