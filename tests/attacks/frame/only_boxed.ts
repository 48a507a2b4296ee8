/** Cases whose promise no wall without namespaces can keep, or that look at what only a box has; with the reason. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  "protected files in a folder that may be written are moved aside afterwards": [
    ...["1-03", "1-320", "1-321", "1-322", "1-324", "17-06"],
  ],
  "names of files and numbers of processes are seen": ["6-141", "6-154", "16-13", "17-08"],
  "modes and times of the user's own files can be changed": ["6-128", "6-129"],
  "no program that may write starts beside a secret, so nothing is left to try": [
    ...["12-11", "12-12", "12-13", "12-14", "12-15", "16-10"],
  ],
  "it looks at a network, a memory or words that only a box has": [
    ...["6-63", "7-04", "15-05", "15-06", "15-18", "15-19", "15-20", "15-45", "15-50", "15-51", "15-52"],
    ...["4-18", "16-05", "16-07", "17-21", "17-26"],
  ],
};

const IDS = new Set(Object.values(REASONS).flat());

/** Says whether a case is tried in boxes alone, of all walls. */
export function isOnlyBoxed(id: string): boolean {
  return IDS.has(id);
}
