import type { IgnoreLists, ToolContext } from "../../../schemas/context.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isText } from "./checks.ts";

/** Asks for git's lists of ignored files that lie where the room does not see them. */
export type IgnoreAsk = { kind: "ignore.lists"; top: string };

export const IGNORE_CHECKS: AskChecks<IgnoreAsk> = { "ignore.lists": { top: isText } };

/** Returns what searches ask before they begin. */
export function askedIgnores(ask: Asker<IgnoreAsk>): ToolContext["ignoreLists"] {
  return async (top) => await ask({ kind: "ignore.lists", top }) as IgnoreLists;
}
