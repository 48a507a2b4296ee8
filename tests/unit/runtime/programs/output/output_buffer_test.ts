import { assertEquals } from "@std/assert";

import { OutputBuffer } from "../../../../../runtime/programs/output/output_buffer.ts";

const encoder = new TextEncoder();

function bufferOf(text: string, limits = { headBytes: 0, bufferBytes: 100 }, step = Infinity): OutputBuffer {
  const buffer = new OutputBuffer(limits);
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += step) buffer.push(bytes.slice(at, at + step));
  return buffer;
}

Deno.test("OutputBuffer gives what is unread, once", () => {
  const buffer = bufferOf("one two");
  assertEquals(buffer.take(), { head: "", text: "one two", droppedBytes: 0, remainingChars: 0 });
  assertEquals(buffer.take(), { head: "", text: "", droppedBytes: 0, remainingChars: 0 });
  buffer.push(encoder.encode(" three"));
  assertEquals(buffer.take().text, " three");
});

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
  assertEquals(buffer.take({ maxChars: 3 }), { head: "", text: "ab", droppedBytes: 0, remainingChars: 4 });
  assertEquals(buffer.take({ maxChars: 1 }), { head: "", text: "😀", droppedBytes: 0, remainingChars: 2 });
  assertEquals(buffer.take({ maxChars: 0 }), { head: "", text: "", droppedBytes: 0, remainingChars: 2 });
  assertEquals(buffer.take({ maxChars: 9 }).text, "cd");
});

Deno.test("OutputBuffer drops the oldest and counts it", () => {
  for (const step of [1, 4, Infinity]) {
    const buffer = bufferOf("0123456789abcdef", { headBytes: 0, bufferBytes: 6 }, step);
    assertEquals(buffer.take(), { head: "", text: "abcdef", droppedBytes: 10, remainingChars: 0 });
    assertEquals(buffer.take().droppedBytes, 0);
  }
  const wide = bufferOf("€€€€", { headBytes: 0, bufferBytes: 8 });
  assertEquals(wide.take(), { head: "", text: "€€", droppedBytes: 6, remainingChars: 0 });
});

Deno.test("OutputBuffer keeps the start too if it is told to", () => {
  for (const step of [1, 5, Infinity]) {
    const buffer = bufferOf("0123456789abcdef", { headBytes: 4, bufferBytes: 10 }, step);
    assertEquals(buffer.take({ maxChars: 3 }), { head: "", text: "012", droppedBytes: 0, remainingChars: 7 });
    assertEquals(buffer.take({ maxChars: 4 }), {
      head: "3",
      text: "abc",
      droppedBytes: 6,
      remainingChars: 3,
    });
    assertEquals(buffer.take(), { head: "", text: "def", droppedBytes: 0, remainingChars: 0 });
  }
  assertEquals(bufferOf("0123456789", { headBytes: 4, bufferBytes: 10 }).take().text, "0123456789");
});

Deno.test("OutputBuffer finds a text across its pieces and takes up to its end", () => {
  for (const step of [1, 3, Infinity]) {
    const buffer = bufferOf("out<<end>>more", undefined, step);
    const end = buffer.findEnd("<<end>>", 0);
    assertEquals(end, 10);
    assertEquals(buffer.findEnd("<<end>>", 4), null);
    assertEquals(buffer.take({ endAt: end! }), {
      head: "",
      text: "out<<end>>",
      droppedBytes: 0,
      remainingChars: 4,
    });
    assertEquals(buffer.findEnd("more", 0), 14);
  }
});

Deno.test("OutputBuffer finds no text across what was dropped", () => {
  const buffer = bufferOf("aaaa....bbbb", { headBytes: 4, bufferBytes: 8 }, 3);
  assertEquals([buffer.findEnd("aabb", 0), buffer.findEnd("aa", 0), buffer.findEnd("bb", 0)], [null, 2, 10]);
});
