import type { Artifact, ToolResult } from "../../../schemas/result.ts";
import { failedResult, toToolError } from "../../calls/failed_result.ts";
import type { ArtifactFolder } from "../../state/artifact_folder.ts";
import { ArtifactWriter } from "../../state/artifact_writer.ts";
import type { OrderId, QueueEngine } from "../contract/engine.ts";
import type { Answer } from "../orders/orders.ts";

/**
 * Brings the files of an answer into a folder, and returns the answer's result with their paths there. A file that cannot be
 * brought becomes a warning. Needs `write`.
 */
export async function fetchFiles(
  engine: Pick<QueueEngine, "getBlob">,
  order: OrderId,
  { result, files, worker }: Answer,
  folder: ArtifactFolder,
): Promise<ToolResult> {
  if (result === null) {
    const message = `Worker ${worker} answered a call without a result`;
    return failedResult({ full_name: "?", error_lead: "" }, toToolError(new Error(message)).toInfo());
  }
  const artifacts: Artifact[] = [];
  const warnings = [...result.warnings];
  const writer = new ArtifactWriter(folder, (artifact) => artifacts.push(artifact));
  for (const { name, path } of files) {
    try {
      const bytes = await engine.getBlob(order, name);
      if (bytes === null) throw new RangeError("the queue has it no more");
      await writer.write(fileName(name), bytes);
    } catch (error) {
      warnings.push(
        `${path} of worker ${worker} did not come back: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  return { ...result, artifacts, warnings };
}

/** A worker may name its files as it likes. The number that it put before keeps names apart in the queue alone. */
function fileName(name: string): string {
  return name.replace(/^\d+-/, "").replace(/[^\w .-]/g, "_").replace(/^\.+/, "_").slice(0, 100) || "file";
}
