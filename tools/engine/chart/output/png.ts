import { Resvg } from "@resvg/resvg-wasm";
import packed from "@fontsource/noto-sans-sc/files/noto-sans-sc-latin-400-normal.woff" with { type: "bytes" };

import { ToolError } from "../../../../schemas/error.ts";
import { encodePng } from "../../encode_png.ts";
import { rendererReady } from "../../image/svg/renderer.ts";
import { unpackFont } from "./woff.ts";

const latin = unpackFont(packed);
const FAMILY = "Noto Sans SC";
/** Scripts of East Asia: their font is large. */
const EAST_ASIAN = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
/** Scripts that no font at hand has. */
const WITHOUT_FONT =
  /[\p{sc=Hangul}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Thai}\p{sc=Khmer}\p{Extended_Pictographic}]/u;
/** Anything beyond the letters of western Europe and of East Asia. */
const OTHER = /[^\s\x20-\xff\u2010-\u2026\u20ac\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/** Narrow forms of Japanese letters, which fonts leave out. */
const NARROW_KANA = /[\uff61-\uff9f]+/g;

/** What XML cannot hold. */
// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Draws a picture of a chart as PNG, with fonts of this program.
 *
 * @throws {ToolError} `invalid_input` if the picture is no SVG that can be read
 */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const fontBuffers = await fontsFor(svg);
  await rendererReady;
  const family = { defaultFontFamily: FAMILY, sansSerifFamily: FAMILY };
  const text = svg.replace(CONTROLS, "").replace(NARROW_KANA, (kana) => kana.normalize("NFKC"));
  const picture = parsed(text, {
    background: "white",
    font: { loadSystemFonts: false, fontBuffers, ...family },
  });
  try {
    const drawn = picture.render();
    try {
      const { width, height, pixels } = drawn;
      // The renderer's own PNG takes five times as long, and so does taking the fourth byte of each pixel away.
      return encodePng({ width, height, channels: 4, data: pixels });
    } finally {
      drawn.free();
    }
  } finally {
    picture.free();
  }
}

function parsed(svg: string, options: ConstructorParameters<typeof Resvg>[1]): InstanceType<typeof Resvg> {
  try {
    return new Resvg(svg, options);
  } catch (cause) {
    const message = "The options of the chart make no picture: draw it again from its CSV file";
    throw new ToolError("invalid_input", message, { cause });
  }
}

/** Says whether a text has letters that a PNG shows as boxes. */
export function lacksFont(text: string): boolean {
  return WITHOUT_FONT.test(text.replace(/[©®™]/g, ""));
}

async function fontsFor(svg: string): Promise<Uint8Array[]> {
  const fonts: Uint8Array[] = [latin];
  if (EAST_ASIAN.test(svg)) fonts.push((await import("./east_asian_font.ts")).eastAsianFont);
  if (OTHER.test(svg)) fonts.push(...(await import("../../image/svg/font.ts")).svgFont.fontBuffers);
  return fonts;
}
