import type { DesktopAction, DesktopAnswer } from "../../schemas/desktop/desktop.ts";
import type { FromWorker, ToWorker } from "../programs/narrow/driven_program.ts";

/** What main tells the worker that drives a display. An action that is stopped releases what it holds pressed. */
export type ToDisplay = ToWorker<Greeting, DesktopAction>;

/** What the worker that drives a display tells main. */
export type FromDisplay = FromWorker<DesktopAnswer>;

/** How a display is greeted. */
export interface Greeting {
  /** A window manager was just started there, and is waited for. */
  isNew: boolean;
  /** What the display asks of its clients. @default nothing */
  cookie?: { name: string; bytes: Uint8Array<ArrayBuffer> };
}
