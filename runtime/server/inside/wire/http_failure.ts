import type { ErrorCode, ErrorInfo } from "../../../../schemas/error.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { statusOfCode } from "../../api/statuses.ts";

/** Statuses that no code stands for. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: "invalid_input",
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
  405: "invalid_input",
  408: "timeout",
  413: "limit_exceeded",
  414: "limit_exceeded",
  415: "invalid_input",
  421: "permission_denied",
  429: "rate_limited",
  431: "limit_exceeded",
  503: "unavailable",
};

/** A request that gets no answer of its operation. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly status: number;
  readonly info: ErrorInfo;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, info: ErrorInfo, headers: Readonly<Record<string, string>> = {}) {
    super(info.message);
    this.status = status;
    this.info = info;
    this.headers = headers;
  }

  /** Makes one of a status; the message names the value, the reason and the next step. */
  static of(status: number, message: string, headers: Readonly<Record<string, string>> = {}): HttpFailure {
    const retryable = status === 408 || status === 429 || status === 503;
    return new HttpFailure(
      status,
      new ToolError(CODES[status] ?? "internal", message, { retryable }).toInfo(),
      headers,
    );
  }

  /** Makes one of an error with a code. */
  static from(error: ErrorInfo): HttpFailure {
    const status = statusOfCode(error.code);
    const seconds = retryAfter(error);
    return new HttpFailure(status, error, {
      ...(seconds !== null && { "retry-after": String(seconds) }),
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    });
  }
}

/** In seconds; `null` if asking again does not help. */
function retryAfter({ code, details }: ErrorInfo): number | null {
  const { retry_after } = details;
  if (typeof retry_after === "number" && retry_after >= 0) return Math.ceil(retry_after);
  return code === "rate_limited" ? 1 : null;
}
