/** A button of the mouse. */
export type MouseButton = "left" | "middle" | "right";

/** A place on the screen, in pixels from its upper left corner. */
export interface ScreenPlace {
  /** From the left edge. */
  x: number;
  /** From the upper edge. */
  y: number;
}

/** What is done on the desktop of a session. Without a place, it is done where the pointer is. */
export type DesktopAction =
  /** Takes a picture of the screen once it does not change any more, for a second at most. */
  | { do: "look" }
  | { do: "move"; at: ScreenPlace }
  | { do: "click"; at?: ScreenPlace; button: MouseButton; times: number }
  /** Turns the wheel: positive is up. */
  | { do: "scroll"; at?: ScreenPlace; steps: number }
  /** Presses a button, and keeps it pressed. */
  | { do: "down"; at?: ScreenPlace; button: MouseButton }
  | { do: "up"; at?: ScreenPlace; button: MouseButton }
  /** Moves with the left button pressed. */
  | { do: "drag"; to: ScreenPlace }
  /** Types a text; a line end is the key Enter. */
  | { do: "type"; text: string }
  /** Presses keys together, by name: `["ctrl", "s"]`. */
  | { do: "press"; keys: readonly string[] };

/** How an action ended. Plain data. */
export interface DesktopAnswer {
  /** Size of the screen, in pixels; `null` if it is not known. */
  screen: { width: number; height: number } | null;
  /** Where the pointer was before. */
  before: ScreenPlace;
  /** Where the pointer is now. */
  pointer: ScreenPlace;
  /** The screen as a picture. */
  picture?: ScreenPicture;
  /** What else must be known, as sentences: that the desktop was started anew, for example. */
  happened: readonly string[];
}

/** A picture of the screen. */
export interface ScreenPicture {
  /** Its bytes, as base64. */
  base64: string;
  /** `image/png` or `image/jpeg`. */
  mimeType: string;
  /** Its size in pixels: that of the screen, unless the screen is larger than what a picture may be. */
  width: number;
  /** Of the same. */
  height: number;
}

/** The desktop of a session; it starts with the first action. Throws `ToolError`. */
export interface Desktop {
  /**
   * Does something.
   *
   * @throws {ToolError} `invalid_input` for a place outside of the screen, an unknown key or too long a text; `unavailable` if
   * no desktop can be started or it has ended; `permission_denied` if it may not be started; `external_failure`
   */
  act(action: DesktopAction): Promise<DesktopAnswer>;
}
