import { useEffect, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import { CodeBlock } from "./code_block.ts";

/** Larger diagrams stay as they were written: laying them out would hold the page. */
const MOST_CHARACTERS = 6_000;

/**
 * A diagram in mermaid's words. It is drawn as a picture, and a picture neither runs nor loads anything; what cannot
 * be drawn is shown as it was written.
 */
export function Diagram({ text, isOpen }: { text: string; isOpen: boolean }) {
  const drawn = useDrawing(text, isOpen);
  if (drawn === null) return html`<${CodeBlock} text=${text} language="mermaid" isOpen=${isOpen} />`;
  return html`
    <figure class="diagram">
      <img src=${drawn} alt="Diagram; its source is below." />
      <details>
        <summary>Source</summary>
        <${CodeBlock} text=${text} language="mermaid" isOpen=${false} />
      </details>
    </figure>
  `;
}

/** The address of the picture; `null` until it is drawn. */
function useDrawing(text: string, isOpen: boolean): string | null {
  const [drawn, setDrawn] = useState<{ text: string; address: string | null } | null>(null);
  useEffect(() => {
    if (isOpen || text.length > MOST_CHARACTERS) return;
    let isGone = false;
    void import("./draw_diagram.ts").then(({ drawDiagram }) => {
      if (!isGone) setDrawn({ text, address: drawDiagram(text) });
    }, () => {/* Without the server's file its source stays. */});
    return () => {
      isGone = true;
    };
  }, [text, isOpen]);
  return drawn?.text === text ? drawn.address : null;
}
