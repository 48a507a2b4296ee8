import { Buffer } from "node:buffer";

/** Returns bytes as text that a message can hold. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
