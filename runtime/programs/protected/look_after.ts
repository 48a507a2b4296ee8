import type { Executed } from "../git/executed_files.ts";
import { lookAt, type LookedAt } from "./look_at.ts";
import type { Finding } from "./scan_folder.ts";
import type { ScanOptions } from "./scan_walk.ts";
import type { Baseline } from "./set_aside.ts";
import type { TreeScan } from "./tree_scan.ts";

/** What the look after a program needs. Plain data. */
export interface LookAfter extends LookedAt {
  /** Folders that the program may write. */
  writable: readonly string[];
  baseline: Baseline;
  /** What was executed before the program. */
  executed: Executed;
}

/** Returns the look after a program. */
export function lookAfter(
  after: LookAfter,
  scan: TreeScan,
): (options: ScanOptions) => Promise<Finding[]> {
  const { executed: before } = after;
  return async (options) => (await lookAt(after, scan, { ...options, before })).findings;
}
