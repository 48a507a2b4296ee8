// Written by scripts/page.ts.
/** The files of the page, each loaded when it is asked for first. */
export const BUILT_FILES: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  "app.css": () => import("./app.css", { with: { type: "text" } }),
  "app.js": () => import("./app.js", { with: { type: "text" } }),
  "chunk.js": () => import("./chunk.js", { with: { type: "text" } }),
  "chunk_2.js": () => import("./chunk_2.js", { with: { type: "text" } }),
  "colour_code.js": () => import("./colour_code.js", { with: { type: "text" } }),
  "cut_blocks.js": () => import("./cut_blocks.js", { with: { type: "text" } }),
  "demo.jsonl": () => import("./demo.jsonl", { with: { type: "text" } }),
  "draw_diagram.js": () => import("./draw_diagram.js", { with: { type: "text" } }),
  "draw_formula.js": () => import("./draw_formula.js", { with: { type: "text" } }),
  "icon.svg": () => import("./icon.svg", { with: { type: "text" } }),
  "index.html": () => import("./index.html", { with: { type: "text" } }),
  "reader.js": () => import("./reader.js", { with: { type: "text" } }),
};
