import type { Browser, BrowserAction } from "../../../schemas/browser/browser.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, type Check, isCount, isFlag, isText, isTime, object, optional } from "./checks.ts";

/** Asks main to do something in the browser of the session. */
export type BrowserAsk = { kind: "browser.act"; action: BrowserAction; picture: boolean };

const isFile = object({ name: isText, base64: isText });
const isPoint = object({ x: isCount, y: isCount });
const isElement = object({ element: isCount });
const isPlace: Check = (value) => isPoint(value) || isElement(value);

/** The fields of each action, beside its name. */
const FIELDS: { readonly [Name in BrowserAction["do"]]: Readonly<Record<string, Check>> } = {
  read: {},
  open: { url: isText, newTab: optional(isFlag) },
  back: {},
  reload: {},
  click: { element: isCount },
  point: { at: isPoint },
  drag: { from: isPlace, to: isPlace },
  type: { element: isCount, text: isText },
  press: { keys: isText },
  scroll: { to: (value) => value === "down" || value === "up", pixels: optional(isCount) },
  find: { text: isText },
  options: { element: isCount },
  choose: { element: isCount, text: isText },
  give: { element: isCount, files: (value) => Array.isArray(value) && value.every(isFile) },
  wait: { ms: isTime },
  tab: { tab: isCount },
  close: { tab: optional(isCount) },
  html: {},
};
const ACTIONS: ReadonlyMap<string, Check> = new Map(
  Object.entries(FIELDS).map(([name, fields]) => [name, object({ do: isText, ...fields })]),
);
const isAction: Check = (value) =>
  isObject(value) && typeof value.do === "string" && (ACTIONS.get(value.do)?.(value) ?? false);

export const BROWSER_CHECKS: AskChecks<BrowserAsk> = { "browser.act": { action: isAction, picture: isFlag } };

/** Returns the browser that main starts for the session. */
export function askedBrowser(ask: Asker<BrowserAsk>): Browser {
  return {
    // Main answers with what the contract of `Browser` says.
    act: (action, { picture = false } = {}) =>
      ask({ kind: "browser.act", action, picture }) as ReturnType<Browser["act"]>,
  };
}
