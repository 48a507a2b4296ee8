// Written by scripts/page.ts.
/** The files of the page, each loaded when it is asked for first. */
export const BUILT_FILES: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  "app.css": () => import("./app.css", { with: { type: "text" } }),
  "app.js": () => import("./app.js", { with: { type: "text" } }),
  "index.html": () => import("./index.html", { with: { type: "text" } }),
};
