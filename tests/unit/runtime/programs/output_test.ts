import { assertEquals } from "@std/assert";

import { OutputClipper } from "../../../../runtime/programs/output/clip_output.ts";
import { LiveTail } from "../../../../runtime/programs/output/live_tail.ts";
import { OutputBuffer } from "../../../../runtime/programs/output/output_buffer.ts";

const encoder = new TextEncoder();

function clip(
  output: string | Uint8Array,
  limits: { maxBytes?: number; maxLines?: number; cutBytes?: number; verbatim?: boolean },
  step = Infinity,
) {
  const bytes = typeof output === "string" ? encoder.encode(output) : output;
  const clipper = new OutputClipper(limits);
  for (let at = 0; at < bytes.length; at += step) clipper.push(bytes.slice(at, at + step));
  return clipper.result();
}

Deno.test("OutputClipper keeps output up to its limits whole", () => {
  for (
    const { output, limits } of [
      { output: "", limits: {} },
      { output: "abcdef", limits: { maxBytes: 6 } },
      { output: "abcdef", limits: { maxBytes: 6, cutBytes: 2 } },
      { output: "a\nb\n", limits: { maxLines: 2 } },
      { output: "a\nb", limits: { maxLines: 2 } },
      { output: "x".repeat(51_200), limits: {} },
      { output: "y\n".repeat(2_000), limits: {} },
      { output: "\uFEFFwith a mark", limits: {} },
    ]
  ) {
    for (const step of [1, 7, Infinity]) {
      const { head, tail, bytes, omittedBytes, omittedLines } = clip(output, limits, step);
      assertEquals([head, tail, omittedBytes, omittedLines], [output, "", 0, 0]);
      assertEquals(bytes, encoder.encode(output).length);
    }
  }
});

/** What comes, and what of it is kept: its start, its end, and how many bytes and lines are left out. */
const CLIPS: readonly [string, string, Parameters<typeof clip>[1], string, string, number, number][] = [
  ["fewer bytes, for a note", "abcdefghij", { maxBytes: 9, cutBytes: 4 }, "ab", "ij", 6, 0],
  ["bytes of one long line", "abcdefghij", { maxBytes: 4 }, "ab", "ij", 6, 0],
  ["an odd limit", "abcdefghij", { maxBytes: 5 }, "abc", "ij", 5, 0],
  ["one byte too many", "abcdefg", { maxBytes: 6 }, "abc", "efg", 1, 0],
  ["lines", "1\n2\n3\n4\n5\n6\n7\n", { maxLines: 4 }, "1\n2\n", "6\n7\n", 6, 3],
  ["a last line without an end", "1\n2\n3\n4\n5", { maxLines: 4 }, "1\n2\n", "4\n5", 2, 1],
  ["an odd number of lines", "1\n2\n3\n4\n", { maxLines: 3 }, "1\n2\n", "4\n", 2, 1],
  [
    "whole lines where an end is near",
    "one line\ntwo lines\nthree lines\nlast\n",
    { maxBytes: 20 },
    "one line\n",
    "last\n",
    22,
    2,
  ],
  ["characters of several bytes", "aäöüßéèêëâ€😀z", { maxBytes: 8 }, "aä", "z", 23, 0],
  ["nothing at all", "abc\ndef\n", { maxBytes: 0 }, "", "", 8, 2],
];

Deno.test("OutputClipper keeps the start and the end of what is longer", () => {
  for (const [name, output, limits, head, tail, omittedBytes, omittedLines] of CLIPS) {
    for (const step of [1, 3, Infinity]) {
      const { bytes: _, binary: _binary, nuls: _nuls, overwritten: _parts, ...kept } = clip(
        output,
        limits,
        step,
      );
      const expected = { head, tail, omittedBytes, omittedLines, replaced: 0 };
      assertEquals(kept, expected, `${name}, step ${step}`);
    }
  }
});

Deno.test("OutputClipper adds up to what came, wherever the cuts fall", () => {
  const lines = Array.from({ length: 300 }, (_, i) => `${"zeile ü ".repeat(i % 7)}${i}\n`).join("");
  const size = encoder.encode(lines).length;
  for (const maxBytes of [1, 2, 10, 100, 101, 1_000, 4_096, size - 1, size]) {
    for (const maxLines of [1, 2, 9, 100, 300]) {
      const { head, tail, omittedBytes, omittedLines, replaced } = clip(lines, { maxBytes, maxLines }, 64);
      const kept = encoder.encode(head).length + encoder.encode(tail).length;
      assertEquals([kept + omittedBytes, replaced], [size, 0]);
      assertEquals(lines.startsWith(head) && lines.endsWith(tail), true);
      assertEquals(omittedLines, 300 - (head + tail).split("\n").length + 1);
    }
  }
});

Deno.test("OutputClipper tells binary output and bytes that are no UTF-8", () => {
  for (
    const { output, binary, replaced, nuls = 0, head } of [
      { output: [65, 0, 66], binary: false, replaced: 0, nuls: 1, head: "A\u2400B" },
      {
        output: encoder.encode("./a\0./b\0./c\0"),
        binary: false,
        replaced: 0,
        nuls: 3,
        head: "./a␀./b␀./c␀",
      },
      { output: [...encoder.encode("x".repeat(20)), 0, 0, 0, 65], binary: true, replaced: 0, nuls: 3 },
      { output: [...encoder.encode("x".repeat(19)), 1], binary: false, replaced: 0 },
      { output: [...encoder.encode("x".repeat(18)), 1], binary: true, replaced: 0 },
      { output: [27, 91, 51, 49, 109, 7, 9, 10, 12], binary: false, replaced: 0 },
      { output: [65, 0xff, 66], binary: false, replaced: 1, head: "A\uFFFDB" },
      { output: [65, 0xef, 0xbf, 0xbd, 0xff, 0xfe], binary: false, replaced: 2, head: "A\uFFFD\uFFFD\uFFFD" },
      { output: [0xc3], binary: false, replaced: 1, head: "\uFFFD" },
    ]
  ) {
    const result = clip(new Uint8Array(output), {});
    assertEquals([result.binary, result.replaced, result.nuls], [binary, replaced, nuls]);
    if (head !== undefined) assertEquals(result.head, head);
  }
});

/** What a program writes, what a terminal shows of it in the end, and how many parts were written over. */
const SETTLED: readonly [string, string, number][] = [
  ["\r1/3\r2/3\r3/3\n\nDONE\n", "3/3\n\nDONE\n", 2],
  ["10 %\r100 %\rok\n", "ok0 %\n", 2],
  ["10 %\r\x1b[Kok\n", "ok\n", 1],
  ["a\r\nb\r\r\nc\r\n", "a\r\nb\r\r\nc\r\n", 0],
  ["50 %\r", "50 %", 0],
  ["wait |\b/\b-\bdone\n", "wait done\n", 0],
  ["█░ 1\r██ 2\n", "██ 2\n", 1],
  [
    `${"frame ".repeat(9)}\r`.repeat(3_000) + "end\n",
    "endme frame frame frame frame frame frame frame frame\n",
    3_000,
  ],
  [`${"x".repeat(70_000)}\n`, `${"x".repeat(70_000)}\n`, 0],
];

Deno.test("OutputClipper keeps of lines what a terminal shows in the end, wherever they are cut, unless it is data", () => {
  for (const [raw, shown, overwritten] of SETTLED) {
    for (const step of [1, 7, 65_536]) {
      const { head, bytes, omittedBytes, ...counts } = clip(raw, { maxBytes: 100_000 }, step);
      assertEquals([head, bytes, omittedBytes], [shown, encoder.encode(raw).length, 0]);
      assertEquals(counts.overwritten, overwritten);
    }
    assertEquals(clip(raw, { maxBytes: 1_000_000, verbatim: true }, 7).head, raw);
  }
  const latin = clip(new Uint8Array([0xe9, 49, 13, 0xe9, 50, 10]), {});
  assertEquals([latin.head, latin.replaced], ["\uFFFD2\n", 1]);
  const cut = clip("\rframe".repeat(50_000) + "\nend\n", { maxBytes: 64 });
  assertEquals([cut.head, cut.omittedBytes], ["frame\nend\n", 0]);
});

Deno.test("OutputClipper copies what it keeps", () => {
  const clipper = new OutputClipper();
  const bytes = encoder.encode("first");
  clipper.push(bytes);
  bytes.fill(0);
  assertEquals(clipper.result().head, "first");
});

function bufferOf(text: string, limits = { headBytes: 0, bufferBytes: 100 }, step = Infinity): OutputBuffer {
  const buffer = new OutputBuffer(limits);
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += step) buffer.push(bytes.slice(at, at + step));
  return buffer;
}

/** What is taken of a buffer: its text, and what is not there any more or not yet. */
function taken(buffer: OutputBuffer, options: Parameters<OutputBuffer["take"]>[0] = {}) {
  const { head, text, droppedBytes, remainingChars } = buffer.take(options);
  return [head, text, droppedBytes, remainingChars];
}

Deno.test("OutputBuffer puts characters together that came in parts", () => {
  assertEquals(bufferOf("zwölf € 😀", undefined, 1).take().text, "zwölf € 😀");
  const buffer = new OutputBuffer({ headBytes: 0, bufferBytes: 100 });
  buffer.push(new Uint8Array([0xe2, 0x82]));
  assertEquals(buffer.take().text, "");
  buffer.push(new Uint8Array([0xac, 0xe2]));
  assertEquals(buffer.take().text, "€");
  buffer.close();
  assertEquals(buffer.take().text, "\uFFFD");
});

Deno.test("OutputBuffer leaves what is more than was asked for, and cuts no character in half", () => {
  const buffer = bufferOf("ab😀cd");
  assertEquals(taken(buffer, { maxChars: 3 }), ["", "ab", 0, 4]);
  assertEquals(taken(buffer, { maxChars: 1 }), ["", "😀", 0, 2]);
  assertEquals(taken(buffer, { maxChars: 0 }), ["", "", 0, 2]);
  assertEquals(buffer.take({ maxChars: 9 }).text, "cd");
});

Deno.test("OutputBuffer drops the oldest and counts it", () => {
  for (const step of [1, 4, Infinity]) {
    const buffer = bufferOf("0123456789abcdef", { headBytes: 0, bufferBytes: 6 }, step);
    assertEquals(taken(buffer), ["", "abcdef", 10, 0]);
    assertEquals(buffer.take().droppedBytes, 0);
  }
  const wide = bufferOf("€€€€", { headBytes: 0, bufferBytes: 8 });
  assertEquals(taken(wide), ["", "€€", 6, 0]);
});

Deno.test("OutputBuffer keeps the start too if it is told to", () => {
  for (const step of [1, 5, Infinity]) {
    const buffer = bufferOf("0123456789abcdef", { headBytes: 4, bufferBytes: 10 }, step);
    assertEquals(taken(buffer, { maxChars: 3 }), ["", "012", 0, 7]);
    assertEquals(taken(buffer, { maxChars: 4 }), ["3", "abc", 6, 3]);
    assertEquals(taken(buffer), ["", "def", 0, 0]);
  }
  assertEquals(bufferOf("0123456789", { headBytes: 4, bufferBytes: 10 }).take().text, "0123456789");
});

Deno.test("OutputBuffer finds a text across its pieces and takes up to its end", () => {
  for (const step of [1, 3, Infinity]) {
    const buffer = bufferOf("out<<end>>more", undefined, step);
    const end = buffer.findEnd("<<end>>", 0);
    assertEquals(end, 10);
    assertEquals(buffer.findEnd("<<end>>", 4), null);
    assertEquals(taken(buffer, { endAt: end! }), ["", "out<<end>>", 0, 4]);
    assertEquals(buffer.findEnd("more", 0), 14);
  }
});

Deno.test("OutputBuffer finds no text across what was dropped", () => {
  const buffer = bufferOf("aaaa....bbbb", { headBytes: 4, bufferBytes: 8 }, 3);
  assertEquals([buffer.findEnd("aabb", 0), buffer.findEnd("aa", 0), buffer.findEnd("bb", 0)], [null, 2, 10]);
});

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("LiveTail tells the last lines at once, and later ones when their time has come", async () => {
  const told: string[] = [];
  const second = Promise.withResolvers<void>();
  const tail = new LiveTail((lines) => {
    told.push(lines);
    if (told.length === 2) second.resolve();
  }, () => 0);
  tail.push(bytes("one\ntwo\n\nthree\nfour\n"));
  assertEquals(told, ["two\nthree\nfour"]);
  for (const text of ["10 %\r", "50 %\r", "99 %"]) tail.push(bytes(text));
  assertEquals(told.length, 1);
  await second.promise;
  assertEquals(told[1], "three\nfour\n99 %");
});

Deno.test("LiveTail keeps little of much output, and tells nothing after its end", () => {
  const told: string[] = [];
  const tail = new LiveTail((lines) => told.push(lines), () => 0);
  tail.push(bytes(`${"x".repeat(100_000)}\nend`));
  tail.push(bytes("\nmore"));
  tail.end();
  assertEquals(told.length, 1);
  assertEquals([told[0]!.length < 1_100, told[0]!.endsWith("x\nend")], [true, true]);
});
