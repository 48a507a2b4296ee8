import type { DesktopAction, DesktopAnswer } from "../../schemas/desktop/desktop.ts";
import type { ErrorInfo } from "../../schemas/error.ts";

/** What main tells the worker that drives a display. */
export type ToDisplay =
  /** First of all: how to greet the display. */
  | { t: "open"; greeting: Greeting }
  /** Bytes of the display, as they came. */
  | { t: "bytes"; bytes: Uint8Array<ArrayBuffer> }
  | { t: "act"; id: number; action: DesktopAction }
  /** Nobody waits for an action any more: what it holds pressed is released. */
  | { t: "stop"; id: number };

/** What the worker that drives a display tells main. */
export type FromDisplay =
  /** Bytes for the display. */
  | { t: "send"; bytes: Uint8Array<ArrayBuffer> }
  /** So many bytes of the display were taken in. */
  | { t: "taken"; bytes: number }
  /** The display answers, and can be used. */
  | { t: "opened" }
  | { t: "unopened"; error: ErrorInfo }
  | { t: "answer"; id: number; answer: DesktopAnswer }
  | { t: "failed"; id: number; error: ErrorInfo };

/** How a display is greeted. */
export interface Greeting {
  /** A window manager was just started there, and is waited for. */
  isNew: boolean;
  /** What the display asks of its clients. @default nothing */
  cookie?: { name: string; bytes: Uint8Array<ArrayBuffer> };
}
