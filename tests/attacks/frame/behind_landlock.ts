import { assert } from "@std/assert";

import { NOTE } from "../../../scripts/test/run_group.ts";
import type { Answer } from "../../support/cli/scene.ts";

/** Cases that are not tried behind Landlock, by what it does otherwise. */
const NOT_TRIED: Readonly<Record<string, readonly string[]>> = {
  "a protected file in a folder that may be written is moved aside afterwards": [
    ...["1-03", "1-322", "11-12", "13-12", "13-13", "13-14", "13-21", "17-06"],
  ],
  "names of files and numbers of processes are seen": ["6-141", "6-154", "16-13", "17-08"],
  "modes and times of the user's own files can be changed": ["6-128", "6-129"],
  "no program that may write starts beside a secret, so nothing is left to try": [
    ...["10-95", "11-06", "12-11", "12-12", "12-13", "12-14", "12-15", "14-41", "14-42", "16-10"],
  ],
  "no program makes a socket with a name, so there is none to reach": ["15-45"],
};

/** Cases with a call that does not start there, by what Landlock cannot close to a program; all of kind 10 may be. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "a secret in a folder that it may write": [
    ...["1-95", "11-01", "13-15", "14-22", "17-11", "17-29"],
  ],
  "secrets of the system, or bulkhead's own state, in such a folder": [
    ...["3-17", "3-18", "3-19", "3-20", "3-21", "3-22", "3-23", "3-107", "3-117"],
  ],
  "a socket whose name is no UTF-8": ["11-07"],
};

const [notTried, refused] = [NOT_TRIED, REFUSED].map((ids) => new Set(Object.values(ids).flat()));

/** Says whether a case is tried behind Landlock. */
export function isTriedBehindLandlock(id: string): boolean {
  return !notTried!.has(id);
}

/** Says that Landlock could not close something to the program of a call, so nothing was started. */
export function startedNot({ error }: Answer): boolean {
  return error?.code === "permission_denied" && error.message.includes("(Landlock)");
}

const counts = { tried: 0, refused: 0 };

/** Counts a case. Throws if one of its programs did not start, so that nothing was tried, and it is not listed for that. */
export function noteStarts(id: string, answers: readonly Answer[]): void {
  counts.tried++;
  const first = answers.find(startedNot);
  if (!first) return;
  counts.refused++;
  assert(
    id.startsWith("10-") || refused!.has(id),
    `nothing was tried, as a program did not start: ${first.text}`,
  );
}

Deno.test.afterAll(() => {
  if (counts.tried === 0) return;
  // deno-lint-ignore no-console
  console.log(
    `${NOTE}behind Landlock, ${counts.refused} of ${counts.tried} cases were held by a refusal to start`,
  );
});
