import { assertEquals } from "@std/assert";

import { compileFinder } from "../../../../../tools/engine/grep/literal_finder.ts";
import { createScanMemory } from "../../../../../tools/engine/grep/scan_memory.ts";

const memory = createScanMemory(8192);

/** All places where the literal begins, looked for one after the other. */
function findAll(text: Uint8Array, wanted: Uint8Array, fold: boolean): number[] {
  memory.bytes.fill(wanted[0]!, 0, text.length + 100);
  memory.bytes.set(text);
  const find = compileFinder({ bytes: wanted, fold }, memory);
  const places: number[] = [];
  for (let at = find(0, text.length); at >= 0; at = find(at + 1, text.length)) places.push(at);
  return places;
}

function findAllSlowly(text: Uint8Array, wanted: Uint8Array, fold: boolean): number[] {
  const plain = (byte: number) => fold && byte >= 65 && byte <= 90 ? byte + 32 : byte;
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= text.length; at++) {
    if (wanted.every((byte, index) => byte === plain(text[at + index]!))) places.push(at);
  }
  return places;
}

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed;;) {
    state = (state * 1664525 + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

Deno.test("compileFinder() finds what a naive search finds", () => {
  const random = numbers(1);
  const next = (below: number) => random.next().value % below;
  for (let turn = 0; turn < 2000; turn++) {
    const letters = turn % 3 === 0
      ? [97, 98]
      : turn % 3 === 1
      ? [97, 65, 98, 66]
      : [97, 10, 195, 164, 91, 64];
    const text = Uint8Array.from({ length: next(60) }, () => letters[next(letters.length)]!);
    const fold = turn % 2 === 0;
    const wanted = Uint8Array.from({ length: 1 + next(5) }, () => letters[next(letters.length)]!)
      .map((byte) => fold && byte >= 65 && byte <= 90 ? byte + 32 : byte);
    assertEquals(findAll(text, wanted, fold), findAllSlowly(text, wanted, fold), `${text} ${wanted} ${fold}`);
  }
});

Deno.test("compileFinder() finds literals longer than a vector", () => {
  const wanted = new TextEncoder().encode("abc".repeat(200) + "d");
  const text = new TextEncoder().encode("abc".repeat(500) + "d" + "abc".repeat(200) + "d");
  assertEquals(findAll(text, wanted, false), findAllSlowly(text, wanted, false));
  assertEquals(findAll(text, wanted, false).length, 2);
});

Deno.test("compileFinder() does not look behind the end", () => {
  const find = compileFinder({ bytes: new TextEncoder().encode("aaa"), fold: false }, memory);
  memory.bytes.fill(97);
  assertEquals(find(0, 2), -1);
});
