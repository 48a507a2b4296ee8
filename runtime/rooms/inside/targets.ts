import type { Target } from "../../../schemas/access.ts";
import type { Files } from "../../../schemas/context.ts";

/**
 * Checks everything that a call says it will touch, before it starts.
 *
 * @throws {ToolError} `permission_denied` for the first target outside the grants
 */
export async function checkTargets(targets: readonly Target[], files: Files): Promise<void> {
  for (const { kind, value } of targets) {
    if (kind === "read" || kind === "write") await files.locate(value, kind);
  }
}
