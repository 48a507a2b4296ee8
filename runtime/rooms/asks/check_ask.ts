import { isObject } from "../../../schemas/json/shape.ts";
import { ARTIFACT_CHECKS } from "./artifacts.ts";
import type { Ask } from "./ask.ts";
import { BROWSER_CHECKS } from "./browser.ts";
import { CHANGE_CHECKS } from "./changes.ts";
import { type AskChecks, type Check, isText, object } from "./checks.ts";
import { DESKTOP_CHECKS } from "./desktop.ts";
import { DOCUMENT_CHECKS } from "./documents.ts";
import { IGNORE_CHECKS } from "./ignores.ts";
import { MODEL_CHECKS } from "./model.ts";
import { PERSON_CHECKS } from "./person.ts";
import { PROGRAM_CHECKS } from "./programs.ts";
import { STATE_CHECKS } from "./state.ts";

const CHECKS: AskChecks<Ask> = {
  ...STATE_CHECKS,
  ...ARTIFACT_CHECKS,
  ...BROWSER_CHECKS,
  ...CHANGE_CHECKS,
  ...DESKTOP_CHECKS,
  ...DOCUMENT_CHECKS,
  ...IGNORE_CHECKS,
  ...MODEL_CHECKS,
  ...PERSON_CHECKS,
  ...PROGRAM_CHECKS,
};
const BY_KIND: ReadonlyMap<string, Check> = new Map(
  Object.entries(CHECKS).map(([kind, fields]) => [kind, object({ kind: isText, ...fields })]),
);

/** Says whether a question is valid. Main does not trust what a room sends. */
export function isAsk(value: unknown): value is Ask {
  if (!isObject(value) || typeof value.kind !== "string") return false;
  return BY_KIND.get(value.kind)?.(value) ?? false;
}
