import bytes from "@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2" with { type: "bytes" };

const FAMILY = "DejaVu Sans";

/** The one font that the text of SVG pictures is drawn with, whatever family they name. */
export const svgFont = {
  loadSystemFonts: false,
  fontBuffers: [bytes],
  defaultFontFamily: FAMILY,
  serifFamily: FAMILY,
  sansSerifFamily: FAMILY,
  cursiveFamily: FAMILY,
  fantasyFamily: FAMILY,
  monospaceFamily: FAMILY,
};
