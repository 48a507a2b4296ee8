import type { FileGrants } from "../../../schemas/grants.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import type { Finding } from "./scan_folder.ts";
import type { ScanOptions } from "./scan_walk.ts";
import type { ScanRoot, TreeScan } from "./tree_scan.ts";

/** Where it is looked for what a program must not change. Plain data. */
export interface LookedAt {
  roots: readonly ScanRoot[];
  files: FileGrants;
}

/**
 * Finds what must be masked or watched; what may not be written is watched also where it is not there yet. Needs `read`.
 *
 * @throws {ToolError} As the scan does
 */
export async function lookAt(
  { roots, files }: LookedAt,
  scan: TreeScan,
  options: ScanOptions,
): Promise<Finding[]> {
  const denied = files.denyWrite === true ? [] : files.denyWrite;
  const present = denied.flatMap((path): Finding[] => {
    const info = lstat(path);
    return info === null ? [] : [{ path, kind: "protected", info }];
  });
  return [...await scan(roots, options), ...present];
}
