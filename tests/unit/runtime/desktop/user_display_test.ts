import { assertEquals, assertRejects } from "@std/assert";

import { findCookie, openUserDisplay } from "../../../../runtime/desktop/user_display.ts";
import { ToolError } from "../../../../schemas/error.ts";

/** An entry of the file of passwords: texts with their lengths. */
function entry(...texts: readonly string[]): number[] {
  return [
    1,
    0,
    ...texts.flatMap((text) => [0, text.length, ...Array.from(text, (sign) => sign.charCodeAt(0))]),
  ];
}

Deno.test("findCookie() finds the password of a display", () => {
  const file = Uint8Array.from([
    ...entry("host", "1", "MIT-MAGIC-COOKIE-1", "one"),
    ...entry("host", "2", "XDM-AUTHORIZATION-1", "odd"),
    ...entry("host", "2", "MIT-MAGIC-COOKIE-1", "two"),
  ]);
  const found = (number: string, bytes = file) => {
    const cookie = findCookie(bytes, number);
    return cookie ? new TextDecoder().decode(cookie.bytes) : null;
  };
  assertEquals([found("1"), found("2"), found("3")], ["one", "two", null]);
  assertEquals(found("7", Uint8Array.from(entry("host", "", "MIT-MAGIC-COOKIE-1", "any"))), "any");
  for (let end = 0; end < 20; end += 1) assertEquals(found("1", file.subarray(0, end)), null);
});

Deno.test("openUserDisplay() says why there is none", async () => {
  for (const DISPLAY of ["", "far.example:0", "../evil:0", ":0;x", ":99999"]) {
    const error = await assertRejects(() => openUserDisplay({ DISPLAY }), ToolError, "no display of yours");
    assertEquals(error.code, "unavailable");
  }
  await assertRejects(() => openUserDisplay({ DISPLAY: ":9876" }), ToolError, "cannot be reached");
});
