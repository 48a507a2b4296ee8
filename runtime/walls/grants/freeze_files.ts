import type { Grants } from "../../../schemas/grants.ts";

/**
 * Keeps files from being written for the rest of a run, by whatever the run lets write: for what is found once its tools are
 * loaded. It takes away alone, and holds for all that was made of these grants before.
 *
 * @param paths Absolute and real
 */
export function freezeFiles({ deny, frozen }: Grants, paths: readonly string[]): void {
  const lists = [frozen, ...deny.write === true ? [] : [deny.write]] as string[][];
  for (const list of lists) list.push(...paths.filter((path) => !list.includes(path)));
}
