import type { ErrorInfo } from "../../../schemas/error.ts";
import type { ErrorForm } from "../api/operation.ts";
import { openaiError } from "../openai/error_body.ts";
import type { HttpFailure } from "./wire/http_failure.ts";
import { jsonReply, type Reply } from "./wire/reply.ts";

/** Tells a failure in the form that clients of an operation know. */
export function wordFailure({ status, info, headers }: HttpFailure, form: ErrorForm): Reply {
  return jsonReply(status, FORMS[form](info, status), headers);
}

const FORMS: Readonly<Record<ErrorForm, (info: ErrorInfo, status: number) => unknown>> = {
  bulkhead: ({ code, message, retryable, details }) => ({ error: { code, message, retryable, details } }),
  openai: openaiError,
  detail: ({ message }) => ({ detail: message }),
};
