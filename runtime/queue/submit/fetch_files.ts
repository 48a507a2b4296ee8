import type { Artifact } from "../../../schemas/result.ts";
import type { ArtifactFolder } from "../../state/artifact_folder.ts";
import { ArtifactWriter } from "../../state/artifact_writer.ts";
import type { OrderId, QueueEngine } from "../contract/engine.ts";
import type { OrderAnswer } from "../orders/orders.ts";

/** Files that came back, and what did not. */
export interface FetchedFiles {
  artifacts: Artifact[];
  warnings: string[];
}

/** Brings the files of an answer into a folder. One that cannot be brought becomes a warning. Needs `write`. */
export async function fetchFiles(
  engine: Pick<QueueEngine, "getBlob">,
  order: OrderId,
  { files, worker }: OrderAnswer,
  folder: ArtifactFolder,
): Promise<FetchedFiles> {
  const artifacts: Artifact[] = [];
  const warnings: string[] = [];
  const writer = new ArtifactWriter(folder, (artifact) => artifacts.push(artifact));
  for (const { name, path } of files) {
    try {
      const bytes = await engine.getBlob(order, name);
      if (bytes === null) throw new RangeError("the queue has it no more");
      await writer.write(fileName(name), bytes);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      warnings.push(`${path} of worker ${worker} did not come back: ${why}`);
    }
  }
  return { artifacts, warnings };
}

/** A worker may name its files as it likes. The number that it put before keeps names apart in the queue alone. */
function fileName(name: string): string {
  return name.replace(/^\d+-/, "").replace(/[^\w .-]/g, "_").replace(/^\.+/, "_").slice(0, 100) || "file";
}
