import { assertEquals } from "@std/assert";

import browserUse from "../../../../tools/manus/browser_use.ts";
import sandboxBrowser from "../../../../tools/manus/sandbox_browser.ts";
import { workspace } from "../../../support/run_tool.ts";

/** What each action says without its arguments. */
const MISSING: readonly (readonly [tool: unknown, words: Readonly<Record<string, string>>])[] = [
  [browserUse, {
    go_to_url: "URL is required for 'go_to_url' action",
    open_tab: "URL is required for 'open_tab' action",
    click_element: "Index is required for 'click_element' action",
    input_text: "Index and text are required for 'input_text' action",
    scroll_to_text: "Text is required for 'scroll_to_text' action",
    send_keys: "Keys are required for 'send_keys' action",
    get_dropdown_options: "Index is required for 'get_dropdown_options' action",
    select_dropdown_option: "Index and text are required for 'select_dropdown_option' action",
    web_search: "Query is required for 'web_search' action",
    extract_content: "Goal is required for 'extract_content' action",
    switch_tab: "Tab ID is required for 'switch_tab' action",
  }],
  [sandboxBrowser, {
    navigate_to: "URL is required for navigation",
    click_element: "Index is required for click_element",
    input_text: "Index and text are required for input_text",
    send_keys: "Keys are required for send_keys",
    switch_tab: "Page ID is required for switch_tab",
    close_tab: "Page ID is required for close_tab",
    scroll_to_text: "Text is required for scroll_to_text",
    get_dropdown_options: "Index is required for get_dropdown_options",
    select_dropdown_option: "Index and text are required for select_dropdown_option",
    click_coordinates: "X and Y coordinates are required for click_coordinates",
    drag_drop: "Source and target elements are required for drag_drop",
  }],
];

Deno.test("tools of a browser start none for an action without its arguments, in the documents' words", async () => {
  using ws = workspace();
  for (const [tool, words] of MISSING) {
    for (const [action, said] of Object.entries(words)) {
      const { error, text } = await ws.run(tool, { action });
      assertEquals([error?.code, text.replace(/^Error: /, "")], ["invalid_input", said]);
    }
  }
});

Deno.test("sandbox_browser() takes a number for the place of a dragged element, and no selector", async () => {
  using ws = workspace();
  const { text } = await ws.run(sandboxBrowser, {
    action: "drag_drop",
    element_source: "#tea",
    element_target: "4",
  });
  assertEquals(text.includes('"#tea" names no place: give the number of an element'), true, text);
});
