import * as z from "zod";

import type { BrowserAction, BrowserAnswer } from "../../../../schemas/browser/browser.ts";
import { ToolError } from "../../../../schemas/error.ts";

/** The actions of the document, and `refresh`, which only the code has. */
export const ACTIONS = [
  "go_to_url",
  "click_element",
  "input_text",
  "scroll_down",
  "scroll_up",
  "scroll_to_text",
  "send_keys",
  "get_dropdown_options",
  "select_dropdown_option",
  "go_back",
  "web_search",
  "wait",
  "extract_content",
  "switch_tab",
  "open_tab",
  "close_tab",
  "refresh",
] as const;

const WAIT_SECONDS = 3;
const MOST_SECONDS = 60;

/** The arguments of the tool. */
export const browserInput = z.object({
  action: z.enum(ACTIONS).describe("The browser action to perform."),
  url: z.string().optional().describe("URL for 'go_to_url' or 'open_tab'."),
  index: z.int().min(0).optional().describe(
    "Number of the element for 'click_element', 'input_text', 'get_dropdown_options' or 'select_dropdown_option'.",
  ),
  text: z.string().optional().describe(
    "Text for 'input_text', 'scroll_to_text' or 'select_dropdown_option'.",
  ),
  scroll_amount: z.int().optional().describe(
    "Pixels for 'scroll_down' or 'scroll_up', negative for the other way; without it, one screen.",
  ),
  tab_id: z.int().min(0).optional().describe("Number of the tab for 'switch_tab'."),
  query: z.string().optional().describe("What to search for, for 'web_search'."),
  goal: z.string().optional().describe("What to extract, for 'extract_content'."),
  keys: z.string().optional().describe("Keys for 'send_keys', such as Enter or Control+a."),
  seconds: z.int().min(0).max(MOST_SECONDS).optional().describe(
    `Seconds for 'wait'; without them, ${WAIT_SECONDS}.`,
  ),
});

/** One of {@linkcode browserInput}. */
export type BrowserInput = z.output<typeof browserInput>;

/** An action as the browser takes it, and the document's words for its success. */
export interface Asked {
  action: BrowserAction;
  said(answer: BrowserAnswer): string;
}

/**
 * Reads the arguments of an action, but for the two that are more than one: a search and an extraction.
 *
 * @throws {ToolError} `invalid_input` in the document's words, if one is missing
 */
export function readAction(input: BrowserInput): Asked {
  const { action } = input;
  switch (action) {
    case "go_to_url": {
      const url = address(need(input.url, "URL is", action));
      return { action: { do: "open", url }, said: () => `Navigated to ${url}` };
    }
    case "open_tab": {
      const url = address(need(input.url, "URL is", action));
      return { action: { do: "open", url, newTab: true }, said: () => `Opened new tab with ${url}` };
    }
    case "go_back":
      return { action: { do: "back" }, said: () => "Navigated back" };
    case "refresh":
      return { action: { do: "reload" }, said: () => "Refreshed current page" };
    case "scroll_down":
    case "scroll_up":
      return scrolling(action, input.scroll_amount);
    case "scroll_to_text": {
      const text = need(input.text, "Text is", action);
      return { action: { do: "find", text }, said: () => `Scrolled to text: '${text}'` };
    }
    case "send_keys": {
      const keys = need(input.keys, "Keys are", action);
      return { action: { do: "press", keys }, said: () => `Sent keys: ${keys}` };
    }
    case "switch_tab": {
      const tab = need(input.tab_id, "Tab ID is", action);
      return { action: { do: "tab", tab }, said: () => `Switched to tab ${tab}` };
    }
    case "close_tab":
      return { action: { do: "close" }, said: () => "Closed current tab" };
    case "wait": {
      const seconds = input.seconds ?? WAIT_SECONDS;
      return { action: { do: "wait", ms: seconds * 1000 }, said: () => `Waited for ${seconds} seconds` };
    }
    default:
      return onElement(input);
  }
}

function onElement({ action, index, text }: BrowserInput): Asked {
  switch (action) {
    case "click_element": {
      const element = need(index, "Index is", action);
      return { action: { do: "click", element }, said: () => `Clicked element at index ${element}` };
    }
    case "input_text": {
      const [element, typed] = both(index, text, action);
      return {
        action: { do: "type", element, text: typed },
        said: () => `Input '${typed}' into element at index ${element}`,
      };
    }
    case "get_dropdown_options": {
      const element = need(index, "Index is", action);
      return {
        action: { do: "options", element },
        said: ({ options = [] }) => `Dropdown options: ${JSON.stringify(options)}`,
      };
    }
    case "select_dropdown_option": {
      const [element, option] = both(index, text, action);
      return {
        action: { do: "choose", element, text: option },
        said: ({ chosen = option }) => `Selected option '${chosen}' from dropdown at index ${element}`,
      };
    }
    default:
      throw new ToolError("invalid_input", `Unknown action: ${action}`);
  }
}

function scrolling(action: "scroll_down" | "scroll_up", amount: number | undefined): Asked {
  const to = (action === "scroll_down") === ((amount ?? 0) >= 0) ? "down" : "up";
  const pixels = amount === undefined ? undefined : Math.abs(amount);
  return {
    action: { do: "scroll", to, ...pixels !== undefined && { pixels } },
    said: ({ scrolled = pixels ?? 0 }) => `Scrolled ${to} by ${scrolled} pixels`,
  };
}

/** Returns an argument. Throws in the document's words without it. */
export function need<T extends string | number>(value: T | undefined, lead: string, action: string): T {
  if (value !== undefined && value !== "") return value;
  throw new ToolError("invalid_input", `${lead} required for '${action}' action`);
}

/** An empty text empties a field. */
function both(index: number | undefined, text: string | undefined, action: string): [number, string] {
  if (index !== undefined && text !== undefined) return [index, text];
  throw new ToolError("invalid_input", `Index and text are required for '${action}' action`);
}

/** People leave the scheme out. */
function address(url: string): string {
  const text = url.trim();
  return /^(?:[a-z][a-z\d+.-]*:\/\/|about:|data:|javascript:|mailto:|file:)/i.test(text)
    ? text
    : `https://${text}`;
}
