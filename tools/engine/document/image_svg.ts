import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };

import { ToolError } from "../../../schemas/error.ts";
import type { Raster } from "./image_raster.ts";

/** Larger pictures are drawn no larger than this. */
const MAX_EDGE = 4096;

const ready = initWasm(new WebAssembly.Module(wasm));

/** A drawn SVG picture. */
export interface DrawnSvg {
  /** The size that the file asks for, in whole pixels. */
  width: number;
  height: number;
  raster: Raster;
  warnings: string[];
}

/**
 * Draws an SVG picture on white. It gets no other file, no font and no network.
 *
 * @param maxEdge Longest edge of the raster, in pixels
 * @throws {ToolError} `invalid_input` if it is damaged
 */
export async function drawSvg(bytes: Uint8Array, { maxEdge }: { maxEdge: number }): Promise<DrawnSvg> {
  await ready;
  try {
    const font = { loadSystemFonts: false };
    const natural = new Resvg(bytes, { font });
    const [width, height] = [natural.width, natural.height];
    const missing = natural.imagesToResolve().length;
    natural.free();
    const zoom = Math.min(1, Math.min(maxEdge, MAX_EDGE) / Math.max(width, height));
    const scaled = new Resvg(bytes, { font, background: "white", fitTo: { mode: "zoom", value: zoom } });
    const drawn = scaled.render();
    const raster = { width: drawn.width, height: drawn.height, pixels: drawn.pixels };
    drawn.free();
    scaled.free();
    return {
      width: Math.max(1, Math.round(width)),
      height: Math.max(1, Math.round(height)),
      raster,
      warnings: warningsOf(bytes, missing),
    };
  } catch (error) {
    // The library throws what its own parser says as plain text, too.
    const reason = error instanceof Error ? error.message : String(error);
    const message =
      `The SVG image cannot be drawn: ${reason}. Convert it to PNG first, with a program in Bash`;
    throw new ToolError("invalid_input", message, { details: { format: "SVG" }, cause: error });
  }
}

function warningsOf(bytes: Uint8Array, missing: number): string[] {
  const warnings: string[] = [];
  if (/<(?:\w+:)?text[\s>]/.test(new TextDecoder().decode(bytes))) {
    warnings.push("The text of the SVG image is not drawn, as no font is at hand: use Read to see it");
  }
  if (missing > 0) warnings.push("Linked images of the SVG image are not drawn");
  return warnings;
}
