import type { ErrorInfo } from "../../../schemas/error.ts";

/** An error as clients of OpenAI's API read it. */
export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

/** Returns an error as clients of OpenAI's API read it; `param` and `code` of the details stand for themselves. */
export function openaiError(
  { code, message, details }: Pick<ErrorInfo, "code" | "message" | "details">,
  status: number,
): ErrorBody {
  const { param, code: named } = details;
  return {
    error: {
      message,
      type: typeOf(status),
      param: typeof param === "string" ? param : null,
      code: typeof named === "string" ? named : codeOf(code, status),
    },
  };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

function codeOf(code: string, status: number): string {
  if (status === 401) return "invalid_api_key";
  return status === 429 ? "rate_limit_exceeded" : code;
}
