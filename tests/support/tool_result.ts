import type { ToolResult } from "../../schemas/result.ts";

/** A result of a tool that succeeded and said nothing. */
export function toolResult(changes: Partial<ToolResult> = {}): ToolResult {
  return {
    ...{ tool_name: "test/look", ok: true, result: null, text: "", images: [], artifacts: [], warnings: [] },
    ...{ error: null, metadata: { duration_ms: 1, place: "none" } },
    ...changes,
  };
}
