const PAGE_BYTES = 65_536;
/** After the magic number and the version. */
const FIRST_SECTION = 8;
const MEMORY_SECTION = 5;
const HAS_MOST = 1;

/**
 * Returns a WebAssembly module whose own memory cannot grow beyond a size: a request for more fails inside
 * it.
 *
 * @param maxBytes Most memory in bytes, rounded down to pages of 64 KiB
 * @throws {TypeError} If the module has no memory of its own
 */
export function boundWasm(wasm: Uint8Array, { maxBytes }: { maxBytes: number }): Uint8Array<ArrayBuffer> {
  for (let at = FIRST_SECTION; at < wasm.length;) {
    const size = readNumber(wasm, at + 1);
    const end = size.end + size.value;
    if (wasm[at] === MEMORY_SECTION) {
      const least = readNumber(wasm, size.end + 2);
      const body = [
        1,
        HAS_MOST,
        ...numberBytes(least.value),
        ...numberBytes(Math.floor(maxBytes / PAGE_BYTES)),
      ];
      const section = Uint8Array.from([MEMORY_SECTION, ...numberBytes(body.length), ...body]);
      return joined([wasm.subarray(0, at), section, wasm.subarray(end)]);
    }
    at = end;
  }
  throw new TypeError("The module has no memory of its own");
}

/** Reads a number as WebAssembly writes it: seven bits a byte, the lowest first. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  let factor = 1;
  for (let at = start;; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
    factor *= 128;
  }
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(value >>> 7)];
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
