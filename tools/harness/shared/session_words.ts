import { type ErrorCode, ToolError } from "../../../schemas/error.ts";

const OWN_WORDS: ReadonlySet<ErrorCode> = new Set([
  "timeout",
  "cancelled",
  "permission_denied",
  "denied_by_policy",
]);

/** Does something with a terminal session; its failures get the document's words. */
export async function withSessionWords<T>(
  { purpose, id }: { purpose: string; id: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError) || OWN_WORDS.has(error.code)) throw error;
    throw new ToolError(error.code, messageOf(error, { purpose, id }), {
      retryable: error.retryable,
      details: { ...error.details, session_id: id },
      cause: error,
    });
  }
}

function messageOf({ code, message }: ToolError, { purpose, id }: { purpose: string; id: string }): string {
  if (code === "not_found") return `Session not found: ${id}`;
  const reason = code === "conflict" ? "session is not running" : message;
  return `Failed to ${purpose} session ${id}: ${reason}`;
}
