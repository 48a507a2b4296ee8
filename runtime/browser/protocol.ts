import type { BrowserAction, BrowserAnswer } from "../../schemas/browser/browser.ts";
import type { ErrorInfo } from "../../schemas/error.ts";

/** What main tells the worker that drives a browser. */
export type ToDriver =
  /** The browser was started; it puts downloads into this folder. */
  | { t: "begin"; downloads: string }
  /** A message of the browser, as it came. */
  | { t: "message"; bytes: Uint8Array<ArrayBuffer> }
  | { t: "act"; id: number; action: BrowserAction; picture: boolean };

/** What the worker that drives a browser tells main. */
export type FromDriver =
  /** A message for the browser. */
  | { t: "send"; message: string }
  /** So many bytes of messages were taken in. */
  | { t: "taken"; bytes: number }
  /** The browser answers, and can be used. */
  | { t: "opened" }
  | { t: "unopened"; error: ErrorInfo }
  | { t: "answer"; id: number; answer: BrowserAnswer }
  | { t: "failed"; id: number; error: ErrorInfo };
