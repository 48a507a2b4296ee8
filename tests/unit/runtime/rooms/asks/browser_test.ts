import { assertEquals } from "@std/assert";

import { isAsk } from "../../../../../runtime/rooms/asks/check_ask.ts";

Deno.test("only whole actions of the browser are questions", () => {
  const isGood = (action: unknown) => isAsk({ kind: "browser.act", action, picture: false });
  const good = [
    { do: "read" },
    { do: "open", url: "https://shop.example", newTab: true },
    { do: "click", element: 3 },
    { do: "point", at: { x: 3, y: 0 } },
    { do: "drag", from: { element: 3 }, to: { x: 3, y: 4 } },
    { do: "close", tab: 2 },
    { do: "scroll", to: "up", pixels: 20 },
    { do: "give", element: 1, files: [{ name: "a.txt", base64: "YQ==" }] },
  ];
  for (const action of good) assertEquals(isGood(action), true, JSON.stringify(action));
  const bad = [
    null,
    {},
    { do: "evaluate", code: "1" },
    { do: "toString" },
    { do: "open" },
    { do: "open", url: "https://shop.example", headers: {} },
    { do: "click", element: -1 },
    { do: "click", element: "3" },
    { do: "scroll", to: "left" },
    { do: "point", at: { x: 3 } },
    { do: "point", at: { x: 3, y: -1 } },
    { do: "drag", from: { element: 3, x: 1, y: 1 }, to: { x: 3, y: 4 } },
    { do: "drag", from: { element: 3 } },
    { do: "close", tab: "2" },
    { do: "give", element: 1, files: [{ name: "a.txt", path: "/etc/passwd" }] },
  ];
  for (const action of bad) assertEquals(isGood(action), false, JSON.stringify(action));
  assertEquals(isAsk({ kind: "browser.act", action: { do: "read" } }), false);
});
