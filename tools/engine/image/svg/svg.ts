import { Resvg, type ResvgRenderOptions } from "@resvg/resvg-wasm";

import { ToolError } from "../../../../schemas/error.ts";
import type { Raster } from "../pixels/raster.ts";
import { type SvgCanvas, svgCanvas } from "./canvas.ts";
import { rendererReady } from "./renderer.ts";
import { type SvgSource, svgSource } from "./source.ts";

/** Larger pictures are drawn no larger than this. */
const MAX_EDGE = 4096;

/** A drawn SVG picture. */
export interface DrawnSvg {
  /** The size that the file asks for, in whole pixels. */
  width: number;
  height: number;
  raster: Raster;
  warnings: string[];
}

/**
 * Draws an SVG picture on white, its text in one font. It reads no other file and no network.
 *
 * @param maxEdge Longest edge of the raster, in pixels
 * @throws {ToolError} `invalid_input` if it is damaged
 */
export async function drawSvg(bytes: Uint8Array, { maxEdge }: { maxEdge: number }): Promise<DrawnSvg> {
  await rendererReady;
  const source = svgSource(bytes);
  const font = source.hasText ? (await import("./font.ts")).svgFont : { loadSystemFonts: false };
  try {
    return draw(source, { font, maxEdge: Math.min(maxEdge, MAX_EDGE) });
  } catch (error) {
    // The library also throws its parser's messages as plain text.
    const reason = error instanceof WebAssembly.RuntimeError
      ? "the renderer gave up"
      : error instanceof Error
      ? error.message
      : String(error);
    const message =
      `The SVG image cannot be drawn: ${reason}. Convert it to PNG first, with a program in Bash`;
    throw new ToolError("invalid_input", message, { details: { format: "SVG" }, cause: error });
  }
}

function draw(
  { text, warnings }: SvgSource,
  { font, maxEdge }: Required<Pick<ResvgRenderOptions, "font">> & { maxEdge: number },
): DrawnSvg {
  const options = { font, background: "white" };
  const natural = new Resvg(text, options);
  const size = { width: natural.width, height: natural.height };
  const zoom = Math.min(1, maxEdge / Math.max(size.width, size.height));
  const canvas = svgCanvas(natural.toString(), { size, content: natural.getBBox(), zoom });
  const zoomed = () => new Resvg(text, { ...options, fitTo: { mode: "zoom", value: canvas.zoom } });
  return {
    width: Math.max(1, Math.round(size.width)),
    height: Math.max(1, Math.round(size.height)),
    raster: drawOn(canvas, canvas.zoom === 1 ? natural : zoomed()),
    warnings,
  };
}

function drawOn({ box, ...shown }: SvgCanvas, svg: InstanceType<typeof Resvg>): Raster {
  const bounds = box && svg.getBBox();
  if (box && bounds) svg.cropByBBox(Object.assign(bounds, box));
  const drawn = svg.render();
  const raster = { width: drawn.width, height: drawn.height, pixels: drawn.pixels };
  drawn.free();
  svg.free();
  return box ? cut(raster, shown) : raster;
}

function cut(
  from: Raster,
  { left, top, width, height }: Pick<SvgCanvas, "left" | "top" | "width" | "height">,
): Raster {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  const kept = Math.min(width, from.width - left) * 4;
  for (let y = 0; y < Math.min(height, from.height - top); y++) {
    const at = ((top + y) * from.width + left) * 4;
    pixels.set(from.pixels.subarray(at, at + kept), y * width * 4);
  }
  return { width, height, pixels };
}
