import packed from "@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff" with {
  type: "bytes",
};

import { unpackFont } from "./woff.ts";

/** Letters of East Asia: a module of its own, as they are large and few charts need them. */
export const eastAsianFont: Uint8Array = unpackFont(packed);
