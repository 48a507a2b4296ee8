import { assertEquals } from "@std/assert";

import { decodeText } from "../../../../../tools/engine/file/decode_text.ts";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("decodeText() reads UTF-8 and UTF-16, with a mark or without", () => {
  assertEquals(decodeText(new TextEncoder().encode("\ufeffä中")), { text: "ä中", notes: [] });
  assertEquals(decodeText(bytes("\xff\xfea\0")).text, "a");
  assertEquals(decodeText(bytes("\xfe\xff\0a")).text, "a");
});

Deno.test("decodeText() reads old files of Japan and Taiwan", () => {
  const japan = bytes("\x93\x73\x93\xb9\x95\x7b\x8c\xa7,\x90\x6c\x8c\xfb\n\x93\x8c\x8b\x9e\x93\x73,14\n");
  assertEquals(decodeText(japan), {
    text: "都道府県,人口\n東京都,14\n",
    notes: ["The file is not valid UTF-8 and was read as Shift-JIS"],
  });
  const taiwan = bytes("\xbf\xa4\xa5\xab,\xa4\x48\xa4\x66\n\xbb\x4f\xa5\x5f\xa5\xab,24\n");
  assertEquals(decodeText(taiwan), {
    text: "縣市,人口\n臺北市,24\n",
    notes: ["The file is not valid UTF-8 and was read as Big5"],
  });
});

Deno.test("decodeText() reads old files of Korea", () => {
  const words = "\xb5\xb5\xbd\xc3,\xc0\xce\xb1\xb8\n\xbc\xad\xbf\xef,9\n\xba\xce\xbb\xea,3\n";
  const korea = bytes(`${words}\xb4\xeb\xb1\xb8,2\n\xc0\xce\xc3\xb5,2\n`);
  assertEquals(decodeText(korea), {
    text: "도시,인구\n서울,9\n부산,3\n대구,2\n인천,2\n",
    notes: ["The file is not valid UTF-8 and was read as EUC-KR"],
  });
});

Deno.test("decodeText() tells old Chinese files from those of western Europe", () => {
  // 产品,销量 手机 as Excel in China writes it.
  const chinese = bytes("\xb2\xfa\xc6\xb7,\xcf\xfa\xc1\xbf\n\xca\xd6\xbb\xfa,12\n");
  assertEquals(decodeText(chinese).text, "产品,销量\n手机,12\n");
  assertEquals(decodeText(chinese).notes, ["The file is not valid UTF-8 and was read as GB18030"]);
  for (
    const text of [
      "Müller,5\n",
      "Größe\n",
      "café;naïve;10\u00a0%\n",
      "à\n",
      "Änderung;Ärger\n",
      "Åland;Århus\n",
      "\x93a\x94;\x93b\x94;5 \x80\n",
      "ÀÉÎ\n",
    ]
  ) {
    assertEquals(decodeText(bytes(text)), {
      text: text.replaceAll("\x93", "“").replaceAll("\x94", "”").replaceAll("\x80", "€"),
      notes: ["The file is not valid UTF-8 and was read as Windows-1252"],
    }, text);
  }
});
