import { Buffer } from "node:buffer";
import { assert } from "@std/assert";

import { decodeImage } from "../../../tools/engine/image/decode.ts";
import { imageHeader } from "../../../tools/engine/image/header.ts";
import type { DesktopAnswer, ScreenPicture } from "../../../schemas/desktop/desktop.ts";

export interface Screen {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export async function screenOf({ picture }: Pick<DesktopAnswer, "picture">): Promise<Screen> {
  assert(picture !== undefined);
  return await decodePicture(picture);
}

export async function decodePicture({ base64 }: Pick<ScreenPicture, "base64">): Promise<Screen> {
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  const header = imageHeader(bytes);
  assert(header !== null);
  const { raster } = await decodeImage(bytes, header, { width: 4096, height: 4096 });
  return raster;
}

/** Returns the smallest area with all that differs, `null` if nothing does. */
export function changed(one: Screen, other: Screen): Area | null {
  const area = { left: one.width, top: one.height, right: -1, bottom: -1 };
  for (let y = 0; y < one.height; y += 1) {
    for (let x = 0; x < one.width; x += 1) {
      const at = 4 * (y * one.width + x);
      if ([0, 1, 2].every((part) => one.pixels[at + part] === other.pixels[at + part])) continue;
      area.left = Math.min(area.left, x);
      area.right = Math.max(area.right, x);
      area.top = Math.min(area.top, y);
      area.bottom = Math.max(area.bottom, y);
    }
  }
  return area.right < 0 ? null : area;
}
