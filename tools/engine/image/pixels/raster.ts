/** Pixels in RGBA, row by row from the top left, alpha not multiplied in. */
export interface Raster {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Lays a raster on white, in place. */
export function flatten({ pixels }: Raster): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = Math.round(255 + (pixels[channel]! - 255) * alpha / 255);
    }
    pixels[at + 3] = 255;
  }
}

/** Returns a raster turned and mirrored as Exif's orientation, 1 to 8, asks. */
export function upright(raster: Raster, orientation: number): Raster {
  if (orientation === 1) return raster;
  const { width, height } = raster;
  const from = words(raster.pixels);
  const turned = orientation >= 5;
  const [newWidth, newHeight] = turned ? [height, width] : [width, height];
  const to = new Uint32Array(from.length);
  const [start, stepX, stepY] = stepsOf(orientation, width, height);
  let at = 0;
  for (let y = 0; y < newHeight; y++) {
    let source = start + y * stepY;
    for (let x = 0; x < newWidth; x++, source += stepX) to[at++] = from[source]!;
  }
  return { width: newWidth, height: newHeight, pixels: new Uint8Array(to.buffer) };
}

function words(pixels: Uint8Array): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

/** Where the new top left pixel lies in the stored picture, and how far its neighbours to the right and below are. */
function stepsOf(orientation: number, width: number, height: number): [number, number, number] {
  const [right, bottom] = [width - 1, (height - 1) * width];
  switch (orientation) {
    case 2:
      return [right, -1, width];
    case 3:
      return [bottom + right, -1, -width];
    case 4:
      return [bottom, 1, -width];
    case 5:
      return [0, width, 1];
    case 6:
      return [bottom, -width, 1];
    case 7:
      return [bottom + right, -width, -1];
    default:
      return [right, width, -1];
  }
}
