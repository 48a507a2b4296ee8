import bytes from "@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff2" with {
  type: "bytes",
};

/** Letters of East Asia: a module of its own, as they are large and few charts need them. */
export const eastAsianFont: Uint8Array = bytes;
