import type { PageView } from "./page.ts";

/** What is done in the browser of a session. Its page is read after each action. */
export type BrowserAction =
  /** Nothing but reading the page. */
  | { do: "read" }
  /** Goes to an address, in the current tab or a new one. */
  | { do: "open"; url: string; newTab?: boolean }
  | { do: "back" }
  | { do: "reload" }
  | { do: "click"; element: number }
  /** Clicks a point, whatever is there. */
  | { do: "point"; at: BrowserPoint }
  /** Holds the mouse down at one place, moves it to another, and lets go. */
  | { do: "drag"; from: BrowserPlace; to: BrowserPlace }
  /** Replaces what a field holds. */
  | { do: "type"; element: number; text: string }
  /** Presses a key, or several at once: `Enter`, `Control+a`. */
  | { do: "press"; keys: string }
  /** Scrolls the page, by a screen unless `pixels` says how far. */
  | { do: "scroll"; to: "down" | "up"; pixels?: number }
  /** Scrolls to the first place of a text. */
  | { do: "find"; text: string }
  /** Lists the options of a drop-down list. */
  | { do: "options"; element: number }
  /** Chooses an option by its text, else by its value. */
  | { do: "choose"; element: number; text: string }
  /** Gives files to a field that takes files. */
  | { do: "give"; element: number; files: readonly BrowserFile[] }
  | { do: "wait"; ms: number }
  /** Goes to another tab. */
  | { do: "tab"; tab: number }
  /** Closes a tab, the current one unless `tab` says which. */
  | { do: "close"; tab?: number }
  /** Gives the page's HTML, as it is now; of a PDF document its bytes. */
  | { do: "html" };

/** A point of the window and of its picture, in pixels from the left upper corner. */
export interface BrowserPoint {
  /** From the left. */
  x: number;
  /** From the top. */
  y: number;
}

/** Where the mouse is used: on an element, or at a point. */
export type BrowserPlace = { element: number } | BrowserPoint;

/** An option of a drop-down list. */
export interface BrowserOption {
  /** What it shows. */
  text: string;
  /** What a form sends for it. */
  value: string;
  /** Its place in the list, from 0. */
  index: number;
  /** It cannot be chosen. @default false */
  disabled?: boolean;
}

/** A file that a page gave or gets. Plain data. */
export interface BrowserFile {
  /** One name, no path; of a page's own choice if it gave the file. */
  name: string;
  /** Its bytes, as base64. */
  base64: string;
}

/** How an action ended. Plain data. */
export interface BrowserAnswer {
  /** The page after it. */
  page: PageView;
  /** What else happened since the last answer, as sentences: dialogs, tabs that opened. */
  happened: readonly string[];
  /** The page as a picture with the same numbers: a PNG, as base64. */
  picture?: string;
  /** What was downloaded since the last answer. */
  files?: readonly BrowserFile[];
  /** The options of the list. */
  options?: readonly BrowserOption[];
  /** The HTML of the page. */
  html?: string;
  /** The document that the browser shows in the place of a page: its media type, and its bytes as base64. */
  document?: { type: string; base64: string };
  /** The text that was chosen. */
  chosen?: string;
  /** How far it was scrolled, in pixels, if there was so much. */
  scrolled?: number;
}

/** The browser of a session; it starts with the first action. Throws `ToolError`. */
export interface Browser {
  /**
   * Does something, waits until the page has settled, and reads it.
   *
   * @throws {ToolError} `not_found` for an element or a tab that there never was; `conflict` for an element that is gone or
   * covered by another, or takes a file where a text was given (`details.takes` is `file`); `invalid_input`, also for a point
   * outside of the window; `external_failure` for a page that does not load; `permission_denied` for a host
   * that is not granted; `unavailable` if no browser can be started or it has ended; `timeout`
   */
  act(action: BrowserAction, options?: { picture?: boolean }): Promise<BrowserAnswer>;
}
