import bytes from "@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2" with { type: "bytes" };

const FAMILY = "DejaVu Sans";

/** The one font for the text of SVG pictures; the family that they name does not count. */
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
