import { basename, dirname } from "@std/path";

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

/**
 * A look at what a running program has made: everywhere, or only near the top of what it may write. A file is moved at
 * the second look, but `at once` if another program is about to start.
 */
export type LookWhileRunning = "everywhere" | "near" | "at once";

/** How far a look goes. */
export interface LookOptions extends ScanOptions {
  /** Only at the upper two levels of what it may write, and at the top of known repositories. @default false */
  near?: boolean;
}

const NEAR_DEPTH = 2;

/** Returns the look after a program. */
export function lookAfter(
  after: LookAfter,
  scan: TreeScan,
): (options: LookOptions) => Promise<Finding[]> {
  const { executed: before, baseline, roots } = after;
  const repositories = Object.keys(baseline.entries).filter((path) => basename(path) === ".git").map(dirname);
  const nearby = [
    // A repository that is a root itself is looked at as one.
    ...repositories.map((path) => ({ path, depth: 1 })),
    ...roots.map(({ path, depth = NEAR_DEPTH }) => ({ path, depth: Math.min(depth, NEAR_DEPTH) })),
  ];
  return async ({ near = false, ...options }) => {
    const at = near ? { ...after, roots: nearby } : after;
    return (await lookAt(at, scan, { ...options, before })).findings;
  };
}
