import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import { sayThrown } from "../../schemas/own/thrown_error.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Place, ToolResult } from "../../schemas/result.ts";
import { stripControls } from "../text/strip_controls.ts";

/** Returns any thrown value as an error with a code. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof Deno.errors.NotCapable) return outerRefusal(error);
  // A bug, or an unexpected failure of the system.
  return new ToolError("internal", `Unexpected failure: ${sayThrown(error)}`, { cause: error });
}

/** Returns why a call ended that was told to end: the signal's reason, or `cancelled`. */
export function cancelled(reason: unknown): ToolError {
  return reason instanceof ToolError
    ? reason
    : new ToolError("cancelled", "The call was cancelled", { cause: reason });
}

/** Makes the result of a call that its tool did not answer, worded as the tool words its failures. */
export function failedResult(
  tool: Pick<ManifestEntry, "full_name" | "error_lead">,
  error: ErrorInfo,
  { durationMs = 0, place = "none" }: { durationMs?: number; place?: Place } = {},
): ToolResult {
  return {
    tool_name: tool.full_name,
    ok: false,
    result: null,
    text: stripControls(`${tool.error_lead}${error.message}`),
    images: [],
    artifacts: [],
    warnings: [],
    error: { ...error, message: stripControls(error.message) },
    metadata: { duration_ms: durationMs, place },
  };
}

/** From source, the flags of the outer Deno count as well: a room cannot get more than its process has. */
function outerRefusal(error: Error): ToolError {
  return new ToolError(
    "permission_denied",
    `Deno itself was started without a permission that is needed here (${error.message}): start it with the flags ` +
      "of the start task in deno.json",
    { cause: error },
  );
}
