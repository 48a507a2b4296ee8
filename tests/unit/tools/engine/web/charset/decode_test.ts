import { assertEquals } from "@std/assert";

import { decodeText } from "../../../../../../tools/engine/web/charset/decode.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (string | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => typeof part === "string" ? [...utf8(part)] : part));

const CASES: readonly (readonly [string, Uint8Array, string, string, string])[] = [
  ["a mark wins over the header", bytes([0xef, 0xbb, 0xbf], "é"), "text/html; charset=latin1", "é", "utf-8"],
  ["UTF-16 by its mark", bytes([0xff, 0xfe, 0xe9, 0]), "", "é", "utf-16le"],
  ["UTF-16, the other way round", bytes([0xfe, 0xff, 0, 0xe9]), "", "é", "utf-16be"],
  ["the header", bytes([0xe9]), 'text/html; Charset="ISO-8859-1"', "é", "windows-1252"],
  [
    "the header wins over the page",
    bytes('<meta charset="utf-8">', [0xb1]),
    "text/html;charset=iso-8859-2",
    '<meta charset="utf-8">ą',
    "iso-8859-2",
  ],
  ["the page", bytes("<meta charset=gbk>", [0xc4, 0xe3]), "text/html", "<meta charset=gbk>你", "gbk"],
  [
    "the page, in the long form",
    bytes('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', [0x82, 0xa0]),
    "",
    '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">あ',
    "shift_jis",
  ],
  ["UTF-16 in a page of bytes", bytes('<meta charset="utf-16">é'), "", '<meta charset="utf-16">é', "utf-8"],
  [
    "XML",
    bytes('<?xml version="1.0" encoding="koi8-r"?>', [0xc1]),
    "",
    '<?xml version="1.0" encoding="koi8-r"?>а',
    "koi8-r",
  ],
  ["names that the standard lacks", bytes([0xb0, 0xa1]), "text/html; charset=cp949", "가", "euc-kr"],
  ["a name that nobody knows", bytes("é"), "text/html; charset=utf-7", "é", "utf-8"],
  ["no name, valid UTF-8", bytes("naïve"), "text/plain", "naïve", "utf-8"],
  ["no name, cut within a character", bytes("naï", [0xc3]), "", "naï", "utf-8"],
  ["no name, not UTF-8", bytes("na", [0xef], "ve ", [0x93], "x", [0x94]), "", "naïve “x”", "windows-1252"],
  ["a wrong name", bytes("caf", [0xe9], " noir"), "text/html; charset=utf-8", "café noir", "windows-1252"],
];

for (const [title, given, contentType, text, charset] of CASES) {
  Deno.test(`decodeText() reads ${title}`, () => {
    const found = decodeText(given, contentType);
    assertEquals([found.text, found.charset], [text, charset]);
  });
}

Deno.test("decodeText() keeps UTF-8 with one damaged character", () => {
  assertEquals(decodeText(bytes("über ", [0xff]), "text/html; charset=utf-8").text, "über \ufffd");
});
