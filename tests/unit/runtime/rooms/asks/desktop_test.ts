import { assertEquals } from "@std/assert";

import { isAsk } from "../../../../../runtime/rooms/asks/check_ask.ts";

Deno.test("only whole actions of the desktop are questions", () => {
  const isGood = (action: unknown) => isAsk({ kind: "desktop.act", action });
  const good = [
    { do: "look" },
    { do: "move", at: { x: 1, y: -2 } },
    { do: "click", button: "left", times: 2 },
    { do: "scroll", at: { x: 0, y: 0 }, steps: -3 },
    { do: "down", button: "right" },
    { do: "drag", to: { x: 5, y: 5 } },
    { do: "type", text: "tea" },
    { do: "press", keys: ["ctrl", "s"] },
  ];
  for (const action of good) assertEquals(isGood(action), true, JSON.stringify(action));
  const bad = [
    null,
    {},
    { do: "start", program: "sh" },
    { do: "toString" },
    { do: "move" },
    { do: "move", at: { x: 1.5, y: 2 } },
    { do: "move", at: { x: 1, y: 2, z: 3 } },
    { do: "click", button: "fourth", times: 1 },
    { do: "click", button: "left", times: Infinity },
    { do: "press", keys: "ctrl+s" },
    { do: "look", path: "/etc/passwd" },
  ];
  for (const action of bad) assertEquals(isGood(action), false, JSON.stringify(action));
});
