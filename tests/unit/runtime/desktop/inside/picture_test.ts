import { assert, assertEquals } from "@std/assert";

import { isSame, pictureOf } from "../../../../../runtime/desktop/inside/picture.ts";
import { decodePicture } from "../../../../support/desktop/screen.ts";

/** Pixels as a display gives them, of a colour for each place. */
function pixels(width: number, height: number, colour: (x: number, y: number) => readonly number[]) {
  const bytes = new Uint8Array(4 * width * height);
  for (let at = 0; at < width * height; at += 1) {
    const [red = 0, green = 0, blue = 0] = colour(at % width, Math.floor(at / width));
    bytes.set([blue, green, red, 0], 4 * at);
  }
  return { width, height, bytes };
}

Deno.test("pictureOf() makes a PNG of the same colours", async () => {
  const screen = pixels(5, 3, (x, y) => [x * 50, y * 100, 7]);
  const picture = pictureOf(screen);
  assertEquals([picture.width, picture.height, picture.mimeType], [5, 3, "image/png"]);
  const shown = await decodePicture(picture);
  assertEquals([...shown.pixels.subarray(4 * 7, 4 * 7 + 4)], [100, 100, 7, 255]);
});

Deno.test("pictureOf() makes the picture of a large screen smaller, of means", async () => {
  const picture = pictureOf(pixels(3136, 20, (x) => x % 2 === 0 ? [0, 0, 0] : [200, 100, 50]));
  assertEquals([picture.width, picture.height], [1568, 10]);
  const { pixels: shown } = await decodePicture(picture);
  assertEquals([...shown.subarray(0, 4)], [100, 50, 25, 255]);
});

Deno.test("pictureOf() bounds the bytes of a picture that cannot be packed", () => {
  let seed = 1;
  const noise = () => (seed = seed * 48271 % 2147483647) & 0xff;
  const picture = pictureOf(pixels(1400, 1400, () => [noise(), noise(), noise()]));
  assert(picture.base64.length < 4.7e6, String(picture.base64.length));
  assert(picture.width < 1400);
});

Deno.test("isSame() compares pixels wherever they lie in memory", () => {
  const one = pixels(3, 2, (x) => [x, 0, 0]);
  const moved = new Uint8Array(one.bytes.length + 3);
  moved.set(one.bytes, 3);
  assert(isSame(one, { ...one, bytes: moved.subarray(3) }));
  moved[4] = 9;
  assert(!isSame(one, { ...one, bytes: moved.subarray(3) }));
  assert(!isSame(one, pixels(2, 3, (x) => [x, 0, 0])));
});
