import { Resvg } from "@resvg/resvg-wasm";
import latin from "@fontsource/noto-sans-sc/files/noto-sans-sc-latin-400-normal.woff2" with { type: "bytes" };

import { rendererReady } from "../../image/svg/renderer.ts";

const FAMILY = "Noto Sans SC";
/** Scripts of East Asia: their font is large. */
const EAST_ASIAN = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
/** Anything beyond the letters of western Europe. */
const OTHER = /[^\s\x20-\xff\u2010-\u2026\u20ac]/;

/** Draws a picture of a chart as PNG, with fonts of this program. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const fontBuffers = await fontsFor(svg);
  await rendererReady;
  const family = { defaultFontFamily: FAMILY, sansSerifFamily: FAMILY };
  const picture = new Resvg(svg, {
    background: "white",
    font: { loadSystemFonts: false, fontBuffers, ...family },
  });
  try {
    const drawn = picture.render();
    try {
      return drawn.asPng();
    } finally {
      drawn.free();
    }
  } finally {
    picture.free();
  }
}

async function fontsFor(svg: string): Promise<Uint8Array[]> {
  const fonts: Uint8Array[] = [latin];
  if (EAST_ASIAN.test(svg)) fonts.push((await import("./east_asian_font.ts")).eastAsianFont);
  if (OTHER.test(svg)) fonts.push(...(await import("../../image/svg/font.ts")).svgFont.fontBuffers);
  return fonts;
}
