import { ToolError } from "../../schemas/error.ts";

/** Returns what a command threw as an error with a code. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof Deno.errors.NotCapable) {
    const message = `Deno itself was started without a permission: ${error.message}`;
    return new ToolError("permission_denied", message, { cause: error });
  }
  // A bug, or the system failed where nobody expected it: the stack tells where.
  const told = error instanceof Error ? error.stack ?? error.message : String(error);
  return new ToolError("internal", `Unexpected failure: ${told}`, { cause: error });
}
