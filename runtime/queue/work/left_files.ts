import { basename } from "@std/path";

import type { ToolResult } from "../../../schemas/result.ts";
import { plural } from "../../text/plural.ts";
import type { QueueEngine, TakenOrder } from "../contract/engine.ts";
import type { LeftFile } from "../orders/orders.ts";

/** Largest file that goes through the queue, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Most files of one order that do. */
const MAX_FILES = 100;

/**
 * Keeps the files that a call left with the queue, for whoever submitted it. What cannot be kept becomes a warning of the
 * result. Needs `read`.
 */
export async function keepLeftFiles(
  engine: Pick<QueueEngine, "putBlob">,
  taken: TakenOrder,
  result: ToolResult,
): Promise<LeftFile[]> {
  const kept: LeftFile[] = [];
  const lost: string[] = [];
  for (const [at, { name, path, bytes }] of result.artifacts.entries()) {
    try {
      if (at >= MAX_FILES || bytes > MAX_BYTES) throw new RangeError("too much for the queue");
      await engine.putBlob(taken, `${at}-${basename(name)}`, await Deno.readFile(path));
      kept.push({ name: `${at}-${basename(name)}`, path, bytes });
    } catch (error) {
      lost.push(`${path} (${error instanceof Error ? error.message : error})`);
    }
  }
  if (lost.length > 0) {
    result.warnings.push(
      `${plural(lost.length, "file")} stayed on the worker: ${lost.slice(0, 5).join(", ")}`,
    );
  }
  return kept;
}
