import * as z from "zod";

import type {
  DesktopAction,
  DesktopAnswer,
  MouseButton,
  ScreenPlace,
} from "../../../schemas/desktop/desktop.ts";
import { ToolError } from "../../../schemas/error.ts";

/** The actions of the document. */
const ACTIONS = [
  "move_to",
  "click",
  "scroll",
  "typing",
  "press",
  "wait",
  "mouse_down",
  "mouse_up",
  "drag_to",
  "hotkey",
  "screenshot",
] as const;

const WAIT_SECONDS = 0.5;
const MOST_SECONDS = 10;
const MOST_STEPS = 10;

/** The arguments of the tool. */
export const computerInput = z.object({
  action: z.enum(ACTIONS).describe("The action to perform."),
  x: z.number().optional().describe("Pixels from the left edge of the screen."),
  y: z.number().optional().describe("Pixels from the upper edge of the screen."),
  button: z.enum(["left", "right", "middle"]).default("left").describe(
    "Mouse button for 'click', 'mouse_down' and 'mouse_up'.",
  ),
  num_clicks: z.int().min(1).max(3).default(1).describe("Clicks for 'click': 1, 2 or 3."),
  amount: z.number().optional().describe(
    `Steps for 'scroll', from -${MOST_STEPS} to ${MOST_STEPS}: positive is up, negative is down.`,
  ),
  text: z.string().optional().describe("Text for 'typing'. A line end is the key enter."),
  key: z.string().optional().describe("Key for 'press', such as enter, esc, f5, pagedown or a."),
  keys: z.string().optional().describe("Keys for 'hotkey', pressed together, such as ctrl+c or alt+f4."),
  duration: z.number().default(WAIT_SECONDS).describe(`Seconds for 'wait', at most ${MOST_SECONDS}.`),
});

/** The arguments of a call. */
export type ComputerInput = z.output<typeof computerInput>;

/** What a call asks for: an action of the desktop with the document's words for its success and its failure, or a pause. */
export type Asked =
  | { action: DesktopAction; said(answer: DesktopAnswer): string; failed: string }
  | { waitMs: number; said: string };

/**
 * Reads the arguments of a call.
 *
 * @throws {ToolError} `invalid_input` in the document's words, if one is missing
 */
export function readComputerCall(input: ComputerInput): Asked {
  const { action, button } = input;
  switch (action) {
    case "wait": {
      const seconds = clamped(input.duration, 0, MOST_SECONDS);
      return { waitMs: seconds * 1000, said: `Waited ${seconds} seconds` };
    }
    case "screenshot":
      return {
        action: { do: "look" },
        said: () => "Screenshot taken",
        failed: "Failed to capture screenshot",
      };
    case "move_to": {
      const at = neededPlace(input);
      return { action: { do: "move", at }, said: () => `Moved to ${shown(at)}`, failed: "Failed to move" };
    }
    case "drag_to": {
      const to = neededPlace(input);
      return {
        action: { do: "drag", to },
        said: ({ before }) => `Dragged from ${shown(before)} to ${shown(to)}`,
        failed: "Failed to drag",
      };
    }
    case "click":
      return {
        action: { do: "click", ...placeOf(input), button, times: input.num_clicks },
        said: ({ pointer }) => `${input.num_clicks} ${button} click(s) performed at ${shown(pointer)}`,
        failed: "Failed to click",
      };
    case "mouse_down":
    case "mouse_up":
      return buttonCall(action, placeOf(input), button);
    case "scroll":
      return scrollCall(input);
    default:
      return keyboardCall(input, action);
  }
}

function buttonCall(
  action: "mouse_down" | "mouse_up",
  place: { at?: ScreenPlace },
  button: MouseButton,
): Asked {
  const isDown = action === "mouse_down";
  return {
    action: { do: isDown ? "down" : "up", ...place, button },
    said: ({ pointer }) => `${button} button ${isDown ? "pressed" : "released"} at ${shown(pointer)}`,
    failed: isDown ? "Failed to press button" : "Failed to release button",
  };
}

function scrollCall(input: ComputerInput): Asked {
  if (input.amount === undefined) throw missing("Scroll amount is required");
  const steps = clamped(Math.round(input.amount), -MOST_STEPS, MOST_STEPS);
  const way = steps > 0 ? "up" : "down";
  return {
    action: { do: "scroll", ...placeOf(input), steps },
    said: ({ pointer }) => `Scrolled ${way} ${Math.abs(steps)} step(s) at position ${shown(pointer)}`,
    failed: "Failed to scroll",
  };
}

/** A model often gives the keys of one action by the name of the other. */
function keyboardCall(
  { text, key, keys }: ComputerInput,
  action: "typing" | "press" | "hotkey",
): Asked {
  if (action === "typing") {
    if (!text) throw missing("Text is required for typing");
    return { action: { do: "type", text }, said: () => `Typed: ${text}`, failed: "Failed to type" };
  }
  const isPress = action === "press";
  const named = isPress ? key || keys : keys || key;
  if (!named) {
    throw missing(isPress ? "Key is required for press action" : "Keys are required for hotkey action");
  }
  return {
    action: { do: "press", keys: keysIn(named) },
    said: () => `${isPress ? "Pressed key" : "Pressed key combination"}: ${named}`,
    failed: isPress ? "Failed to press key" : "Failed to press keys",
  };
}

/** Other names that models have for keys. */
const ALIASES: Readonly<Record<string, string>> = {
  return: "enter",
  escape: "esc",
  control: "ctrl",
  ctl: "ctrl",
  option: "alt",
  cmd: "win",
  command: "win",
  super: "win",
  meta: "win",
  windows: "win",
  del: "delete",
  ins: "insert",
  page_up: "pageup",
  pgup: "pageup",
  page_down: "pagedown",
  pgdn: "pagedown",
  arrowup: "up",
  arrowdown: "down",
  arrowleft: "left",
  arrowright: "right",
  " ": "space",
  plus: "+",
};

/** Returns the keys of a combination; `ctrl++` is the key + with ctrl. */
export function keysIn(named: string): string[] {
  const bare = named.trim() === "" ? named : named.trim();
  if (bare.length === 1) return [ALIASES[bare] ?? bare];
  const words = bare.endsWith("++") ? [...bare.slice(0, -2).split("+"), "plus"] : bare.split("+");
  return words.map((word) => word.trim()).map((word) => {
    const name = [...word].length === 1 ? word : word.toLowerCase();
    return Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name;
  });
}

function placeOf({ x, y }: ComputerInput): { at?: ScreenPlace } {
  if (x === undefined && y === undefined) return {};
  if (x === undefined || y === undefined) throw missing("x and y coordinates are required");
  return { at: { x: Math.round(x), y: Math.round(y) } };
}

function neededPlace(input: ComputerInput): ScreenPlace {
  const { at } = placeOf(input);
  if (at === undefined) throw missing("x and y coordinates are required");
  return at;
}

function shown({ x, y }: ScreenPlace): string {
  return `(${x}, ${y})`;
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function missing(message: string): ToolError {
  return new ToolError("invalid_input", message);
}
