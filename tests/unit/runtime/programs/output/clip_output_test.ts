import { assertEquals } from "@std/assert";

import { OutputClipper } from "../../../../../runtime/programs/output/clip_output.ts";

const encoder = new TextEncoder();

function clip(
  output: string | Uint8Array,
  limits: { maxBytes?: number; maxLines?: number; cutBytes?: number },
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
      assertEquals({ head, tail, omittedBytes, omittedLines }, {
        head: output,
        tail: "",
        omittedBytes: 0,
        omittedLines: 0,
      });
      assertEquals(bytes, encoder.encode(output).length);
    }
  }
});

Deno.test("OutputClipper keeps the start and the end of what is longer", () => {
  for (
    const { name, output, limits, head, tail, omittedBytes, omittedLines } of [
      {
        name: "fewer bytes, to leave room for a note",
        output: "abcdefghij",
        limits: { maxBytes: 9, cutBytes: 4 },
        head: "ab",
        tail: "ij",
        omittedBytes: 6,
        omittedLines: 0,
      },
      {
        name: "bytes of one long line",
        output: "abcdefghij",
        limits: { maxBytes: 4 },
        head: "ab",
        tail: "ij",
        omittedBytes: 6,
        omittedLines: 0,
      },
      {
        name: "an odd limit",
        output: "abcdefghij",
        limits: { maxBytes: 5 },
        head: "abc",
        tail: "ij",
        omittedBytes: 5,
        omittedLines: 0,
      },
      {
        name: "one byte too many",
        output: "abcdefg",
        limits: { maxBytes: 6 },
        head: "abc",
        tail: "efg",
        omittedBytes: 1,
        omittedLines: 0,
      },
      {
        name: "lines",
        output: "1\n2\n3\n4\n5\n6\n7\n",
        limits: { maxLines: 4 },
        head: "1\n2\n",
        tail: "6\n7\n",
        omittedBytes: 6,
        omittedLines: 3,
      },
      {
        name: "a last line without an end",
        output: "1\n2\n3\n4\n5",
        limits: { maxLines: 4 },
        head: "1\n2\n",
        tail: "4\n5",
        omittedBytes: 2,
        omittedLines: 1,
      },
      {
        name: "an odd number of lines",
        output: "1\n2\n3\n4\n",
        limits: { maxLines: 3 },
        head: "1\n2\n",
        tail: "4\n",
        omittedBytes: 2,
        omittedLines: 1,
      },
      {
        name: "whole lines where an end is near",
        output: "first line\nsecond line\nthird line\nlast line\n",
        limits: { maxBytes: 28 },
        head: "first line\n",
        tail: "last line\n",
        omittedBytes: 23,
        omittedLines: 2,
      },
      {
        name: "characters of several bytes",
        output: "aäöüßéèêëâ€😀z",
        limits: { maxBytes: 8 },
        head: "aä",
        tail: "z",
        omittedBytes: 23,
        omittedLines: 0,
      },
      {
        name: "nothing at all",
        output: "abc\ndef\n",
        limits: { maxBytes: 0 },
        head: "",
        tail: "",
        omittedBytes: 8,
        omittedLines: 2,
      },
    ]
  ) {
    for (const step of [1, 3, Infinity]) {
      const { bytes: _, binary: _binary, ...kept } = clip(output, limits, step);
      assertEquals(
        kept,
        { head, tail, omittedBytes, omittedLines, replaced: false },
        `${name}, step ${step}`,
      );
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
      assertEquals([kept + omittedBytes, replaced], [size, false]);
      assertEquals(lines.startsWith(head) && lines.endsWith(tail), true);
      assertEquals(omittedLines, 300 - (head + tail).split("\n").length + 1);
    }
  }
});

Deno.test("OutputClipper tells binary output and bytes that are no UTF-8", () => {
  for (
    const { output, binary, replaced, head } of [
      { output: [65, 0, 66], binary: true, replaced: false, head: "A\0B" },
      { output: [...encoder.encode("x".repeat(19)), 1], binary: false, replaced: false },
      { output: [...encoder.encode("x".repeat(18)), 1], binary: true, replaced: false },
      { output: [27, 91, 51, 49, 109, 7, 8, 9, 10, 12, 13], binary: false, replaced: false },
      { output: [65, 0xff, 66], binary: false, replaced: true, head: "A\uFFFDB" },
      { output: [0xc3], binary: false, replaced: true, head: "\uFFFD" },
      { output: [...new Uint8Array(4_096).fill(65), 0], binary: false, replaced: false },
    ]
  ) {
    const result = clip(new Uint8Array(output), {});
    assertEquals([result.binary, result.replaced], [binary, replaced]);
    if (head !== undefined) assertEquals(result.head, head);
  }
});

Deno.test("OutputClipper copies what it keeps", () => {
  const clipper = new OutputClipper();
  const bytes = encoder.encode("first");
  clipper.push(bytes);
  bytes.fill(0);
  assertEquals(clipper.result().head, "first");
});
