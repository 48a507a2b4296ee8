import { assertEquals } from "@std/assert";

import { sniff } from "../../../../../tools/engine/file/sniff.ts";

const bytes = (latin1: string) => Uint8Array.from(latin1, (char) => char.charCodeAt(0));

const zipMember = (name: string) =>
  `PK\x03\x04${"\0".repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}content`;

const CASES: readonly (readonly [string, string, string])[] = [
  ["", "text", "notes.txt"],
  ["hello", "text", "picture.png"],
  ["BMW is a word", "text", "a.txt"],
  ["ID3 tags are text here", "text", "a.txt"],
  ["\xef\xbb\xbfwith a BOM", "text", "a.txt"],
  ["caf\xe9", "text", "latin1.txt"],
  ["a\0b", "binary", "a.txt"],
  ["\xff\xfeh\0i\0", "binary/utf-16", "a.txt"],
  ["%PDF-1.7\n", "pdf/pdf", "a.txt"],
  ["\x89PNG\r\n\x1a\n", "image/png", "a.txt"],
  ["\xff\xd8\xff\xe0", "image/jpeg", "a"],
  ["GIF89a", "image/gif", "a"],
  [`BM${"\0".repeat(12)}\x28\0\0\0`, "image/bmp", "a"],
  ["RIFF\0\0\0\0WEBPVP8 ", "image/webp", "a"],
  ["II*\0", "image/tiff", "a"],
  ["II+\0", "image/tiff", "a"],
  ["\0\0\0\x18ftypheix", "image/heic", "a.mp4"],
  ["\0\0\0\x18ftypavis", "image/avif", "a.mp4"],
  ["\0\0\0\x0cJXL \r\n", "image/jxl", "a"],
  ["\0\0\0\x0cjP  \r\n", "image/jp2", "a"],
  ["8BPS\0\x01", "image/psd", "a"],
  ["8BPS is no more than text", "text", "a"],
  ["\0\0\x01\0\x01\0\x10\x10\0\0", "image/ico", "a"],
  ["RIFF\0\0\0\0WAVEfmt ", "audio/wav", "a"],
  ["ID3\x04\0", "audio/mp3", "a"],
  ["\xff\xfb\x90", "audio/mp3", "a"],
  ["\0\0\0\x20ftypM4A ", "audio/m4a", "a"],
  ["\0\0\0\x20ftypisom", "audio/m4a", "song.M4A"],
  ["\0\0\0\x20ftypisom", "video/mp4", "a.mp4"],
  ["fLaC\0", "audio/flac", "a"],
  ["\x1f\x8b\x08", "archive/gzip", "a"],
  [`${"\0".repeat(257)}ustar`, "archive/tar", "a"],
  [zipMember("readme.txt"), "archive/zip", "a"],
  [zipMember("word/notes.txt"), "archive/zip", "a.zip"],
  [zipMember("[Content_Types].xml") + zipMember("word/document.xml"), "office/docx", "a.zip"],
  [zipMember("[Content_Types].xml") + zipMember("xl/workbook.xml"), "office/xlsx", "a"],
  [zipMember("[Content_Types].xml") + zipMember("ppt/presentation.xml"), "office/pptx", "a"],
  [zipMember("word/numbering.xml") + zipMember("word/document.xml"), "office/docx", "a"],
  [zipMember("word/list.txt"), "archive/zip", "a"],
  [zipMember("[Content_Types].xml"), "office/xlsx", "table.xlsx"],
];

for (const [content, expected, path] of CASES) {
  Deno.test(`sniff() sees ${expected} in ${JSON.stringify(content.slice(0, 30))} named ${path}`, () => {
    const { type, format } = sniff(bytes(content), path);
    assertEquals(format === "" ? type : `${type}/${format}`, expected);
  });
}

Deno.test("sniff() looks at the first 8 KiB only", () => {
  assertEquals(sniff(bytes("a".repeat(8192) + "\0"), "a").type, "text");
  assertEquals(sniff(bytes("a".repeat(8191) + "\0"), "a").type, "binary");
});
