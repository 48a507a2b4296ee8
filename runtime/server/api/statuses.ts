import type { ErrorCode } from "../../../schemas/error.ts";

const STATUSES: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  unauthenticated: 401,
  permission_denied: 403,
  denied_by_policy: 403,
  not_found: 404,
  conflict: 409,
  limit_exceeded: 422,
  output_invalid: 422,
  rate_limited: 429,
  internal: 500,
  configuration: 500,
  external_failure: 502,
  unavailable: 503,
  cancelled: 503,
  timeout: 504,
};

/** Returns the HTTP status of an error code. */
export function statusOfCode(code: ErrorCode): number {
  return STATUSES[code];
}
