import * as z from "zod";

import type { BrowserAnswer, BrowserPlace } from "../../../../schemas/browser/browser.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { type Asked, type BrowserInput, readAction } from "./browser_actions.ts";

const ACTIONS = [
  "navigate_to",
  "go_back",
  "wait",
  "click_element",
  "input_text",
  "send_keys",
  "switch_tab",
  "close_tab",
  "scroll_down",
  "scroll_up",
  "scroll_to_text",
  "get_dropdown_options",
  "select_dropdown_option",
  "click_coordinates",
  "drag_drop",
] as const;

const MOST_SECONDS = 60;
const PLACE = "the number of an element, or a point as 'x,y'";

/** The arguments of the tool. */
export const sandboxInput = z.object({
  action: z.enum(ACTIONS).describe("The browser action to perform."),
  url: z.string().optional().describe("URL for 'navigate_to'."),
  index: z.int().min(0).optional().describe(
    "Number of the element for 'click_element', 'input_text', 'get_dropdown_options' or 'select_dropdown_option'.",
  ),
  text: z.string().optional().describe(
    "Text for 'input_text', 'scroll_to_text' or 'select_dropdown_option'.",
  ),
  amount: z.int().optional().describe(
    "Pixels for 'scroll_down' or 'scroll_up', negative for the other way; without it, one screen.",
  ),
  page_id: z.int().min(0).optional().describe("Number of the tab for 'switch_tab' or 'close_tab'."),
  keys: z.string().optional().describe("Keys for 'send_keys', such as Enter or Control+a."),
  seconds: z.int().min(0).max(MOST_SECONDS).optional().describe("Seconds for 'wait'; without them, 3."),
  x: z.int().min(0).optional().describe("Pixels from the left of the picture, for 'click_coordinates'."),
  y: z.int().min(0).optional().describe("Pixels from the top of the picture, for 'click_coordinates'."),
  element_source: z.string().optional().describe(`What to drag, for 'drag_drop': ${PLACE}.`),
  element_target: z.string().optional().describe(`Where to drop it, for 'drag_drop': ${PLACE}.`),
});

/** One of {@linkcode sandboxInput}. */
export type SandboxInput = z.output<typeof sandboxInput>;

type Field = Exclude<keyof SandboxInput, "action">;

/** What an action needs, and the document's words for it. */
const NEEDS: { readonly [Action in SandboxInput["action"]]?: readonly [readonly Field[], string] } = {
  navigate_to: [["url"], "URL is required for navigation"],
  click_element: [["index"], "Index is required for click_element"],
  input_text: [["index", "text"], "Index and text are required for input_text"],
  send_keys: [["keys"], "Keys are required for send_keys"],
  switch_tab: [["page_id"], "Page ID is required for switch_tab"],
  close_tab: [["page_id"], "Page ID is required for close_tab"],
  scroll_to_text: [["text"], "Text is required for scroll_to_text"],
  get_dropdown_options: [["index"], "Index is required for get_dropdown_options"],
  select_dropdown_option: [["index", "text"], "Index and text are required for select_dropdown_option"],
  click_coordinates: [["x", "y"], "X and Y coordinates are required for click_coordinates"],
  drag_drop: [["element_source", "element_target"], "Source and target elements are required for drag_drop"],
};
/** An empty text empties a field, or is an option. */
const MAY_BE_EMPTY = ["input_text", "select_dropdown_option"];

/**
 * Reads the arguments of an action. What the other browser tool has as well is done and said as there.
 *
 * @throws {ToolError} `invalid_input` in the document's words, if one is missing
 */
export function readSandboxAction(input: SandboxInput): Asked {
  const { action, page_id, amount, x = 0, y = 0, element_source = "", element_target = "", ...same } = input;
  requireFields(input);
  switch (action) {
    case "click_coordinates":
      return { action: { do: "point", at: { x, y } }, said: () => `Clicked at coordinates (${x}, ${y})` };
    case "drag_drop": {
      const [from, to] = [placeOf(element_source), placeOf(element_target)];
      return {
        action: { do: "drag", from, to },
        said: () => `Dragged ${element_source.trim()} to ${element_target.trim()}`,
      };
    }
    case "close_tab":
      return { action: { do: "close", tab: page_id ?? 0 }, said: () => `Closed tab ${page_id}` };
    default: {
      const name: BrowserInput["action"] = action === "navigate_to" ? "go_to_url" : action;
      return readAction({ ...same, action: name, tab_id: page_id, scroll_amount: amount });
    }
  }
}

function requireFields(input: SandboxInput): void {
  const [fields, words] = NEEDS[input.action] ?? [[], ""];
  const isThere = (field: Field) =>
    input[field] !== undefined && (input[field] !== "" || MAY_BE_EMPTY.includes(input.action));
  if (!fields.every(isThere)) throw new ToolError("invalid_input", words);
}

function placeOf(text: string): BrowserPlace {
  const [, first, second] = /^\s*(\d{1,9})(?:\s*,\s*(\d{1,9}))?\s*$/.exec(text) ?? [];
  if (first === undefined) {
    throw new ToolError("invalid_input", `${JSON.stringify(text)} names no place: give ${PLACE}`);
  }
  return second === undefined ? { element: Number(first) } : { x: Number(first), y: Number(second) };
}

/** The document's fields of a result. */
export function reportOf(message: string, { page }: BrowserAnswer) {
  return {
    success: true as const,
    message,
    url: page.url,
    title: page.title,
    element_count: page.lines.filter((line) => "number" in line).length,
    pixels_above: page.scroll.above,
    pixels_below: page.scroll.below,
  };
}
