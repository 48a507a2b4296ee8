import { NOTE } from "../../../scripts/test/run_group.ts";
import type { Answer } from "../../support/cli/scene.ts";

/** Cases that are not tried behind Landlock, by what it does otherwise. */
const NOT_TRIED: Readonly<Record<string, readonly string[]>> = {
  "a protected file in a folder that may be written is moved aside afterwards": ["1-03", "1-322", "17-06"],
  "names of files and numbers of processes are seen": ["6-141", "6-154", "16-13", "17-08"],
  "modes and times of the user's own files can be changed": ["6-128", "6-129"],
  "no program that may write starts beside a secret, so nothing is left to try": [
    ...["11-06", "12-11", "12-12", "12-13", "12-14", "12-15", "16-10"],
  ],
  "no program makes a socket with a name, so there is none to reach": ["15-45"],
};

const notTried = new Set(Object.values(NOT_TRIED).flat());

/** Says whether a case is tried behind Landlock. */
export function isTriedBehindLandlock(id: string): boolean {
  return !notTried.has(id);
}

/** Says that Landlock could not close something to the program of a call, so nothing was started. */
export function startedNot({ error }: Answer): boolean {
  return error?.code === "permission_denied" && error.message.includes("(Landlock)");
}

const counts = { tried: 0, refused: 0 };

/** Counts a case, and whether one of its programs did not start. */
export function noteStarts(answers: readonly Answer[]): void {
  counts.tried++;
  if (answers.some(startedNot)) counts.refused++;
}

Deno.test.afterAll(() => {
  if (counts.tried === 0) return;
  // deno-lint-ignore no-console
  console.log(
    `${NOTE}behind Landlock, ${counts.refused} of ${counts.tried} cases were held by a refusal to start`,
  );
});
