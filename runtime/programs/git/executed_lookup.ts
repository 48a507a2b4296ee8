import type { FileGrants } from "../../../schemas/grants.ts";
import { ExecutedFiles, type ExecutedOptions, type FoundPlaces } from "./executed_files.ts";
import { findPlaces, placesAbove } from "./find_places.ts";

/** The part of the grants of files that this folder finds out. */
export type ExecutedGrants = Pick<FileGrants, "executed" | "whyExecuted">;

/** Returns what the user's tools execute now. */
export type ExecutedLookup = () => Promise<ExecutedGrants>;

/** The folders are looked through again after this time at the earliest, in milliseconds. */
const MIN_AGE_MS = 1_000;
/** Looking through the folders takes at most this part of the time. */
const SHARE = 1 / 20;

/**
 * Makes the lookup for tools that write files. The folders are looked through at the first call and then from time to
 * time; the settings of what was found are looked at each time.
 */
export function makeExecutedLookup(options: ExecutedOptions): ExecutedLookup {
  const files = new ExecutedFiles(options);
  const { tops } = files;
  let places: FoundPlaces = { repositories: [], links: [] };
  let fresh = -Infinity;
  return async () => {
    if (tops.length === 0) return {};
    if (performance.now() > fresh) {
      const started = performance.now();
      places = await findPlaces(tops);
      const ended = performance.now();
      fresh = ended + Math.max(MIN_AGE_MS, (ended - started) / SHARE);
    }
    const repositories = [...new Set([...placesAbove(tops), ...places.repositories])];
    const { reasons } = files.find({ ...places, repositories });
    return { executed: Object.keys(reasons), whyExecuted: reasons };
  };
}
