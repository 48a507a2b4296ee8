import { useEffect, useRef } from "preact/hooks";

import { html } from "../../base/html.ts";
import { visible } from "../text/visible.ts";

/** Longer formulas stay as they were written. */
const MOST_CHARACTERS = 4_000;

/** A formula in TeX, drawn as MathML; what cannot be drawn is shown as it was written. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const node = place.current;
    if (!node || tex.length > MOST_CHARACTERS) return;
    let isGone = false;
    void import("./draw_formula.ts").then(({ drawFormula }) => {
      if (!isGone) drawFormula(tex, isBlock, node);
    }, () => {/* Without the server's file its source stays. */});
    return () => {
      isGone = true;
    };
  }, [tex, isBlock]);
  // The key makes a new element when the formula changes: what was drawn is not this component's to mend.
  return html`
    <span key=${tex} class=${isBlock ? "formula formula-block" : "formula"} ref=${place}
      tabindex=${isBlock ? 0 : undefined}>${visible(tex)}</span>
  `;
}
