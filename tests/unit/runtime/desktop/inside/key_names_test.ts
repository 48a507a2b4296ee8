import { assertEquals, assertThrows } from "@std/assert";

import { isControl, signOf, signOfKey } from "../../../../../runtime/desktop/inside/key_names.ts";
import { ToolError } from "../../../../../schemas/error.ts";

Deno.test("keys and characters have the numbers that X has for them", () => {
  assertEquals(
    ["a", "A", "é", "€", "你", "\n", "\t"].map(signOf),
    [0x61, 0x41, 0xe9, 0x10020ac, 0x1004f60, 0xff0d, 0xff09],
  );
  assertEquals(
    ["enter", "esc", "f1", "f12", "ctrl", "pagedown", "+", "ü"].map(signOfKey),
    [0xff0d, 0xff1b, 0xffbe, 0xffc9, 0xffe3, 0xff56, 0x2b, 0xfc],
  );
  for (const name of ["", "no", "toString", "\u0007", "ab"]) {
    assertThrows(() => signOfKey(name), ToolError, "There is no key");
  }
  assertEquals(["a", "\n", "\u0007", "\u009f", "\ud800"].map(isControl), [false, false, true, true, true]);
});
