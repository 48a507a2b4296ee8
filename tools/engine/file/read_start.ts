// Searches open tens of thousands of files: for each file, Node's file functions cost a sixth less than
// Deno's objects.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * Reads the first bytes of a file. Needs `read`.
 *
 * @param maxBytes Most bytes to read
 * @throws Deno's errors
 */
export function readStart(path: string, maxBytes: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(Math.min(maxBytes, fstatSync(file).size));
    return bytes.subarray(0, fill(file, bytes, 0));
  } finally {
    closeSync(file);
  }
}

/**
 * Reads into `bytes` from `from` on until they are full or the file ends; returns where it stopped.
 *
 * @param file Descriptor of an open file
 */
export function fill(file: number, bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const got = readSync(file, bytes, at, bytes.length - at, null);
    if (got === 0) break;
    at += got;
  }
  return at;
}
