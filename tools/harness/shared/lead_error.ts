import { type ErrorCode, ToolError } from "../../../schemas/error.ts";

const ENDS: ReadonlySet<ErrorCode> = new Set(["timeout", "cancelled"]);

/**
 * Does some work and puts a lead such as "Error writing file: " before the message of its failure, code and details
 * kept. Refusals of the path guard have their own wording and stay as they are, and so do bugs and the end of the call.
 */
export async function withLead<T>(lead: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw leadError(error, lead);
  }
}

function leadError(error: unknown, lead: string): unknown {
  if (error instanceof ToolError) {
    if (error.details.reason !== undefined || ENDS.has(error.code)) return error;
    const { code, message, retryable, details } = error;
    return new ToolError(code, `${lead}${message}`, { retryable, details, cause: error });
  }
  if (isSystemError(error)) return new ToolError("internal", `${lead}${error.message}`, { cause: error });
  return error;
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
