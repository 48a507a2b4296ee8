import { assertEquals, assertRejects } from "@std/assert";

import type { Files, OpenFile } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { readAudioInfo } from "../../../../tools/engine/file/audio_info.ts";
import { decodeText } from "../../../../tools/engine/file/decode_text.ts";
import { readBytes } from "../../../../tools/engine/file/read_bytes.ts";
import { type LineRange, readLines } from "../../../../tools/engine/file/read_lines.ts";
import { readWhole } from "../../../../tools/engine/file/read_whole.ts";
import { sniff } from "../../../../tools/engine/file/sniff.ts";
import { workspace } from "../../../support/run_tool.ts";

const content = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);

for (const size of [undefined, 0, 10, 200_000, 900_000]) {
  Deno.test(`readBytes() reads a whole file that seems to have ${size} bytes and leaves it open`, async () => {
    using ws = workspace({ "a.bin": content });
    using file = await Deno.open(ws.at("a.bin"));
    const options = size === undefined ? { maxBytes: 1_000_000 } : { maxBytes: 1_000_000, size };
    assertEquals(await readBytes(file, options), content);
    assertEquals((await file.stat()).size, content.length);
  });
}

Deno.test("readBytes() stops at maxBytes and when its call is cancelled", async () => {
  using ws = workspace({ "a.bin": content });
  using file = await Deno.open(ws.at("a.bin"));
  assertEquals(await readBytes(file, { maxBytes: 70_000 }), content.subarray(0, 70_000));
  const signal = AbortSignal.abort(new Error("stop"));
  await assertRejects(() => readBytes(file, { maxBytes: 10, signal }), Error, "stop");
});

async function linesOf(content: string | Uint8Array, range: Partial<LineRange> = {}) {
  using ws = workspace({ "a.txt": content });
  using file = await Deno.open(ws.at("a.txt"));
  return await readLines(file, { start: 1, end: Infinity, maxChars: Infinity, ...range });
}

const SPLITS: readonly (readonly [string, string[]])[] = [
  ["", []],
  ["\n", [""]],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\n\n", ["a", ""]],
  ["a\r\nb\r\n", ["a", "b"]],
  ["a\rb\n", ["a\rb"]],
  ["a\r\r\n", ["a\r"]],
  ["a\u2028b\u0085c\x0cd\n", ["a\u2028b\u0085c\x0cd"]],
  ["\ufeffa\n\ufeffb", ["a", "\ufeffb"]],
  ["\r\nx", ["", "x"]],
];

for (const [content, lines] of SPLITS) {
  Deno.test(`readLines() splits ${JSON.stringify(content)} at LF alone`, async () => {
    const result = await linesOf(content);
    assertEquals(result.lines, lines);
    assertEquals(result.totalLines, lines.length);
  });
}

Deno.test("readLines() joins lines and characters that lie across chunks of a MiB", async () => {
  const chunk = 1024 * 1024;
  const content = `${"a".repeat(chunk - 1)}é\r\n${"b".repeat(chunk - 5)}\r\nlast`;
  const { lines, totalLines, invalid } = await linesOf(content);
  assertEquals(lines.map((line) => [line.length, line.at(-1)]), [[chunk, "é"], [chunk - 5, "b"], [4, "t"]]);
  assertEquals({ totalLines, invalid }, { totalLines: 3, invalid: false });
});

Deno.test("readLines() cuts at whole lines and says where to go on", async () => {
  const content = "aaaa\nbbbb\ncccc\n";
  for (
    const [maxChars, lines, nextStart] of [
      [14, ["aaaa", "bbbb", "cccc"], null],
      [13, ["aaaa", "bbbb"], 3],
      [9, ["aaaa", "bbbb"], 3],
      [8, ["aaaa"], 2],
      [4, ["aaaa"], 2],
    ] as const
  ) {
    const result = await linesOf(content, { maxChars });
    assertEquals([result.lines, result.nextStart, result.clippedChars], [[...lines], nextStart, 0]);
  }
});

Deno.test("readLines() clips only a line that is too long by itself, in code points", async () => {
  const result = await linesOf("😀😀😀😀é\r\nnext\n", { maxChars: 3 });
  assertEquals(result.lines, ["😀😀😀"]);
  assertEquals([result.clippedChars, result.nextStart, result.totalLines], [2, 1, 2]);
  const rest = await linesOf("😀😀😀😀é\r\nnext\n", { startChar: 3, maxChars: 9 });
  assertEquals([rest.lines, rest.clippedChars, rest.nextStart], [["😀é", "next"], 0, null]);
  const last = await linesOf("first\nabcdef", { start: 2, maxChars: 2 });
  assertEquals([last.lines, last.clippedChars, last.nextStart], [["ab"], 4, 2]);
});

Deno.test("readLines() counts what it cuts from a line of many chunks exactly", async () => {
  const chars = 3 * 1024 * 1024;
  const result = await linesOf(`${"é".repeat(chars)}\r\nend`, { maxChars: 10 });
  assertEquals(result.lines, ["é".repeat(10)]);
  assertEquals([result.clippedChars, result.invalid, result.totalLines], [chars - 10, false, 2]);
});

Deno.test("readLines() keeps nothing after the range is full, but counts on", async () => {
  const result = await linesOf("long line\nshort\n".repeat(100_000), { maxChars: 20 });
  assertEquals(result.lines, ["long line", "short"]);
  assertEquals([result.nextStart, result.totalLines], [3, 200_000]);
});

Deno.test("readLines() replaces invalid UTF-8 and says so only where it shows", async () => {
  const content = Uint8Array.of(0x61, 0xff, 0x0a, 0x62, 0x0a);
  const first = await linesOf(content, { end: 1 });
  assertEquals([first.lines, first.invalid], [["a\ufffd"], true]);
  const second = await linesOf(content, { start: 2 });
  assertEquals([second.lines, second.invalid], [["b"], false]);
  assertEquals((await linesOf("\ufffd\n")).invalid, false);
});

Deno.test("readLines() hears in the middle of a long file that its call is cancelled", async () => {
  using ws = workspace({ "a.txt": "" });
  await Deno.truncate(ws.at("a.txt"), 512 * 1024 * 1024);
  using file = await Deno.open(ws.at("a.txt"));
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(new Error("stop")), 0);
  const range = { start: 2, end: 2, maxChars: 10 };
  await assertRejects(() => readLines(file, range, { signal: cancel.signal }), Error, "stop");
});

/** Opens a real file; the change comes with its first read, after its size was looked at. */
function contextOf(path: string, change: () => void) {
  const open = (): Promise<OpenFile> => {
    const file = Deno.openSync(path);
    const read = file.read.bind(file);
    file.read = (buffer) => {
      change();
      change = () => {};
      return read(buffer);
    };
    const info = file.statSync();
    return Promise.resolve({ path, real: path, info, file, [Symbol.dispose]: () => file.close() });
  };
  return { files: { open } as unknown as Files, signal: AbortSignal.any([]) };
}

Deno.test("readWhole() gives no mixture of a file that changes meanwhile", async () => {
  for (const text of ["%PDF-1.7 longer than it was before", "%PDF", "%PDF-1.7 and MORE"]) {
    using ws = workspace({ "a.pdf": "%PDF-1.7 and more" });
    Deno.utimeSync(ws.at("a.pdf"), 1, 1);
    const change = () => Deno.writeTextFileSync(ws.at("a.pdf"), text);
    const reading = () => readWhole(contextOf(ws.at("a.pdf"), change), "a.pdf", "pdf");
    assertEquals((await assertRejects(reading, ToolError)).code, "conflict", text);
  }
});

Deno.test("readWhole() refuses what is too large for its kind before it reads", async () => {
  using ws = workspace({ "a": "" });
  const limits = { pdf: 64, image: 50, office: 100 } as const;
  for (const [kind, megabytes] of Object.entries(limits)) {
    Deno.truncateSync(ws.at("a"), megabytes * 1024 * 1024 + 1);
    const context = contextOf(ws.at("a"), () => {
      throw new Error("it was read");
    });
    const error = await assertRejects(() => readWhole(context, "a", kind as keyof typeof limits), ToolError);
    assertEquals([error.code, error.details.max_size], ["limit_exceeded", megabytes * 1024 * 1024], kind);
  }
});

const latin1 = (latin1: string) => Uint8Array.from(latin1, (char) => char.charCodeAt(0));

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
  ["\xff\xfeh\0i\0", "text/utf-16", "a.txt"],
  ["h\0i\0\n\0", "text/utf-16", "a.txt"],
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
    const { type, format } = sniff(latin1(content), path);
    assertEquals(format === "" ? type : `${type}/${format}`, expected);
  });
}

Deno.test("sniff() looks at the first 8 KiB only", () => {
  assertEquals(sniff(latin1("a".repeat(8192) + "\0"), "a").type, "text");
  assertEquals(sniff(latin1("a".repeat(8191) + "\0"), "a").type, "binary");
});

Deno.test("decodeText() reads UTF-8 and UTF-16, with a mark or without", () => {
  assertEquals(decodeText(new TextEncoder().encode("\ufeffä中")), { text: "ä中", notes: [] });
  assertEquals(decodeText(latin1("\xff\xfea\0")).text, "a");
  assertEquals(decodeText(latin1("\xfe\xff\0a")).text, "a");
});

/** Old files of China, Japan, Taiwan and Korea. */
const OLD: readonly (readonly [charset: string, bytes: string, text: string])[] = [
  ["GB18030", "\xb2\xfa\xc6\xb7,\xcf\xfa\xc1\xbf\n\xca\xd6\xbb\xfa,12\n", "产品,销量\n手机,12\n"],
  [
    "Shift-JIS",
    "\x93\x73\x93\xb9\x95\x7b\x8c\xa7,\x90\x6c\x8c\xfb\n\x93\x8c\x8b\x9e\x93\x73,14\n",
    "都道府県,人口\n東京都,14\n",
  ],
  ["Big5", "\xbf\xa4\xa5\xab,\xa4\x48\xa4\x66\n\xbb\x4f\xa5\x5f\xa5\xab,24\n", "縣市,人口\n臺北市,24\n"],
  [
    "EUC-KR",
    "\xb5\xb5\xbd\xc3,\xc0\xce\xb1\xb8\n\xbc\xad\xbf\xef,9\n\xba\xce\xbb\xea,3\n\xb4\xeb\xb1\xb8,2\n\xc0\xce\xc3\xb5,2\n",
    "도시,인구\n서울,9\n부산,3\n대구,2\n인천,2\n",
  ],
];

Deno.test("decodeText() tells old files of East Asia from each other and from those of western Europe", () => {
  for (const [charset, bytes, text] of OLD) {
    const notes = [`The file is not valid UTF-8 and was read as ${charset}`];
    assertEquals(decodeText(latin1(bytes)), { text, notes });
  }
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
    assertEquals(decodeText(latin1(text)), {
      text: text.replaceAll("\x93", "“").replaceAll("\x94", "”").replaceAll("\x80", "€"),
      notes: ["The file is not valid UTF-8 and was read as Windows-1252"],
    }, text);
  }
});

function readInfo(bytes: Uint8Array) {
  return readAudioInfo(
    (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
    bytes.length,
  );
}

function bytesOf(...parts: (string | readonly number[] | number)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === "number") return new Array<number>(part).fill(0);
      return typeof part === "string" ? Array.from(part, (one) => one.charCodeAt(0)) : [...part];
    }),
  );
}

const FORMAT = [16, 0, 0, 0, 1, 0, 2, 0, 0x44, 0xac, 0, 0, 0x10, 0xb1, 2, 0, 4, 0, 16, 0];

Deno.test("readAudioInfo() reads a WAV header, also behind other chunks", async () => {
  const data = ["data", [0x10, 0xb1, 2, 0], 176_400] as const;
  const plain = bytesOf("RIFF", 4, "WAVE", "fmt ", FORMAT, ...data);
  const odd = bytesOf("RIFF", 4, "WAVE", "LIST", [3, 0, 0, 0], 4, "fmt ", FORMAT, ...data);
  const streamed = bytesOf("RIFF", 4, "WAVE", "fmt ", FORMAT, "data", [255, 255, 255, 255], 88_200);
  const info = { sampleRateHz: 44_100, channels: 2, durationSeconds: 1 };
  assertEquals(await readInfo(plain), info);
  assertEquals(await readInfo(odd), info);
  assertEquals(await readInfo(streamed), { ...info, durationSeconds: 0.5 });
});

Deno.test("readAudioInfo() reads a FLAC header", async () => {
  // 48000 Hz (0x0bb80), 2 channels, 16 bits, 96000 samples.
  const packed = [0x0b, 0xb8, 0x02, 0xf0, 0x00, 0x01, 0x77, 0x00];
  const bytes = bytesOf("fLaC", [0, 0, 0, 34], 10, packed, 16);
  assertEquals(await readInfo(bytes), { sampleRateHz: 48_000, channels: 2, durationSeconds: 2 });
});

Deno.test("readAudioInfo() reads an MP3's first frame behind its ID3 tag", async () => {
  // MPEG 1 layer III, 128 kbit/s, 44100 Hz, stereo: 16000 bytes are a second.
  const frame = [0xff, 0xfb, 0x90, 0x00];
  const tag = ["ID3", [3, 0, 0, 0, 0, 1, 0], 128] as const;
  const info = { sampleRateHz: 44_100, channels: 2, durationSeconds: 1 };
  assertEquals(await readInfo(bytesOf(frame, 15_996)), info);
  assertEquals(await readInfo(bytesOf(...tag, frame, 15_996)), info);
  const xing = bytesOf(frame, 32, "Xing", [0, 0, 0, 1], [0, 0, 0, 100], 100);
  assertEquals(await readInfo(xing), { ...info, durationSeconds: 100 * 1152 / 44_100 });
  // MPEG 2 layer III, 64 kbit/s, 22050 Hz, mono.
  const mono = bytesOf([0xff, 0xf3, 0x80, 0xc0], 7_996);
  assertEquals(await readInfo(mono), { sampleRateHz: 22_050, channels: 1, durationSeconds: 1 });
});

Deno.test("readAudioInfo() returns null for what it does not know", async () => {
  for (
    const bytes of [bytesOf(), bytesOf("RIFF"), bytesOf("RIFF", 4, "WAVE"), bytesOf("fLaC", 8), bytesOf(64)]
  ) {
    assertEquals(await readInfo(bytes), null);
  }
});
