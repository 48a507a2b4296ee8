import { assertEquals } from "@std/assert";

import { decodeText } from "../../../../tools/engine/file/decode_text.ts";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("decodeText() reads UTF-8 and UTF-16, with a mark or without", () => {
  assertEquals(decodeText(new TextEncoder().encode("\ufeffä中")), { text: "ä中", notes: [] });
  assertEquals(decodeText(bytes("\xff\xfea\0")).text, "a");
  assertEquals(decodeText(bytes("\xfe\xff\0a")).text, "a");
});

Deno.test("decodeText() tells old Chinese files from those of western Europe", () => {
  // 产品,销量 手机 as Excel in China writes it.
  const chinese = bytes("\xb2\xfa\xc6\xb7,\xcf\xfa\xc1\xbf\n\xca\xd6\xbb\xfa,12\n");
  assertEquals(decodeText(chinese).text, "产品,销量\n手机,12\n");
  assertEquals(decodeText(chinese).notes, ["The file is not valid UTF-8 and was read as GB18030"]);
  for (const text of ["Müller,5\n", "Größe\n", "café;naïve;10\u00a0%\n", "à\n"]) {
    assertEquals(decodeText(bytes(text)), {
      text,
      notes: ["The file is not valid UTF-8 and was read as Windows-1252"],
    }, text);
  }
});
