import type { BrowserAction, BrowserAnswer } from "../../schemas/browser/browser.ts";
import type { FromWorker, ToWorker } from "../programs/narrow/driven_program.ts";

/** What the worker that drives a browser is to do. */
export interface BrowserWork {
  action: BrowserAction;
  /** The answer is to have a picture of the page. */
  picture: boolean;
}

/** What main tells the worker that drives a browser, which puts downloads into a folder, unless it is the user's own (`null`); bytes are one message of it. */
export type ToDriver = ToWorker<{ downloads: string | null }, BrowserWork>;

/** What the worker that drives a browser tells main. */
export type FromDriver = FromWorker<BrowserAnswer>;
