import { JetStreamApiError, jserrors } from "@nats-io/jetstream/internal";
import { errors } from "@nats-io/nats-core";

import { ToolError } from "../../../../../schemas/error.ts";

/** Codes of what JetStream answers, as its own list of errors has them. */
export const API_CODES = {
  wrongLastSequence: 10071,
  storeFailed: 10077,
  consumerMissing: 10014,
  streamMissing: 10059,
  streamExists: 10058,
  notEnabledForAccount: 10039,
} as const;

/** Answers of nodes that are about to start or to change places: the same question may be answered soon. */
const PASSING_CODES: ReadonlySet<number> = new Set([
  // No leader of the cluster, not the leader, and a stream or consumer without one.
  ...[10008, 10009, 10118, 10119],
  // The node has not read a stream yet.
  ...[10005, 10074],
]);

/** The link was lost while something was asked. */
export class LinkLost extends Error {
  override readonly name = "LinkLost";
}

/** Says whether the same question may be answered once the engine can be reached again. */
export function isPassing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return PASSING_CODES.has(error.code);
  if (violationOf(error)) return false;
  return error instanceof LinkLost || error instanceof errors.TimeoutError ||
    error instanceof errors.RequestError || error instanceof errors.NoRespondersError ||
    error instanceof jserrors.JetStreamNotEnabled;
}

/** Says whether JetStream answered with this code. */
export function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

/** Returns the error of a verb for what the engine refuses. */
export function asToolError(error: unknown): unknown {
  if (error instanceof errors.ClosedConnectionError || error instanceof errors.DrainingConnectionError) {
    return new ToolError("cancelled", "The link to the queue is closed", { cause: error });
  }
  const violation = violationOf(error);
  if (violation) {
    const { operation, subject } = violation;
    return new ToolError(
      "external_failure",
      `The queue does not let this user ${operation === "publish" ? "write to" : "read"} "${subject}": ` +
        `allow "bh.>", "$JS.API.>", "$JS.ACK.>" and "_INBOX.>"`,
      { retryable: false, cause: error },
    );
  }
  if (!(error instanceof JetStreamApiError)) return error;
  const { description, err_code } = error.apiError();
  return new ToolError("external_failure", `The queue refuses: ${description} (${err_code})`, {
    retryable: false,
    details: { code: err_code },
    cause: error,
  });
}

function violationOf(error: unknown) {
  if (error instanceof errors.PermissionViolationError) return error;
  if (!(error instanceof Error)) return null;
  return error.cause instanceof errors.PermissionViolationError ? error.cause : null;
}
