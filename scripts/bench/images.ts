// deno-lint-ignore-file no-console
import { join } from "@std/path";

import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { median, OpenBatch, timeCommand } from "./measure.ts";
import type { Ratio } from "./report.ts";

const RUNS = 7;
const BOUND = 2;

/**
 * Measures a photo of 12 megapixels on its way to the attachment, in a running batch, against ImageMagick.
 * Empty, with a note, if ImageMagick is not installed.
 */
export async function benchImages(label: string, argv: readonly string[], folder: string): Promise<Ratio[]> {
  const convert = findProgram("convert-im6.q16", Deno.env.get("PATH") ?? "") ??
    findProgram("convert", Deno.env.get("PATH") ?? "");
  if (convert === null || !(await isImageMagick(convert))) {
    console.log(`${label} 12-megapixel JPEG to its attachment: skipped, ImageMagick is not installed`);
    return [];
  }
  const photo = await makePhoto(convert, folder);
  const batch = new OpenBatch(argv, folder);
  const ms = await median(RUNS, async () => (await batch.call("ReadImage", { path: photo })).ms);
  await batch.close();
  const shrink = ["-auto-orient", "-resize", "1568x1568", "-quality", "85", join(folder, "attachment.jpg")];
  const peerMs = await median(RUNS, async () => (await timeCommand([convert, photo, ...shrink])).ms);
  const name = `${label} 12-megapixel JPEG to its attachment vs convert`;
  return [{ name, ms, peer: "convert", peerMs, bound: BOUND }];
}

async function isImageMagick(convert: string): Promise<boolean> {
  return (await timeCommand([convert, "-version"])).stdout.includes("ImageMagick");
}

/** Makes a picture with about as much detail and as many bytes as a camera's. */
async function makePhoto(convert: string, folder: string): Promise<string> {
  const path = join(folder, "photo.jpg");
  await timeCommand([
    ...[convert, "-seed", "3", "-size", "4000x3000", "plasma:red-blue"],
    ...["-attenuate", "0.3", "+noise", "Gaussian", "-quality", "90", path],
  ]);
  return path;
}
