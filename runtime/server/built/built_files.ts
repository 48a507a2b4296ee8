// Written by scripts/page.ts.
/** The files of the page, each loaded when it is asked for first. */
export const BUILT_FILES: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  "app.css": () => import("./app.css", { with: { type: "text" } }),
  "app.js": () => import("./app.js", { with: { type: "text" } }),
  "chunk-ZWRDP37E.js": () => import("./chunk-ZWRDP37E.js", { with: { type: "text" } }),
  "dist-TGS5GGY3.js": () => import("./dist-TGS5GGY3.js", { with: { type: "text" } }),
  "index.html": () => import("./index.html", { with: { type: "text" } }),
  "temml-EFNJMI2Y.js": () => import("./temml-EFNJMI2Y.js", { with: { type: "text" } }),
};
