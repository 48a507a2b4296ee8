import { viewOf } from "./bytes.ts";

const TAG = 0x0112;
const MOST_ENTRIES = 4096;

/**
 * Reads Exif's orientation, 1 to 8, from a block that starts as a TIFF file does. Returns 1 if the
 * orientation is missing or the block is damaged: the picture itself may still be fine.
 */
export function exifOrientation(block: Uint8Array): number {
  const view = viewOf(block);
  try {
    const little = view.getUint16(0) === 0x4949;
    const at = view.getUint32(4, little);
    const count = Math.min(view.getUint16(at, little), MOST_ENTRIES);
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
      if (view.getUint16(entry, little) !== TAG) continue;
      const value = view.getUint16(entry + 8, little);
      return value >= 1 && value <= 8 ? value : 1;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}
