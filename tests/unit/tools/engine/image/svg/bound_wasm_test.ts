import { assertEquals, assertThrows } from "@std/assert";

import { boundWasm } from "../../../../../../tools/engine/image/svg/bound_wasm.ts";

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Exports the only memory as "m". */
const EXPORT = [7, 5, 1, 1, 0x6d, 2, 0];
const MEBIBYTE = 1024 * 1024;

Deno.test("boundWasm() keeps a module's memory from growing", () => {
  for (
    const [what, section] of Object.entries({
      unbounded: [5, 3, 1, 0, 1],
      bounded: [5, 5, 1, 1, 1, 0xff, 0x01],
    })
  ) {
    const wasm = Uint8Array.from([...HEAD, ...section, ...EXPORT]);
    const module = new WebAssembly.Module(boundWasm(wasm, { maxBytes: 10 * MEBIBYTE }));
    const memory = new WebAssembly.Instance(module).exports.m as WebAssembly.Memory;
    assertEquals(memory.grow(159), 1, what);
    assertThrows(() => memory.grow(1), RangeError);
    assertEquals(memory.buffer.byteLength, 10 * MEBIBYTE, what);
  }
});

Deno.test("boundWasm() refuses a module without a memory", () => {
  assertThrows(
    () => boundWasm(Uint8Array.from(HEAD), { maxBytes: MEBIBYTE }),
    TypeError,
    "no memory of its own",
  );
});
