import { ToolError } from "../../../schemas/error.ts";
import type { Greeting } from "../protocol.ts";

/** What a display says of itself at first. */
export interface DisplaySetup {
  root: number;
  depth: number;
  /** Bits of a pixel in pictures. */
  bitsPerPixel: number;
  keycodes: { min: number; max: number };
}

/** Version of the protocol that is spoken. */
const PROTOCOL = { major: 11, minor: 0 };
/** Bytes before what a display says of itself. */
export const SETUP_HEAD = 8;

/** Returns what a display is greeted with: numbers stand with their lowest byte first from then on. */
export function greetingBytes({ cookie }: Greeting): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(cookie?.name ?? "");
  const data = cookie?.bytes ?? new Uint8Array();
  const bytes = new Uint8Array(12 + padded(name.length) + padded(data.length));
  const view = new DataView(bytes.buffer);
  bytes[0] = "l".charCodeAt(0);
  view.setUint16(2, PROTOCOL.major, true);
  view.setUint16(4, PROTOCOL.minor, true);
  view.setUint16(6, name.length, true);
  view.setUint16(8, data.length, true);
  bytes.set(name, 12);
  bytes.set(data, 12 + padded(name.length));
  return bytes;
}

/** Returns how many bytes a display's first answer has in all. */
export function setupLength(head: Uint8Array): number {
  return SETUP_HEAD + 4 * numbersIn(head).getUint16(6, true);
}

/**
 * Reads a display's first answer.
 *
 * @throws {ToolError} `unavailable` if it refuses
 */
export function readSetup(bytes: Uint8Array): DisplaySetup {
  const view = numbersIn(bytes);
  if (bytes[0] !== 1) {
    const length = bytes[0] === 0 ? bytes[1]! : bytes.length;
    const why = new TextDecoder().decode(bytes.subarray(SETUP_HEAD, SETUP_HEAD + length)).trim();
    throw new ToolError("unavailable", `The display refuses to be used: ${why || "it does not say why"}`);
  }
  const vendor = view.getUint16(SETUP_HEAD + 16, true);
  const formats = SETUP_HEAD + 32 + padded(vendor);
  const count = bytes[SETUP_HEAD + 21]!;
  const screen = formats + 8 * count;
  const depth = bytes[screen + 38]!;
  const format = Array.from({ length: count }, (_, index) => formats + 8 * index).find((at) =>
    bytes[at] === depth
  );
  return {
    root: view.getUint32(screen, true),
    depth,
    bitsPerPixel: format === undefined ? 0 : bytes[format + 1]!,
    keycodes: { min: bytes[SETUP_HEAD + 26]!, max: bytes[SETUP_HEAD + 27]! },
  };
}

/** Returns the length with which something ends at a multiple of four. */
export function padded(length: number): number {
  return (length + 3) & ~3;
}

export function numbersIn(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
