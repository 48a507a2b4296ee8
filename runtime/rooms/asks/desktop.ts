import type { Desktop, DesktopAction } from "../../../schemas/desktop/desktop.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, type Check, isText, isTexts, object, optional } from "./checks.ts";

/** Asks main to do something on the desktop of the session. */
export type DesktopAsk = { kind: "desktop.act"; action: DesktopAction };

const isWhole: Check = (value) => Number.isSafeInteger(value);
const isButton: Check = (value) => value === "left" || value === "middle" || value === "right";
const isPlace = object({ x: isWhole, y: isWhole });

/** The fields of each action, beside its name. */
const FIELDS: { readonly [Name in DesktopAction["do"]]: Readonly<Record<string, Check>> } = {
  look: {},
  move: { at: isPlace },
  click: { at: optional(isPlace), button: isButton, times: isWhole },
  scroll: { at: optional(isPlace), steps: isWhole },
  down: { at: optional(isPlace), button: isButton },
  up: { at: optional(isPlace), button: isButton },
  drag: { to: isPlace },
  type: { text: isText },
  press: { keys: isTexts },
};
const ACTIONS: ReadonlyMap<string, Check> = new Map(
  Object.entries(FIELDS).map(([name, fields]) => [name, object({ do: isText, ...fields })]),
);
const isAction: Check = (value) =>
  isObject(value) && typeof value.do === "string" && (ACTIONS.get(value.do)?.(value) ?? false);

export const DESKTOP_CHECKS: AskChecks<DesktopAsk> = { "desktop.act": { action: isAction } };

/** Returns the desktop that main starts for the session. */
export function askedDesktop(ask: Asker<DesktopAsk>): Desktop {
  // Main answers with what the contract of `Desktop` says.
  return { act: (action) => ask({ kind: "desktop.act", action }) as ReturnType<Desktop["act"]> };
}
