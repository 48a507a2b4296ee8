import { basename } from "@std/path";

import type { FileGrants } from "../../../schemas/grants.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { isOdd } from "../bytes/odd_names.ts";
import { type Executed, ExecutedFiles, NOTHING_EXECUTED } from "../git/executed_files.ts";
import { placesAbove } from "../git/find_places.ts";
import type { Finding } from "./scan_folder.ts";
import type { ScanOptions } from "./scan_walk.ts";
import type { ScanRoot, TreeScan } from "./tree_scan.ts";

/** Where it is looked for what a program must not change. Plain data. */
export interface LookedAt {
  roots: readonly ScanRoot[];
  files: FileGrants;
  /** The user's variables that say where settings of git are. */
  gitVariables: Readonly<Record<string, string>>;
}

/** What was found. */
export interface Looked {
  findings: Finding[];
  /** What is executed whatever its name; what of it exists is among the findings. */
  executed: Executed;
}

/**
 * Finds what must be masked or watched; what may not be written is watched also where it is not there yet. Needs `read`.
 *
 * @param options `before` is what was executed before a program, if the look comes after it
 * @throws {ToolError} As the scan does
 */
export async function lookAt(
  { roots, files, gitVariables }: LookedAt,
  scan: TreeScan,
  { before, ...options }: ScanOptions & { before?: Executed },
): Promise<Looked> {
  const denied = files.denyWrite === true ? [] : files.denyWrite;
  const found = await scan(roots, options);
  const executed = executedAmong(found, { files, gitVariables, before });
  const reasons = { ...executed.reasons, ...before?.reasons };
  return {
    findings: [
      ...found,
      ...present(denied.map((path) => [path, undefined]), "denied"),
      ...present(Object.entries(reasons), "protected"),
    ],
    executed,
  };
}

/** Adds what is executed to what may not be written. */
export function withExecuted(files: FileGrants, { reasons }: Executed): FileGrants {
  return { ...files, executed: Object.keys(reasons), whyExecuted: reasons };
}

function executedAmong(
  findings: readonly Finding[],
  { files, gitVariables, before }: Omit<LookedAt, "roots"> & { before: Executed | undefined },
): Executed {
  const executed = new ExecutedFiles({ ...files, env: gitVariables });
  if (executed.tops.length === 0) return NOTHING_EXECUTED;
  const isRepository = ({ kind, path }: Finding) =>
    kind === "repository" || kind === "protected" && basename(path).toLowerCase() === ".git";
  const repositories = findings.filter(isRepository).map(({ path }) => path).filter((path) => !isOdd(path));
  const links = findings.filter(({ kind, info }) => kind === "protected" && info.isSymlink)
    .filter(({ path }) => !isOdd(path));
  return executed.find({
    repositories: [...new Set([...placesAbove(executed.tops), ...repositories])],
    links: links.map(({ path }) => path),
  }, before && { before });
}

function present(
  paths: readonly (readonly [string, string | undefined])[],
  kind: Finding["kind"],
): Finding[] {
  return paths.flatMap(([path, why]) => {
    const info = lstat(path);
    return info === null ? [] : [{ path, kind, info, why }];
  });
}
