import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import {
  computerInput,
  keysIn,
  readComputerCall,
} from "../../../../../tools/manus/shared/desktop_actions.ts";

const read = (input: Record<string, unknown>) => readComputerCall(computerInput.parse(input));

Deno.test("readComputerCall() reads each action", () => {
  const action = (input: Record<string, unknown>) => {
    const asked = read(input);
    return "action" in asked ? asked.action : asked.waitMs;
  };
  assertEquals(action({ action: "move_to", x: 1.4, y: 2.6 }), { do: "move", at: { x: 1, y: 3 } });
  const click = { action: "click", num_clicks: 2, button: "right" };
  assertEquals(action(click), { do: "click", button: "right", times: 2 });
  const at = { x: 1, y: 1 };
  assertEquals(action({ action: "scroll", amount: -99, ...at }), { do: "scroll", at, steps: -10 });
  assertEquals(action({ action: "press", key: "ctrl+c" }), { do: "press", keys: ["ctrl", "c"] });
  assertEquals(action({ action: "hotkey", key: "alt+f4" }), { do: "press", keys: ["alt", "f4"] });
  assertEquals(action({ action: "wait" }), 500);
  assertEquals(action({ action: "wait", duration: 99 }), 10_000);
  assertEquals(action({ action: "wait", duration: -1 }), 0);
});

Deno.test("readComputerCall() says in the document's words what is missing", () => {
  const missing: Record<string, Record<string, unknown>> = {
    "x and y coordinates are required": { action: "move_to", x: 3 },
    "Scroll amount is required": { action: "scroll" },
    "Text is required for typing": { action: "typing", text: "" },
    "Key is required for press action": { action: "press" },
    "Keys are required for hotkey action": { action: "hotkey" },
  };
  for (const [words, input] of Object.entries(missing)) {
    assertEquals(assertThrows(() => read(input), ToolError, words).code, "invalid_input");
  }
  assertThrows(() => read({ action: "drag_to", y: 3 }), ToolError, "x and y coordinates are required");
  assertThrows(() => read({ action: "click", x: 3 }), ToolError, "x and y coordinates are required");
});

Deno.test("keysIn() knows the names that models have for keys", () => {
  assertEquals(keysIn("Ctrl+Shift+T"), ["ctrl", "shift", "T"]);
  assertEquals(keysIn("Return"), ["enter"]);
  assertEquals(keysIn("cmd + Page_Down"), ["win", "pagedown"]);
  assertEquals(keysIn("ctrl++"), ["ctrl", "+"]);
  assertEquals([keysIn("+"), keysIn(" "), keysIn("A")], [["+"], ["space"], ["A"]]);
});
