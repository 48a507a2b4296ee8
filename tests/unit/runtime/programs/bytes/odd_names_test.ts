import { assertEquals } from "@std/assert";

import {
  byteLength,
  bytesOfPath,
  isOdd,
  pathOfBytes,
  showPath,
} from "../../../../../runtime/programs/bytes/odd_names.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

Deno.test(
  "pathOfBytes() keeps every byte, and makes the usual text of UTF-8",
  { permissions: "none" },
  () => {
    const names = [
      "a/b",
      "caf\xc3\xa9",
      "caf\xe9/x",
      "\xff\xfe",
      "\xc0\xaf",
      "\xed\xa0\x80",
      "\xed\xb3\xa9",
      "\xe2\x82",
      "\xf5\x80\x80\x80",
      "\xf0\x9f\x92\x80\xff",
      "\xef\xbf\xbd",
      "\xef\xbb\xbfx",
    ];
    for (const name of names) {
      const path = pathOfBytes(bytes(name));
      assertEquals([bytesOfPath(path), byteLength(path)], [bytes(name), name.length], name);
    }
    assertEquals(pathOfBytes(bytes("caf\xc3\xa9")), "café");
    assertEquals(new Set(names.map((name) => pathOfBytes(bytes(name)))).size, names.length);
  },
);

Deno.test("isOdd() tells bytes that are no UTF-8 from all texts", { permissions: "none" }, () => {
  assertEquals(["café", "\u{1f480}", "\ufffd", ""].map(isOdd), [false, false, false, false]);
  assertEquals(["caf\udce9", "\u{1f480}\udcff"].map(isOdd), [true, true]);
});

Deno.test("showPath() shows bytes as numbers, and leaves the middle of a long path out", {
  permissions: "none",
}, () => {
  assertEquals(showPath("caf\udce9/\u{1f480}"), "caf\\xe9/\u{1f480}");
  const long = showPath(`${"a".repeat(300)}${"b".repeat(300)}`);
  assertEquals(long, `${"a".repeat(200)}[… 200 characters …]${"b".repeat(200)}`);
});
