// Written by scripts/page.ts.
/** The files of the page, each loaded when it is asked for first. */
export const BUILT_FILES: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  "app.css": () => import("./app.css", { with: { type: "text" } }),
  "app.js": () => import("./app.js", { with: { type: "text" } }),
  "chunk-ZWRDP37E.js": () => import("./chunk-ZWRDP37E.js", { with: { type: "text" } }),
  "colour_code-ENVDRRZX.js": () => import("./colour_code-ENVDRRZX.js", { with: { type: "text" } }),
  "draw_diagram-SMUARVQN.js": () => import("./draw_diagram-SMUARVQN.js", { with: { type: "text" } }),
  "draw_formula-4JACRH23.js": () => import("./draw_formula-4JACRH23.js", { with: { type: "text" } }),
  "index.html": () => import("./index.html", { with: { type: "text" } }),
};
