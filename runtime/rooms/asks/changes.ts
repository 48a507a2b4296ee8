import type { Asker } from "./asker.ts";
import { type AskChecks, isText } from "./checks.ts";

/** Says that a file is about to be changed, made or removed. The change waits for the answer: what is there is kept then. */
export type ChangeAsk = { kind: "change.keep"; path: string };

export const CHANGE_CHECKS: AskChecks<ChangeAsk> = { "change.keep": { path: isText } };

/** Returns what the path guard waits for before a change. */
export function askedChanges(ask: Asker<ChangeAsk>): (path: string) => Promise<void> {
  return async (path) => void await ask({ kind: "change.keep", path });
}
