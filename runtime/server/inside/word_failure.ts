import type { ErrorInfo } from "../../../schemas/error.ts";
import type { ErrorForm } from "../api/operation.ts";
import type { HttpFailure } from "./wire/http_failure.ts";
import { jsonReply, type Reply } from "./wire/reply.ts";

/** Tells a failure in the form that clients of an operation know. */
export function wordFailure({ status, info, headers }: HttpFailure, form: ErrorForm): Reply {
  return jsonReply(status, FORMS[form](info, status), headers);
}

const FORMS: Readonly<Record<ErrorForm, (info: ErrorInfo, status: number) => unknown>> = {
  bulkhead: ({ code, message, retryable, details }) => ({ error: { code, message, retryable, details } }),
  openai: (info, status) => ({
    error: {
      message: info.message,
      type: openaiType(status),
      param: typeof info.details["param"] === "string" ? info.details["param"] : null,
      code: typeof info.details["code"] === "string" ? info.details["code"] : openaiCode(info, status),
    },
  }),
  detail: ({ message }) => ({ detail: message }),
};

function openaiType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

function openaiCode({ code }: ErrorInfo, status: number): string {
  if (status === 401) return "invalid_api_key";
  return status === 429 ? "rate_limit_exceeded" : code;
}
